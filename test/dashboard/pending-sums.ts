import { test } from 'tap'
import { PendingSums } from '../../src/dashboard/pending-sums.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'

test('sums are computed once for all that wait, per workspace file and request', async (t) => {
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
  const version = { ...snapshot.version, uid: 'another' }
  const both = [pending.soon(snapshot, 'b', add), pending.soon({ ...snapshot, version }, 'b', add)]
  t.same(await Promise.all(both), [3, 4], 'of another file')
})

test('sums that have finished after the page are those of the next page, once', async (t) => {
  const pending = new PendingSums<number>()
  let finish = (_sums: number): void => undefined
  const slow = (): Promise<number> => new Promise((resolve) => (finish = resolve))
  t.equal(await pending.soon(snapshotOf(SAMPLE), 'a', slow), undefined)
  finish(1)
  const later = snapshotOf(SAMPLE)
  t.equal(await pending.soon(later, 'a', async () => 2), 1, 'a commit came between')
  t.equal(await pending.soon(later, 'a', async () => 2), 2)
})

test('a failed computation is repeated', async (t) => {
  const pending = new PendingSums<number>()
  const snapshot = snapshotOf(SAMPLE)
  const fail = (): Promise<number> => Promise.reject(new Error('no'))
  await t.rejects(pending.soon(snapshot, 'a', fail), { message: 'no' })
  t.equal(await pending.soon(snapshot, 'a', async () => 1), 1)
})
