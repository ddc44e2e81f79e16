import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  digestOfRow,
  type KeptStatement,
  rowOfStatement,
  statementOfRow,
} from '../../src/store/kept-statement.js'
import { assertProperty } from '../fixtures/assert-property.js'

const AMOUNT = fc.bigInt(-(2n ** 63n) + 1n, 2n ** 63n - 1n)
const ENTRY = fc.record({
  digest: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => latin1Of(bytes)),
  amount: AMOUNT,
  isOnFirstDay: fc.boolean(),
  isOnLastDay: fc.boolean(),
  hasReference: fc.boolean(),
})
const STATEMENT: fc.Arbitrary<KeptStatement> = fc.record({
  opening: fc.bigInt(-(10n ** 25n), 10n ** 25n),
  closing: fc.bigInt(-(10n ** 25n), 10n ** 25n),
  firstDay: fc.integer({ min: -800_000, max: 3_000_000 }),
  lastDay: fc.integer({ min: -800_000, max: 3_000_000 }),
  entries: fc.array(ENTRY, { maxLength: 5 }),
})

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

test('a statement survives its row', async () => {
  await assertProperty(
    fc.property(STATEMENT, (statement) => {
      const row = rowOfStatement(statement)
      assert(row !== undefined)
      assert.deepEqual(statementOfRow(row), structuredClone(statement))
    }),
  )
})

test('a digest does not depend on the order of entries, and on all else', async () => {
  await assertProperty(
    fc.property(STATEMENT, STATEMENT, (one, other) => {
      const [row, reversed, different] = [
        rowOfStatement(one),
        rowOfStatement({ ...one, entries: [...one.entries].reverse() }),
        rowOfStatement({ ...one, closing: other.closing, entries: other.entries }),
      ]
      assert(row !== undefined && reversed !== undefined && different !== undefined)
      assert.deepEqual(digestOfRow(reversed, 'EUR'), digestOfRow(row, 'EUR'))
      assert.notDeepEqual(digestOfRow(row, 'EUR'), digestOfRow(row, 'CHF'))
      const isSame =
        one.closing === other.closing && one.entries.length + other.entries.length === 0
      assert(isSame || !digestOfRow(different, 'EUR').equals(digestOfRow(row, 'EUR')))
    }),
  )
})

test('an amount that has no room leaves the statement out', (t) => {
  const entry = {
    ...{ digest: 'x'.repeat(16), amount: 2n ** 63n },
    ...{ isOnFirstDay: true, isOnLastDay: true, hasReference: false },
  }
  const statement = { opening: 0n, closing: 2n ** 63n, firstDay: 1, lastDay: 1, entries: [entry] }
  t.equal(rowOfStatement(statement), undefined)
  t.ok(rowOfStatement({ ...statement, entries: [{ ...entry, amount: 2n ** 63n - 1n }] }))
  t.end()
})
