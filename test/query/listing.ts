import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  foundRun,
  type Listing,
  listingOf,
  ordinalAt,
  pageOf,
  type Run,
} from '../../src/query/listing.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { segmentOf } from '../fixtures/snapshots.js'

const segment = segmentOf(SAMPLE)

/** A run over ordinals, or over a stretch of all rows, forwards or backwards, and its rows. */
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
    const stretch = all.slice(start, start + count)
    const first = backwards ? start + stretch.length - 1 : start
    const run: Run = {
      segment,
      ordinals: ordinals && Uint32Array.from(ordinals),
      first,
      step: backwards ? -1 : 1,
      count: stretch.length,
    }
    return { run, rows: backwards ? stretch.toReversed() : stretch }
  })

function rowsOf(page: readonly Run[]): number[] {
  return page.flatMap((run) => Array.from({ length: run.count }, (_, i) => ordinalAt(run, i)))
}

test('a page is the slice of all rows one after the other', async (t) => {
  const cases = fc.tuple(fc.array(runs, { maxLength: 4 }), fc.nat({ max: 50 }), fc.nat({ max: 20 }))
  fc.assert(
    fc.property(cases, ([given, offset, limit]) => {
      const listing: Listing = listingOf(given.map(({ run }) => run))
      const rows = given.flatMap((one) => one.rows)
      assert.equal(listing.total, rows.length)
      assert.equal(
        listing.runs.some(({ count }) => count === 0),
        false,
      )
      assert.deepEqual(rowsOf(listing.runs.map(foundRun)), rows)
      assert.deepEqual(rowsOf(pageOf(listing, offset, limit)), rows.slice(offset, offset + limit))
    }),
    { numRuns: 1_000 },
  )
  t.pass('1,000 listings')
})

test('an offset past everything is an empty page, however large', async (t) => {
  const listing = listingOf([{ segment, ordinals: undefined, first: 0, step: 1, count: 302 }])
  for (const offset of [302, 303, Number.MAX_SAFE_INTEGER]) {
    t.same(pageOf(listing, offset, 250), [])
  }
  t.same(rowsOf(pageOf(listing, 301, 250)), [301])
})
