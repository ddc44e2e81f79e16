import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { rankAt, rankedRowsOf, selectFrom } from '../../src/query/ranked-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { bitSetCases, bitSetOfRows } from '../fixtures/bit-set-cases.js'

test('ranked rows answer any range like an array, whatever was read before', async () => {
  const asked = fc.array(fc.tuple(fc.nat(5_000), fc.nat(5_000)), { minLength: 1, maxLength: 8 })
  assertProperty(
    fc.property(
      bitSetCases,
      asked,
      fc.boolean(),
      ({ rowCount, passing, order }, questions, isPlain) => {
        const inOrder = isPlain ? Uint32Array.from({ length: rowCount }, (_, row) => row) : order
        const held = new Set(passing)
        const expected = Array.from(inOrder).filter((row) => held.has(row))
        const built = bitSetOfRows(rowCount, passing)
        const ranked = rankedRowsOf(built, isPlain ? undefined : order, rowCount)
        for (const [a, b] of questions) {
          const first = a % (expected.length + 1)
          const count = Math.min(b % 300, expected.length - first)
          const found = count === 0 ? [] : Array.from(selectFrom(ranked, first, count))
          assert.deepEqual(found, expected.slice(first, first + count))
          const end = b % (rowCount + 1)
          const before = Array.from(inOrder.subarray(0, end)).filter((row) => held.has(row)).length
          assert.equal(rankAt(ranked, end), before)
        }
      },
    ),
    { numRuns: 120 },
  )
})
