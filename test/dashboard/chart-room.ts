import { test } from 'tap'
import type { BarChart } from '../../src/charts/bar-chart.js'
import { ChartRoom, type GroupedSums } from '../../src/dashboard/chart-room.js'
import { GROUPED_KEPT_MAX } from '../../src/dashboard/dashboard-limits.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'

const NOTHING: GroupedSums = { months: [], categories: [] }

function roomOf(): ChartRoom {
  return new ChartRoom({
    find: ({ bars }) => (bars.length === 0 ? 'found' : undefined),
    draw: async ({ bars }) => `drawn ${bars.length}`,
  })
}

test('sums are made once for a snapshot and a question, the oldest forgotten', async (t) => {
  const room = roomOf()
  const snapshot = snapshotOf(SAMPLE)
  let count = 0
  const add = async (): Promise<GroupedSums> => {
    count += 1
    return NOTHING
  }
  await Promise.all([room.grouped(snapshot, 'a', add), room.grouped(snapshot, 'a', add)])
  t.equal(count, 1)
  await room.grouped(snapshotOf(SAMPLE), 'a', add)
  t.equal(count, 2, 'of another snapshot')
  for (let i = 0; i < GROUPED_KEPT_MAX; i++) await room.grouped(snapshot, `b${i}`, add)
  await room.grouped(snapshot, `b${GROUPED_KEPT_MAX - 1}`, add)
  t.equal(count, 2 + GROUPED_KEPT_MAX)
  await room.grouped(snapshot, 'a', add)
  t.equal(count, 3 + GROUPED_KEPT_MAX)
})

test('what failed is tried again', async (t) => {
  const room = roomOf()
  const snapshot = snapshotOf(SAMPLE)
  const fail = (): Promise<GroupedSums> => Promise.reject(new Error('no'))
  await t.rejects(room.grouped(snapshot, 'a', fail), { message: 'no' })
  t.equal(await room.grouped(snapshot, 'a', async () => NOTHING), NOTHING)
})

test('charts that are there are not drawn again', async (t) => {
  const bar = { name: 'a', incoming: 1, outgoing: 0 }
  const charts: BarChart[] = [
    { shape: 'rows', bars: [] },
    { shape: 'rows', bars: [bar] },
  ]
  t.same(await roomOf().drawn(charts), ['found', 'drawn 1'])
})
