import { test } from 'tap'
import {
  accountOfId,
  categoryOfId,
  ordinalOfId,
  transactionCount,
} from '../../src/snapshot/snapshot.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'

test('accounts and categories are found by id', async (t) => {
  const snapshot = snapshotOf({
    ...SAMPLE,
    accounts: SAMPLE.accounts.map((row) => ({ ...row, id: row.id * 10 })),
    transactions: [],
  })
  const ids = [0, 9, 10, 15, 20, 30, 31]
  t.same(
    ids.map((id) => accountOfId(snapshot, id)?.id),
    [undefined, undefined, 10, undefined, 20, 30, undefined],
  )
  t.same(
    [1, 2, 3, 4].map((id) => categoryOfId(snapshot, id)?.code),
    [0, 1, 2, undefined],
  )
  t.equal(transactionCount(snapshot), 0)
})

test('an ordinal is found by id, with gaps and beyond 32 bits', async (t) => {
  const ids = [1, 2, 3, 7, 8, 4_294_967_295, 4_294_967_296, Number.MAX_SAFE_INTEGER]
  const transactions = ids.map((id) => transactionRow(id, 1))
  const snapshot = snapshotOf({ ...SAMPLE, transactions })
  const segment = onlySegment(snapshot)
  t.equal(transactionCount(snapshot), ids.length)
  ids.forEach((id, i) => {
    t.equal(ordinalOfId(segment, id), ids.length - 1 - i)
  })
  for (const id of [0, 4, 9, 4_294_967_297, Number.MAX_SAFE_INTEGER - 1]) {
    t.equal(ordinalOfId(segment, id), undefined)
  }
})
