import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { listingOf, type Merge, ordinalAt, type Run } from '../../src/query/listing.js'
import { pageOf } from '../../src/query/page.js'
import type { Segment } from '../../src/snapshot/snapshot.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { sortableSegment } from '../fixtures/dealt-rows.js'

/** Segments by id alone, descending: ids as given, ordinals in that order. */
function segmentOfIds(ids: readonly number[]): Segment {
  return sortableSegment(
    ids.map((id) => ({
      id,
      bookedAt: null,
      valuedAt: null,
      importedAt: 0,
      amountUnscaled: 0,
      amountScale: 0,
    })),
  )
}

function wholeRun(segment: Segment): Run {
  return { segment, ordinals: undefined, first: 0, step: 1, count: segment.rowCount }
}

function idsOf(page: readonly Run[]): (number | undefined)[] {
  return page.flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => run.segment.ids[ordinalAt(run, i)]),
  )
}

/** A part whose ids, descending, are distributed over one segment or several, and the ids. */
const parts = fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }).map((segmentOf) => {
  const ids = segmentOf.map((_, i) => segmentOf.length - i)
  const dealt = [0, 1, 2].map((segment) => ids.filter((_, i) => segmentOf[i] === segment))
  const runs = dealt.filter((own) => own.length > 0).map((own) => wholeRun(segmentOfIds(own)))
  const merge: Merge = { runs, count: ids.length, sortBy: '_id', order: 'desc' }
  return { part: runs.length === 1 ? (runs[0] ?? merge) : merge, ids }
})

test('a page is the slice of all rows, one part after the other', async (t) => {
  const cases = fc.tuple(
    fc.array(parts, { maxLength: 4 }),
    fc.nat({ max: 50 }),
    fc.nat({ max: 20 }),
  )
  assertProperty(
    fc.property(cases, ([given, offset, limit]) => {
      const listing = listingOf(given.map(({ part }) => part))
      const ids = given.flatMap((one) => one.ids)
      assert.equal(listing.total, ids.length)
      assert.deepEqual(idsOf(pageOf(listing, offset, limit)), ids.slice(offset, offset + limit))
    }),
    { numRuns: 250 },
  )
  t.pass('all listings')
})

test('an offset past the end gives an empty page, however large', async (t) => {
  const first = wholeRun(segmentOfIds([9, 7, 5]))
  const second = wholeRun(segmentOfIds([8, 6]))
  const merge: Merge = { runs: [first, second], count: 5, sortBy: '_id', order: 'desc' }
  for (const part of [first, merge]) {
    const listing = listingOf([part])
    for (const offset of [part.count, part.count + 1, Number.MAX_SAFE_INTEGER]) {
      t.same(pageOf(listing, offset, 250), [])
    }
    t.same(idsOf(pageOf(listing, part.count - 1, 250)), [5])
  }
})
