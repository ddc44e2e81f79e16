import { test } from 'tap'
import { PendingSums } from '../../src/dashboard/pending-sums.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'

test('sums are computed once for all that wait, per snapshot and request', async (t) => {
  const pending = new PendingSums<number>()
  const snapshot = snapshotOf(SAMPLE)
  let count = 0
  const add = async (): Promise<number> => {
    count += 1
    return count
  }
  t.same(
    await Promise.all([pending.soon(snapshot, 'a', add), pending.soon(snapshot, 'a', add)]),
    [1, 1],
  )
  t.equal(await pending.soon(snapshot, 'a', add), 2, 'the former sums are not kept here')
  const both = [pending.soon(snapshot, 'b', add), pending.soon(snapshotOf(SAMPLE), 'b', add)]
  t.same(await Promise.all(both), [3, 4], 'of another snapshot')
})

test('a failed computation is repeated', async (t) => {
  const pending = new PendingSums<number>()
  const snapshot = snapshotOf(SAMPLE)
  const fail = (): Promise<number> => Promise.reject(new Error('no'))
  await t.rejects(pending.soon(snapshot, 'a', fail), { message: 'no' })
  t.equal(await pending.soon(snapshot, 'a', async () => 1), 1)
})
