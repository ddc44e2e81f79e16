import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { listTransactions } from '../../src/query/list.js'
import { ordinalAt, type Run } from '../../src/query/listing.js'
import { pageOf } from '../../src/query/page.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { withoutIds } from '../../src/snapshot/follow.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { lives, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

function idsOf(runs: readonly Run[]): number[] {
  return runs.flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => run.segment.ids[ordinalAt(run, i)] ?? -1),
  )
}

const cases = workspaceRows({ maxLength: 60 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    queries: fc.array(listQueries(workspace), { minLength: 1, maxLength: 12 }),
    offset: fc.nat({ max: 70 }),
    limit: fc.nat({ max: 30 }),
  }),
)

test('a list equals a filtered and sorted array, for any filter, order and page', async (t) => {
  let discriminatingCount = 0
  assertProperty(
    fc.property(cases, ({ workspace, queries, offset, limit }) => {
      const snapshot = snapshotOf(workspace)
      const queryCache = new QueryCache()
      for (const { query, bounds } of [...queries, ...queries]) {
        const expected = naiveList(workspace, query, bounds).map((row) => row.id)
        if (expected.length > 0 && expected.length < workspace.transactions.length)
          discriminatingCount++
        const listing = listTransactions(snapshot, queryCache, query, bounds)
        assert.equal(listing.total, expected.length, 'the count is exact')
        const page = idsOf(pageOf(listing, offset, limit))
        assert.deepEqual(page, expected.slice(offset, offset + limit))
      }
    }),
    { numRuns: 250 },
  )
  t.ok(discriminatingCount > 350, `${discriminatingCount} lists selected some rows and not others`)
})

/** The rows repeated with new ids, so that every way of selecting is used. */
function repeated(workspace: WorkspaceRows, times: number): WorkspaceRows {
  const last = workspace.transactions.at(-1)?.id ?? 0
  const transactions = Array.from({ length: times }, (_, i) =>
    workspace.transactions.map((row) => ({ ...row, id: row.id + i * last })),
  ).flat()
  return { ...workspace, transactions }
}

test('a list does not depend on the history of the workspace', async () => {
  assertProperty(
    fc.property(cases, lives, ({ workspace, queries, offset, limit }, life) => {
      const snapshot = snapshotAfter(workspace, life)
      const queryCache = new QueryCache()
      for (const { query, bounds } of [...queries, ...queries]) {
        const expected = naiveList(workspace, query, bounds).map((row) => row.id)
        const listing = listTransactions(snapshot, queryCache, query, bounds)
        assert.equal(listing.total, expected.length, 'the count is exact')
        const page = idsOf(pageOf(listing, offset, limit))
        assert.deepEqual(page, expected.slice(offset, offset + limit))
      }
    }),
    { numRuns: 150 },
  )
})

test('a list omits rows deleted since, in every snapshot', async () => {
  const deletes = fc.array(fc.array(fc.nat(), { maxLength: 12 }), { minLength: 1, maxLength: 6 })
  const asked = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 6 })
  assertProperty(
    fc.property(cases, deletes, asked, ({ workspace, queries, offset, limit }, picks, states) => {
      const several = repeated(workspace, 20)
      const queryCache = new QueryCache()
      const snapshots = [{ snapshot: snapshotOf(several), rows: several }]
      for (const picked of picks) {
        const { snapshot, rows } = snapshots.at(-1)!
        const { transactions } = rows
        if (transactions.length === 0) break
        const gone = new Set(picked.map((i) => transactions[i % transactions.length]?.id ?? 0))
        const ids = Float64Array.from(gone).sort().reverse()
        const segments = snapshot.segments.map((live) => withoutIds(live, ids))
        const left = transactions.filter((row) => !gone.has(row.id))
        snapshots.push({
          snapshot: { ...snapshot, segments },
          rows: { ...rows, transactions: left },
        })
      }
      for (const state of [...states, ...states]) {
        const { snapshot, rows } = snapshots[state % snapshots.length]!
        for (const { query, bounds } of queries) {
          const expected = naiveList(rows, query, bounds).map((row) => row.id)
          const listing = listTransactions(snapshot, queryCache, query, bounds)
          assert.equal(listing.total, expected.length, 'the count is exact')
          const page = idsOf(pageOf(listing, offset, limit))
          assert.deepEqual(page, expected.slice(offset, offset + limit))
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('a list of thousands equals a filtered and sorted array as well', async () => {
  const large = fc
    .tuple(workspaceRows({ maxLength: 60 }), fc.integer({ min: 20, max: 60 }))
    .map(([workspace, times]) => repeated(workspace, times))
    .chain((workspace) =>
      fc.record({
        workspace: fc.constant(workspace),
        queries: fc.array(listQueries(workspace), { minLength: 10, maxLength: 20 }),
        places: fc.array(fc.nat({ max: 999 }), { minLength: 3, maxLength: 3 }),
      }),
    )
  assertProperty(
    fc.property(large, ({ workspace, queries, places }) => {
      const snapshot = snapshotOf(workspace)
      const queryCache = new QueryCache()
      for (const { query, bounds } of queries) {
        const expected = naiveList(workspace, query, bounds).map((row) => row.id)
        const listing = listTransactions(snapshot, queryCache, query, bounds)
        assert.equal(listing.total, expected.length, 'the count is exact')
        for (const place of places) {
          const offset = Math.floor((expected.length * place) / 1_000)
          const page = idsOf(pageOf(listing, offset, 100))
          assert.deepEqual(page, expected.slice(offset, offset + 100))
        }
      }
    }),
    { numRuns: 25 },
  )
})
