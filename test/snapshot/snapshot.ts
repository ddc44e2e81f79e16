import { test } from 'tap'
import { buildSnapshot } from '../../src/snapshot/build.js'
import {
  accountCodeOfId,
  accountCodesOfIban,
  categoryCodeOfId,
  ordinalOfId,
  transactionCount,
} from '../../src/snapshot/snapshot.js'
import { OTHER_IBAN, OWN_IBAN, SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import type { WorkspaceRows } from '../fixtures/workspaces.js'

function snapshotOf(rows: WorkspaceRows) {
  return buildSnapshot({
    workspaceId: 'w',
    version: { uid: 'u', sequence: 1 },
    ...rows,
    transactionCount: rows.transactions.length,
    transactions: rows.transactions.toReversed(),
  })
}

test('codes are places in the list, found by id and IBAN', async (t) => {
  const snapshot = snapshotOf({
    ...SAMPLE,
    accounts: SAMPLE.accounts.map((row) => ({ ...row, id: row.id * 10 })),
    transactions: [],
  })
  t.same(
    [10, 20, 30].map((id) => accountCodeOfId(snapshot, id)),
    [0, 1, 2],
  )
  t.same(
    [0, 9, 15, 31].map((id) => accountCodeOfId(snapshot, id)),
    [-1, -1, -1, -1],
  )
  t.same(accountCodesOfIban(snapshot, OWN_IBAN), [0])
  t.same(accountCodesOfIban(snapshot, OTHER_IBAN), [1, 2])
  t.same(accountCodesOfIban(snapshot, 'DE00'), [])
  t.same(
    [1, 2, 3, 4].map((id) => categoryCodeOfId(snapshot, id)),
    [0, 1, 2, -1],
  )
  t.equal(transactionCount(snapshot), 0)
})

test('an ordinal is found by id, with gaps and beyond 32 bits', async (t) => {
  const ids = [1, 2, 3, 7, 8, 4_294_967_295, 4_294_967_296, Number.MAX_SAFE_INTEGER]
  const transactions = ids.map((id) => transactionRow(id, 1))
  const snapshot = snapshotOf({ ...SAMPLE, transactions })
  const [segment] = snapshot.segments
  if (segment === undefined) throw new Error('there are transactions')
  t.equal(transactionCount(snapshot), ids.length)
  ids.forEach((id, i) => {
    t.equal(ordinalOfId(segment, id), ids.length - 1 - i)
  })
  for (const id of [0, 4, 9, 4_294_967_297, Number.MAX_SAFE_INTEGER - 1]) {
    t.equal(ordinalOfId(segment, id), undefined)
  }
})
