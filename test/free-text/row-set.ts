import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  commonRows,
  type RowSet,
  rowSetCount,
  rowSetOf,
  rowSetOrdinals,
  setOfOrdinals,
} from '../../src/free-text/row-set.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { bitSetOfRows } from '../fixtures/bit-set-cases.js'

/** Two lists of rows, dense and sparse ones. */
const pairs = fc.integer({ min: 1, max: 3000 }).chain((rowCount) => {
  const all = Array.from({ length: rowCount }, (_, row) => row)
  const wide = fc.subarray(all)
  const narrow = fc.subarray(all, { maxLength: Math.max(1, Math.floor(rowCount / 64)) })
  const rows = fc.oneof(wide, narrow)
  return fc.record({ rowCount: fc.constant(rowCount), a: rows, b: rows })
})

function assertRows(set: RowSet, wanted: readonly number[], rowCount: number): void {
  assert.deepEqual(Array.from(rowSetOrdinals(set)), wanted)
  assert.equal(rowSetCount(set), wanted.length)
  assert.equal(set.kind, wanted.length <= rowCount / 64 ? 'ordinals' : 'bits')
}

test('few rows are ordinals and many are bits, whatever their source', async () => {
  assertProperty(
    fc.property(pairs, ({ rowCount, a }) => {
      assertRows(setOfOrdinals(Uint32Array.from(a), rowCount), a, rowCount)
      assertRows(rowSetOf(bitSetOfRows(rowCount, a).words, rowCount), a, rowCount)
    }),
  )
})

test('the intersection has the rows in both, and neither set changes', async () => {
  assertProperty(
    fc.property(pairs, ({ rowCount, a, b }) => {
      const [left, right] = [a, b].map((rows) => setOfOrdinals(Uint32Array.from(rows), rowCount))
      const inB = new Set(b)
      const both = a.filter((row) => inB.has(row))
      assertRows(commonRows(left!, right!, rowCount), both, rowCount)
      assertRows(commonRows(right!, left!, rowCount), both, rowCount)
      assertRows(left!, a, rowCount)
      assertRows(right!, b, rowCount)
    }),
  )
})
