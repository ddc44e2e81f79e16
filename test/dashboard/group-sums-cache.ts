import { test } from 'tap'
import {
  GROUP_SUMS_MAX,
  type GroupedSums,
  GroupSumsCache,
} from '../../src/dashboard/group-sums-cache.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'

const NOTHING: GroupedSums = { months: [], categories: [] }

test('sums are computed once per snapshot and request, and the oldest are evicted', async (t) => {
  const cache = new GroupSumsCache()
  const snapshot = snapshotOf(SAMPLE)
  let count = 0
  const add = async (): Promise<GroupedSums> => {
    count += 1
    return NOTHING
  }
  await Promise.all([cache.find(snapshot, 'a', add), cache.find(snapshot, 'a', add)])
  t.equal(count, 1)
  await cache.find(snapshotOf(SAMPLE), 'a', add)
  t.equal(count, 2, 'of another snapshot')
  for (let i = 0; i < GROUP_SUMS_MAX; i++) await cache.find(snapshot, `b${i}`, add)
  await cache.find(snapshot, `b${GROUP_SUMS_MAX - 1}`, add)
  t.equal(count, 2 + GROUP_SUMS_MAX)
  await cache.find(snapshot, 'a', add)
  t.equal(count, 3 + GROUP_SUMS_MAX)
})

test('a failed computation is repeated', async (t) => {
  const cache = new GroupSumsCache()
  const snapshot = snapshotOf(SAMPLE)
  const fail = (): Promise<GroupedSums> => Promise.reject(new Error('no'))
  await t.rejects(cache.find(snapshot, 'a', fail), { message: 'no' })
  t.equal(await cache.find(snapshot, 'a', async () => NOTHING), NOTHING)
})
