import { test } from 'tap'
import { fieldChanges, isSameRow } from '../../../src/statements/import/row-change.js'
import {
  CATEGORY_COLUMNS,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../../../src/store/columns.js'

const EMPTY = Object.fromEntries(TRANSACTION_COLUMNS.map(([property]) => [property, null]))

function rowOf(members: Partial<TransactionRow>): TransactionRow {
  // Every column is present, and null unless given.
  return { ...EMPTY, id: 1, accountId: 1, ...members } as unknown as TransactionRow
}

test('1.50 equals 1.5, an empty text equals none, and 1970-01-01 is a day', async (t) => {
  const same = (a: Partial<TransactionRow>, b: Partial<TransactionRow>): boolean => {
    const is = isSameRow(TRANSACTION_COLUMNS, rowOf(a), rowOf(b))
    t.equal(fieldChanges(TRANSACTION_COLUMNS, rowOf(a), rowOf(b)).length === 0, is)
    return is
  }
  t.ok(same({ amountUnscaled: 150, amountScale: 2 }, { amountUnscaled: 15, amountScale: 1 }))
  t.notOk(same({ amountUnscaled: 150, amountScale: 2 }, { amountUnscaled: 150, amountScale: 1 }))
  t.ok(same({ purpose: '' }, { purpose: null }))
  t.notOk(same({ bookedAt: 0 }, { bookedAt: null }))
})

test('a field has its NDJSON name, with old and new value', async (t) => {
  const old = rowOf({ amountUnscaled: -1999, amountScale: 2, bookedAt: 0, counterpartIban: 'DE1' })
  const now = rowOf({ amountUnscaled: -99, amountScale: 2, counterpartIban: 'DE2', accountId: 2 })
  t.strictSame(fieldChanges(TRANSACTION_COLUMNS, old, now), [
    { field: 'accountId', old: 1, new: 2 },
    { field: 'amount', old: '-19.99', new: '-0.99' },
    { field: 'counterpart.iban', old: 'DE1', new: 'DE2' },
    { field: 'bookingDate', old: '1970-01-01T00:00:00.000Z', new: null },
  ])
  const category = { id: 1, name: 'a', parentId: null }
  t.strictSame(fieldChanges(CATEGORY_COLUMNS, category, { ...category, parentId: 2 }), [
    { field: 'parentCategory.id', old: null, new: 2 },
  ])
})

test('a long text is cut, never within a character', async (t) => {
  const long = rowOf({ purpose: `${'x'.repeat(199)}😀${'y'.repeat(50)}` })
  const [change] = fieldChanges(TRANSACTION_COLUMNS, rowOf({}), long)
  t.strictSame(change, { field: 'purpose', old: null, new: `${'x'.repeat(199)}…` })
})
