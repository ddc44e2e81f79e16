// Cursors over changing workspaces: pages of several states, one after the other, against naive
// lists.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { listTransactions } from '../../src/query/list.js'
import { ordinalAt, type Run } from '../../src/query/listing.js'
import { pageOf } from '../../src/query/page.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { countUpTo, positionOfLast, type RowPosition } from '../../src/query/row-position.js'
import type { TransactionBounds, TransactionQuery } from '../../src/query/transaction-query.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import type { TransactionRow } from '../../src/store/columns.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  dealtRows,
  naiveIds,
  snapshotOfSegments,
  sortableSegment,
  sortings,
} from '../fixtures/dealt-rows.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { lives, snapshotAfter } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

function idsOf(page: readonly Run[]): number[] {
  return page.flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => run.segment.ids[ordinalAt(run, i)] ?? -1),
  )
}

test('the position of the last row of any page is the offset of the next one', async (t) => {
  let positionCount = 0
  assertProperty(
    fc.property(dealtRows, sortings, (lists, query) => {
      const snapshot = snapshotOfSegments(lists.map(sortableSegment))
      const listing = listTransactions(snapshot, new QueryCache(), query, {})
      const ids = naiveIds(lists.flat(), query)
      for (let count = 1; count <= ids.length; count++) {
        const page = pageOf(listing, 0, count)
        const position = positionOfLast(page, query.sortBy)
        assert.equal(position.id, ids[count - 1])
        assert.equal(countUpTo(listing, query, position), count)
        positionCount += 1
      }
    }),
    { numRuns: 200 },
  )
  t.ok(positionCount > 2_000, `${positionCount} positions`)
})

/** A change of some rows between two pages. */
interface Edit {
  readonly place: number
  readonly kind: 'delete' | 'move' | 'keep'
}

/** One state of a workspace, and how its rows came into segments. */
interface State {
  readonly rows: WorkspaceRows
  readonly snapshot: Snapshot
}

/** The rows four times, with other ids: many have a sort key in common. */
function repeated(workspace: WorkspaceRows): WorkspaceRows {
  const last = workspace.transactions.at(-1)?.id ?? 0
  const transactions = [0, 1, 2, 3].flatMap((time) =>
    workspace.transactions.map((row) => ({ ...row, id: row.id + time * last })),
  )
  return { ...workspace, transactions }
}

const workspaces = fc.noBias(workspaceRows({ maxLength: 20 })).map(repeated)

const cases = workspaces.chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    list: listQueries(workspace),
    isFiltered: fc.boolean(),
    // Which rows are there at the beginning; the others are inserted later.
    first: fc.array(fc.constantFrom(true, true, true, false), { minLength: 40, maxLength: 40 }),
    edits: fc.array(
      fc.array(
        fc.record({
          place: fc.nat({ max: 79 }),
          kind: fc.constantFrom<Edit['kind']>('delete', 'move', 'keep'),
        }),
        { maxLength: 4 },
      ),
      { minLength: 1, maxLength: 5 },
    ),
    life: lives,
    limit: fc.integer({ min: 1, max: 7 }),
  }),
)

/** The states of a workspace: rows come, go, and take over the dates and amounts of others. */
function statesOf(
  workspace: WorkspaceRows,
  first: readonly boolean[],
  edits: readonly (readonly Edit[])[],
): WorkspaceRows[] {
  const all = workspace.transactions
  let rows = all.filter((_, i) => first[i % first.length])
  const states = [{ ...workspace, transactions: rows }]
  for (const edit of edits) {
    for (const { place, kind } of edit) {
      const row = all[place % Math.max(1, all.length)]
      if (row === undefined) break
      const isThere = rows.some(({ id }) => id === row.id)
      if (kind === 'delete' || (kind === 'move' && isThere)) {
        rows = rows.filter(({ id }) => id !== row.id)
      }
      const model = kind === 'move' ? (all[(place * 7 + 3) % all.length] ?? row) : row
      const isAbsent = !rows.some(({ id }) => id === row.id)
      if (kind !== 'delete' && isAbsent) rows = [...rows, moved(row, model)]
    }
    rows = rows.toSorted((a, b) => a.id - b.id)
    states.push({ ...workspace, transactions: rows })
  }
  return states
}

function moved(row: TransactionRow, model: TransactionRow): TransactionRow {
  const { bookedAt, valuedAt, importedAt, amountUnscaled, amountScale } = model
  return { ...row, bookedAt, valuedAt, importedAt, amountUnscaled, amountScale }
}

/** Walks the list: a page of each state in turn, then the rest of the last one. */
function walk(
  states: readonly State[],
  query: TransactionQuery,
  bounds: TransactionBounds,
  limit: number,
): number[] {
  const ids: number[] = []
  let position: RowPosition | undefined
  for (let turn = 0; turn < 100; turn++) {
    const { snapshot } = states[Math.min(turn, states.length - 1)]!
    const listing = listTransactions(snapshot, new QueryCache(), query, bounds)
    const offset = position === undefined ? 0 : countUpTo(listing, query, position)
    const page = pageOf(listing, offset, limit)
    ids.push(...idsOf(page))
    if (page.length > 0) position = positionOfLast(page, query.sortBy)
    const isEnd = offset + limit >= listing.total
    if (isEnd && turn >= states.length - 1) return ids
  }
  throw new Error('the list comes to an end')
}

/** The order of two rows as the naive list has it. */
function naiveOrder(
  workspace: WorkspaceRows,
  query: TransactionQuery,
  rows: readonly TransactionRow[],
): number[] {
  const { sortBy, order } = query
  const transactions = rows.toSorted((a, b) => a.id - b.id)
  return naiveList({ ...workspace, transactions }, { sortBy, order }, {}).map(({ id }) => id)
}

test('rows that stay where they are come exactly once, whatever happens to others', async (t) => {
  let stayingCount = 0
  assertProperty(
    fc.property(cases, ({ workspace, list, isFiltered, first, edits, life, limit }) => {
      const { sortBy, order } = list.query
      const query = isFiltered ? list.query : { sortBy, order }
      const bounds = isFiltered ? list.bounds : {}
      const states = statesOf(workspace, first, edits).map((rows): State => {
        return { rows, snapshot: snapshotAfter(rows, life) }
      })
      const ids = walk(states, query, bounds, limit)
      const listed = states.map(({ rows }) => naiveList(rows, query, bounds))
      const staying = (listed[0] ?? []).filter((row) =>
        listed.every((rows) => rows.some((other) => isSamePlace(row, other))),
      )
      stayingCount += staying.length
      const stayingIds = new Set(staying.map(({ id }) => id))
      assert.deepEqual(
        ids.filter((id) => stayingIds.has(id)),
        naiveOrder(workspace, query, staying),
      )
      const isOnlyInserted = edits.flat().every(({ kind }) => kind === 'keep')
      if (isOnlyInserted && sortBy === '_id') {
        assert.equal(new Set(ids).size, ids.length, 'in the order by id no row comes twice')
      }
    }),
    { numRuns: 100 },
  )
  t.ok(stayingCount > 300, `${stayingCount} rows stayed`)
})

function isSamePlace(row: TransactionRow, other: TransactionRow): boolean {
  return (
    row.id === other.id &&
    row.bookedAt === other.bookedAt &&
    row.valuedAt === other.valuedAt &&
    row.importedAt === other.importedAt &&
    row.amountUnscaled === other.amountUnscaled &&
    row.amountScale === other.amountScale
  )
}
