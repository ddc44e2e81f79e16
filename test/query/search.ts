import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { test } from 'tap'
import { findRows } from '../../src/free-text/search-task.js'
import { listTransactions } from '../../src/query/list.js'
import { type Listing, ordinalAt } from '../../src/query/listing.js'
import { pageOf } from '../../src/query/page.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { longSearches } from '../../src/query/search.js'
import { VisibleTexts } from '../../src/query/visible-texts.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { visiblePart } from '../../src/snapshot/visible-rows.js'
import { termsOf } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveList } from '../fixtures/naive.js'
import { naivelyFound, searchedFields } from '../fixtures/naive-search.js'
import { listQueries } from '../fixtures/queries.js'
import { lives, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

/** Substrings of existing texts, and of texts that are not searched or absent. */
function searches(rows: WorkspaceRows): fc.Arbitrary<string> {
  const texts = rows.transactions.flatMap((row) => searchedFields(row, rows))
  const others = [...rows.accounts.map(({ name }) => name), 'EUR', '.*', "' OR 1=1", 'nirgends', '']
  const span = fc
    .tuple(fc.constantFrom(...texts, ...others), fc.nat(), fc.integer({ min: 1, max: 12 }))
    .map(([text, at, length]) => {
      const points = [...(text ?? '')]
      const start = at % Math.max(1, points.length)
      return points.slice(start, start + length).join('')
    })
  return fc.array(span, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
}

/** Ten filters at once select few rows: every other search has none. */
function queriesOf(workspace: WorkspaceRows) {
  const lists = listQueries(workspace)
  const unfiltered = lists.map(({ query: { sortBy, order } }) => ({
    query: { sortBy, order },
    bounds: {},
  }))
  return [lists, unfiltered]
}

const cases = workspaceRows({ maxLength: 40 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    asked: fc.array(fc.tuple(searches(workspace), fc.oneof(...queriesOf(workspace))), {
      minLength: 4,
      maxLength: 10,
    }),
    life: fc.option(lives, { nil: undefined }),
  }),
)

function idsOf(listing: Listing): (number | undefined)[] {
  return pageOf(listing, 0, listing.total).flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => run.segment.ids[ordinalAt(run, i)]),
  )
}

test('a search is the list of the rows in which every term occurs', async (t) => {
  let hitCount = 0
  assertProperty(
    fc.property(cases, ({ workspace, asked, life }) => {
      const snapshot =
        life === undefined
          ? snapshotAfter(workspace, { deal: [0], graves: [undefined], isRenamed: false })
          : snapshotAfter(workspace, life)
      const queryCache = new QueryCache()
      for (const [text, { query, bounds }] of [...asked, ...asked]) {
        const terms = termsOf(text)
        const expected = naiveList(workspace, query, bounds)
          .filter((row) => naivelyFound(row, workspace, terms))
          .map(({ id }) => id)
        const listing = listTransactions(snapshot, queryCache, { ...query, terms }, bounds)
        assert.equal(listing.total, expected.length, text)
        assert.deepEqual(idsOf(listing), expected, text)
        if (terms.length > 0) hitCount += expected.length
      }
    }),
    { numRuns: 200 },
  )
  t.ok(hitCount > 1_000, `${hitCount} hits`)
})

test('a search on another thread finds the same rows', async (t) => {
  assertProperty(
    fc.property(cases, ({ workspace, asked }) => {
      const snapshot = snapshotAfter(workspace, { deal: [0, 1], graves: [0], isRenamed: true })
      for (const [text] of asked) {
        const terms = termsOf(text)
        const elsewhere = new QueryCache()
        const searches = longSearches(snapshot, { terms }, elsewhere, -1)
        assert.equal(searches.length, terms.length === 0 ? 0 : snapshot.segments.length)
        for (const { task, keep } of searches) keep(findRows(structuredClone(task)))
        const query = { order: 'desc', sortBy: 'amount', terms } as const
        const found = listTransactions(snapshot, elsewhere, query, {})
        const expected = listTransactions(snapshot, new QueryCache(), query, {})
        assert.equal(found.total, expected.total)
        assert.deepEqual(idsOf(found), idsOf(expected))
        assert.equal(longSearches(snapshot, { terms }, new QueryCache()).length, 0, 'all are short')
      }
    }),
    { numRuns: 60 },
  )
  t.pass('60 workspaces')
})

/** Codes that a credential may see, and the requested ones of these accounts. */
const seenCases = cases.chain((given) => {
  const codes = given.workspace.accounts.map((_, code) => code)
  return fc.record({
    given: fc.constant(given),
    seen: fc.subarray(codes),
    account: fc.constantFrom(...codes),
  })
})

/** Parts of all segments, built at once, or none, so that rows are scanned one by one. */
async function selectionsFor(
  snapshot: Snapshot,
  codes: readonly number[],
  hasParts: boolean,
): Promise<QueryCache> {
  const texts = new VisibleTexts(hasParts ? 1 : Number.POSITIVE_INFINITY)
  for (const _ of snapshot.segments) {
    texts.prepare(snapshot, codes, async (task) => visiblePart(structuredClone(task)))
    await nextTurn()
  }
  return new QueryCache(texts)
}

test('a restricted caller finds the visible part of all results', async (t) => {
  let hitCount = 0
  await assertProperty(
    fc.asyncProperty(seenCases, async ({ given: { workspace, asked, life }, seen, account }) => {
      const plain = { deal: [0], graves: [undefined], isRenamed: false }
      const snapshot = snapshotAfter(workspace, life ?? plain)
      for (const hasParts of [true, false]) {
        const queryCache = await selectionsFor(snapshot, seen, hasParts)
        for (const [text, { query, bounds }] of [...asked, ...asked]) {
          const terms = termsOf(text)
          // A caller who may see all rows has searched before.
          listTransactions(snapshot, queryCache, { ...query, terms }, {})
          const isOfOne = seen.includes(account) && text.length % 2 === 0
          const accountCodes = isOfOne ? [account] : seen
          const own = { ...bounds, accountCodes, visibleCodes: seen }
          const searches = longSearches(snapshot, { terms, visibleCodes: seen }, queryCache, -1)
          if (text.length % 3 === 0) {
            for (const { task, keep } of searches) keep(findRows(structuredClone(task)))
          }
          const expected = naiveList(workspace, query, own)
            .filter((row) => naivelyFound(row, workspace, terms))
            .map(({ id }) => id)
          const listing = listTransactions(snapshot, queryCache, { ...query, terms }, own)
          assert.equal(listing.total, expected.length, text)
          assert.deepEqual(idsOf(listing), expected, text)
          if (terms.length > 0) hitCount += expected.length
        }
      }
    }),
    { numRuns: 150 },
  )
  t.ok(hitCount > 500, `${hitCount} hits`)
})

test('searching without an index is a bug', async (t) => {
  const rows = { accounts: [], categories: [], transactions: [] }
  const query = { order: 'desc', sortBy: '_id', terms: termsOf('x') } as const
  t.equal(listTransactions(snapshotOf(rows), new QueryCache(), query, {}).total, 0, 'no segment')
  const [workspace] = fc.sample(
    workspaceRows().filter(({ transactions }) => transactions.length > 0),
    { numRuns: 1, seed: 1 },
  )
  if (workspace === undefined) throw new Error('a workspace')
  t.throws(() => listTransactions(snapshotOf(workspace), new QueryCache(), query, {}), /wait/)
})
