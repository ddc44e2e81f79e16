import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  keepAllowed,
  keepEitherAllowed,
  keepEitherWithin,
  keepNeitherAllowed,
  keepWithin,
} from '../../src/query/keep.js'
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
    otherAllowed: fc.array(fc.constantFrom(0, 1), { minLength: CODES + 1, maxLength: CODES + 1 }),
    width: fc.nat({ max: CODES }),
  }),
)

test('each filter keeps the same rows as Array.filter, in its order', async (t) => {
  assertProperty(
    fc.property(cases, (drawn) => {
      const { codes, otherCodes, rows, rowCount, allowed, otherAllowed, low, high, width } = drawn
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
      const tests = [
        { codes, allowed: flags },
        { codes: others, allowed: Uint8Array.from(otherAllowed) },
      ] as const
      assert.deepEqual(
        kept((all) => keepAllowed(all, count, codes, flags)),
        first.filter((row) => passes(codes[row])),
      )
      const passesEither = (row: number): boolean =>
        passes(codes[row]) || otherAllowed[otherCodes[row] ?? -1] === 1
      assert.deepEqual(
        kept((all) => keepEitherAllowed(all, count, tests)),
        first.filter(passesEither),
      )
      assert.deepEqual(
        kept((all) => keepNeitherAllowed(all, count, tests)),
        first.filter((row) => !passesEither(row)),
      )
      if (low > high) return
      const isWithin = (row: number, from: number, to: number): boolean =>
        (codes[row] ?? 0) >= from && (codes[row] ?? 0) < to
      assert.deepEqual(
        kept((all) => keepWithin(all, count, codes, { low, high })),
        first.filter((row) => isWithin(row, low, high)),
      )
      const second = { low: high + 1, high: high + 1 + width }
      assert.deepEqual(
        kept((all) => keepEitherWithin(all, count, codes, [{ low, high }, second])),
        first.filter((row) => isWithin(row, low, high) || isWithin(row, second.low, second.high)),
      )
    }),
    { numRuns: 500 },
  )
  t.pass('500 columns')
})
