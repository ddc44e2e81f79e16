import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { listTransactions } from '../../src/query/list.js'
import { type Listing, ordinalAt, type Run } from '../../src/query/listing.js'
import { mergedPage } from '../../src/query/merge.js'
import { pageOf } from '../../src/query/page.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { Codes, segmentsOf } from '../../src/snapshot/build.js'
import { NO_INDEXES, type Snapshot } from '../../src/snapshot/snapshot.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { lookCounter, manyRows } from '../fixtures/counted-looks.js'
import {
  dealtRows,
  naiveIds,
  type SortableRow,
  snapshotOfSegments,
  sortableSegment,
  sortings,
} from '../fixtures/dealt-rows.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { snapshotOf } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

/** A snapshot whose transactions are distributed over segments, in no order. */
function snapshotInSegments(workspace: WorkspaceRows, segmentOf: readonly number[]): Snapshot {
  const codes = new Codes({ accountIds: [], categoryIds: [] })
  const segments = [...new Set(segmentOf)].flatMap((number) => {
    const transactions = workspace.transactions
      .filter((_, i) => segmentOf[i % segmentOf.length] === number)
      .toReversed()
    return segmentsOf(transactions, workspace, codes).map((segment) => ({
      segment,
      alive: undefined,
      ...NO_INDEXES,
    }))
  })
  return { ...snapshotOf({ ...workspace, transactions: [] }), segments }
}

function idsOf(page: readonly Run[]): (number | undefined)[] {
  return page.flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => run.segment.ids[ordinalAt(run, i)]),
  )
}

const cases = workspaceRows({ maxLength: 40 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    segmentOf: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 40 }),
    queries: fc.array(listQueries(workspace), { minLength: 1, maxLength: 8 }),
    offset: fc.nat({ max: 45 }),
    limit: fc.nat({ max: 20 }),
  }),
)

test('a list does not depend on the distribution of rows over segments', async () => {
  assertProperty(
    fc.property(cases, ({ workspace, segmentOf, queries, offset, limit }) => {
      const snapshot = snapshotInSegments(workspace, segmentOf)
      const queryCache = new QueryCache()
      for (const { query, bounds } of queries) {
        const expected = naiveList(workspace, query, bounds).map((row) => row.id)
        const listing = listTransactions(snapshot, queryCache, query, bounds)
        assert.equal(listing.total, expected.length)
        assert.deepEqual(
          idsOf(pageOf(listing, offset, limit)),
          expected.slice(offset, offset + limit),
        )
      }
    }),
    { numRuns: 80 },
  )
})

/** Every page of up to four rows, and all rows from each offset. */
function checkPages(listing: Listing, ids: readonly number[]): void {
  for (const part of listing.parts) assert.ok(part.count > 0)
  for (let offset = 0; offset <= ids.length; offset++) {
    for (const limit of [0, 1, 2, 3, 4, ids.length]) {
      const page = pageOf(listing, offset, limit)
      assert.deepEqual(idsOf(page), ids.slice(offset, offset + limit))
      assert.ok(page.every((run) => run.count > 0))
    }
  }
}

test('every page over one to six segments equals that of a sorted array', async (t) => {
  const lengths = new Set<number>()
  assertProperty(
    fc.property(dealtRows, sortings, (lists, query) => {
      const snapshot = snapshotOfSegments(lists.map(sortableSegment))
      const listing = listTransactions(snapshot, new QueryCache(), query, {})
      const ids = naiveIds(lists.flat(), query)
      assert.equal(listing.total, ids.length)
      checkPages(listing, ids)
      for (const part of listing.parts) lengths.add('runs' in part ? part.runs.length : 1)
    }),
    { numRuns: 80 },
  )
  t.same([...lengths].sort(), [1, 2, 3, 4, 5, 6], 'parts of that many runs')
})

test('neighbours in one segment are one run', async (t) => {
  assertProperty(
    fc.property(dealtRows, sortings, fc.nat(60), (lists, query, offset) => {
      const snapshot = snapshotOfSegments(lists.map(sortableSegment))
      const listing = listTransactions(snapshot, new QueryCache(), query, {})
      for (const part of listing.parts) {
        if (!('runs' in part)) continue
        const skip = offset % part.count
        const runs = mergedPage(part, skip, part.count - skip)
        for (const [i, run] of runs.entries()) assert.notEqual(run.segment, runs[i - 1]?.segment)
      }
    }),
    { numRuns: 80 },
  )
  t.pass('no page has two adjacent runs of one segment')
})

test('a page reads its own rows and a few others, whatever the size of the list', async (t) => {
  const looks = lookCounter()
  const sizes = [100_000, 90_000, 40_000, 700, 10]
  const snapshot = snapshotOfSegments(
    manyRows(sizes, 11).map((rows) => looks.counted(sortableSegment(rows))),
  )
  const queryCache = new QueryCache()
  const limit = 100
  // A split: log2(n) + 1 reads a run. Then one where a run begins, one more when it is found again,
  // and at worst three for a row of the page.
  const looksMax = sizes.reduce((sum, size) => sum + Math.log2(size) + 3, 3 * limit)
  let looksMost = 0
  for (const sortBy of ['_id', 'amount', 'bookingDate', 'valueDate', 'importDate'] as const) {
    for (const query of [
      { sortBy, order: 'desc' as const },
      { sortBy, order: 'asc' as const },
      { sortBy, order: 'desc' as const, importedAfterMs: 300 },
    ]) {
      const listing = listTransactions(snapshot, queryCache, query, {})
      for (let i = 0; i <= 20; i++) {
        const before = looks.count
        const page = pageOf(listing, Math.floor(((listing.total - limit) * i) / 20), limit)
        assert.equal(idsOf(page).length, limit)
        // The test's own read of every row of the page.
        const lookCount = looks.count - before - limit
        assert.ok(lookCount <= looksMax, `${lookCount} reads for ${JSON.stringify(query)}`)
        looksMost = Math.max(looksMost, lookCount)
      }
    }
  }
  t.ok(looksMost > limit, `at most ${looksMost} reads for a page, of ${Math.floor(looksMax)}`)
})

test('a segment whose rows are found bit by bit may fill a page alone', async (t) => {
  const rowOf = (id: number): SortableRow => ({
    id,
    bookedAt: id,
    valuedAt: null,
    importedAt: id % 3,
    amountUnscaled: id,
    amountScale: 0,
  })
  // The segments alternate in spans of 1 to 300 rows, so that they share a page or fill it alone.
  const turns = [300, 1, 2, 40, 7, 300, 90, 12, 300, 5]
  const lists: SortableRow[][] = [[], []]
  let lastId = 0
  for (const [i, length] of turns.entries()) {
    for (let j = 0; j < length; j++) lists[i % 2]?.push(rowOf(++lastId))
  }
  const snapshot = snapshotOfSegments(lists.map(sortableSegment))
  for (const sortBy of ['amount', 'bookingDate'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      const query = { sortBy, order, importedAfterMs: 0 }
      const listing = listTransactions(snapshot, new QueryCache(), query, {})
      const [part] = listing.parts
      t.ok(part !== undefined && 'runs' in part && part.runs.every((run) => 'ranked' in run))
      const ids = naiveIds(lists.flat(), query)
      for (let offset = 0; offset < ids.length; offset += 7) {
        for (const limit of [1, 20, 250]) {
          const page = pageOf(listing, offset, limit)
          assert.deepEqual(idsOf(page), ids.slice(offset, offset + limit))
        }
      }
    }
  }
})
