import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { keepAllowed, keepEitherAllowed, keepWithin } from '../../src/query/keep.js'
import { buildInstantColumn } from '../../src/snapshot/ordered-column.js'
import { assertProperty } from '../fixtures/assert-property.js'

const CODES = 5

/** Rows of a column in some order, of which only the first `rowCount` count. */
const cases = fc.array(fc.nat({ max: CODES }), { maxLength: 40 }).chain((codes) =>
  fc.record({
    codes: fc.constant(Uint8Array.from(codes)),
    otherCodes: fc.array(fc.nat({ max: CODES }), {
      minLength: codes.length,
      maxLength: codes.length,
    }),
    rows: fc.shuffledSubarray(codes.map((_, row) => row)),
    rowCount: fc.nat({ max: codes.length }),
    allowed: fc.array(fc.constantFrom(0, 1), { minLength: CODES + 1, maxLength: CODES + 1 }),
    low: fc.nat({ max: CODES }),
    high: fc.nat({ max: CODES + 1 }),
  }),
)

test('each filter keeps the same rows as Array.filter, in its order', async (t) => {
  assertProperty(
    fc.property(cases, ({ codes, otherCodes, rows, rowCount, allowed, low, high }) => {
      const count = Math.min(rowCount, rows.length)
      const kept = (keep: (all: Uint32Array) => number): number[] => {
        const all = Uint32Array.from(rows)
        const keptCount = keep(all)
        assert.deepEqual([...all.subarray(count)], rows.slice(count), 'the rest stays')
        return [...all.subarray(0, keptCount)]
      }
      const first = rows.slice(0, count)
      const passes = (code: number | undefined): boolean => allowed[code ?? -1] === 1
      const flags = Uint8Array.from(allowed)
      const others = Uint8Array.from(otherCodes)
      assert.deepEqual(
        kept((all) => keepAllowed(all, count, codes, flags)),
        first.filter((row) => passes(codes[row])),
      )
      assert.deepEqual(
        kept((all) => keepEitherAllowed(all, count, { codes, otherCodes: others, allowed: flags })),
        first.filter((row) => passes(codes[row]) || passes(otherCodes[row])),
      )
      if (low > high) return
      const column = { ...buildInstantColumn(new Float64Array(0)), codes }
      assert.deepEqual(
        kept((all) => keepWithin(all, count, { column, low, high })),
        first.filter((row) => (codes[row] ?? 0) >= low && (codes[row] ?? 0) < high),
      )
    }),
    { numRuns: 500 },
  )
  t.pass('500 columns')
})
