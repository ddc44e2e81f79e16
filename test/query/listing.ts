import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  listingOf,
  materializedRun,
  ordinalAt,
  type RankedRun,
  type Run,
  rankedOrdinalAt,
  sliceOfRun,
} from '../../src/query/listing.js'
import { rankedRowsOf } from '../../src/query/ranked-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { bitSetCases, bitSetOfRows } from '../fixtures/bit-set-cases.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { segmentOf } from '../fixtures/snapshots.js'

const segment = segmentOf(SAMPLE)

/** A run over ordinals, or over a span of all rows, forwards or backwards, and its rows. */
const runs = fc
  .record({
    ordinals: fc.option(fc.array(fc.nat({ max: 301 }), { minLength: 1, maxLength: 12 }), {
      nil: undefined,
    }),
    start: fc.nat({ max: 11 }),
    count: fc.nat({ max: 12 }),
    backwards: fc.boolean(),
  })
  .map(({ ordinals, start, count, backwards }): { run: Run; rows: number[] } => {
    const all = ordinals ?? Array.from({ length: 302 }, (_, i) => i)
    const slice = all.slice(start, start + count)
    const first = backwards ? start + slice.length - 1 : start
    const run: Run = {
      segment,
      ordinals: ordinals && Uint32Array.from(ordinals),
      first,
      step: backwards ? -1 : 1,
      count: slice.length,
    }
    return { run, rows: backwards ? slice.toReversed() : slice }
  })

/** A run over the rows of a bit set, forwards or backwards, and its rows. */
const rankedRuns = fc
  .record({ ranked: bitSetCases, start: fc.nat({ max: 50 }), backwards: fc.boolean() })
  .map(({ ranked: { rowCount, passing, order }, start, backwards }) => {
    const held = new Set(passing)
    const inOrder = Array.from(order).filter((row) => held.has(row))
    const first = Math.min(start, inOrder.length)
    const ranked = rankedRowsOf(bitSetOfRows(rowCount, passing), order, rowCount)
    const rows = inOrder.slice(first)
    const step = backwards ? -1 : 1
    const run: RankedRun = { segment, ranked, first, count: rows.length, step }
    return { run, rows: backwards ? rows.toReversed() : rows }
  })

function rowsOf(page: readonly Run[]): number[] {
  return page.flatMap((run) => Array.from({ length: run.count }, (_, i) => ordinalAt(run, i)))
}

test('a listing contains the rows of its parts, and no empty part', async (t) => {
  assertProperty(
    fc.property(fc.array(runs, { maxLength: 4 }), (given) => {
      const listing = listingOf(given.map(({ run }) => run))
      const rows = given.flatMap((one) => one.rows)
      assert.equal(listing.total, rows.length)
      assert.equal(
        listing.parts.some(({ count }) => count === 0),
        false,
      )
      const found = listing.parts.flatMap((part) => ('runs' in part ? [] : [materializedRun(part)]))
      assert.deepEqual(rowsOf(found), rows)
    }),
    { numRuns: 300 },
  )
  t.pass('300 listings')
})

test("a slice of a run has the run's rows, and each of them is found by itself", async (t) => {
  const cases = fc.tuple(fc.oneof(runs, rankedRuns), fc.nat({ max: 12 }), fc.nat({ max: 12 }))
  assertProperty(
    fc.property(cases, ([{ run, rows }, skip, count]) => {
      const skipped = Math.min(skip, rows.length)
      const slice = sliceOfRun(run, skipped, Math.min(count, rows.length - skipped))
      const expected = rows.slice(skipped, skipped + count)
      assert.deepEqual(rowsOf([materializedRun(slice)]), expected)
      const alone = expected.map((_, i) => rankedOrdinalAt(slice, i))
      assert.deepEqual(alone, expected)
    }),
    { numRuns: 1_000 },
  )
  t.pass('1,000 slices')
})
