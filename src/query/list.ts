import { lowerBound } from '../lower-bound.js'
import type { BitSet } from '../ordinals/bit-set.js'
import type { OrderedCodes } from '../snapshot/ordered-column.js'
import type { LiveSegment, Segment, Snapshot } from '../snapshot/snapshot.js'
import { type BoundedQuery, predicatesOf } from './filter.js'
import { type AnyRun, type Listing, listingOf, type RankedRun, type Run } from './listing.js'
import { mergedParts } from './merge.js'
import { countsExactly, type Predicate, passingLists, type RowsPredicate } from './predicate.js'
import type { QueryCache } from './query-cache.js'
import { type RankedRows, rankAt } from './ranked-rows.js'
import { searchedRows } from './search.js'
import { type Selection, select } from './select.js'
import { sortColumnOf } from './sort-key.js'
import type {
  SortField,
  SortOrder,
  TransactionBounds,
  TransactionQuery,
} from './transaction-query.js'

/**
 * All rows that pass the query within the bounds, in the query's order: by the sort key, ties by id
 * in the same direction, rows without the key last in both directions.
 */
export function listTransactions(
  snapshot: Snapshot,
  queryCache: QueryCache,
  query: TransactionQuery,
  bounds: TransactionBounds,
): Listing {
  const lists = snapshot.segments.flatMap((live) => {
    const predicates = testsOf(snapshot, queryCache, live, { query, bounds })
    return predicates === undefined ? [] : [runsOf(live, queryCache, predicates, query)]
  })
  return listingOf(lists.length === 1 ? (lists[0] ?? []) : mergedParts(lists, query))
}

/** Predicates of a query's filters and search; undefined = no row can pass. */
function testsOf(
  snapshot: Snapshot,
  queryCache: QueryCache,
  live: LiveSegment,
  bounded: BoundedQuery,
): Predicate[] | undefined {
  const { query, bounds } = bounded
  const predicates = predicatesOf(snapshot, live.segment, bounded, queryCache.ownCounterparts)
  const { terms } = query
  if (predicates === undefined || terms === undefined || terms.length === 0) return predicates
  const search = { terms, visibleCodes: bounds.visibleCodes }
  const searched = searchedRows(snapshot, live, search, queryCache)
  return searched.count === 0 ? undefined : [...predicates, searched]
}

function runsOf(
  { segment, alive }: LiveSegment,
  queryCache: QueryCache,
  predicates: readonly Predicate[],
  query: TransactionQuery,
): AnyRun[] {
  const { sortBy, order } = query
  const key = sortColumnOf(segment, sortBy)
  const plain = alive === undefined ? plainRuns(segment, predicates, key, order) : undefined
  if (plain !== undefined) return plain
  const wanted = { segment, predicates, key, sortBy }
  const selection =
    alive === undefined ? selectionOf(wanted, queryCache) : aliveOf(wanted, alive, queryCache)
  if (selection.kind === 'bits') return rankedRuns(segment, selection.ranked, key, order)
  const { ordinals } = selection
  if (key === undefined) return directed(segment, ordinals, flipped(order))
  return sortedRuns(segment, ordinals, presentCountOf(ordinals, key), order)
}

/** Runs of a query with at most one predicate whose rows are in order already, or undefined. */
function plainRuns(
  segment: Segment,
  predicates: readonly Predicate[],
  key: OrderedCodes | undefined,
  order: SortOrder,
): Run[] | undefined {
  const only = predicates.length === 1 ? predicates[0] : undefined
  if (predicates.length === 0) {
    if (key === undefined) return directed(segment, undefined, flipped(order))
    return sortedRuns(segment, key.order, key.presentCount, order)
  }
  const posting = key === undefined && only !== undefined ? wholePosting(only) : undefined
  if (posting !== undefined) return directed(segment, posting, flipped(order))
  if (only?.kind === 'range' && only.column === key && only.spans.length === 1) {
    return directed(segment, key.order, order, only.spans[0])
  }
  return undefined
}

/** The posting that equals the passing rows, ascending by ordinal, if there is one. */
function wholePosting(predicate: Predicate): Uint32Array | undefined {
  if (predicate.kind === 'rows') return listedRowsOf(predicate)
  if (predicate.kind !== 'posting' || !countsExactly(predicate)) return undefined
  const lists = passingLists(predicate)
  return lists.length === 1 ? lists[0] : undefined
}

function listedRowsOf({ rows }: RowsPredicate): Uint32Array | undefined {
  return rows.kind === 'ordinals' ? rows.ordinals : undefined
}

/** Ordinals ascend as ids descend. */
function flipped(order: SortOrder): SortOrder {
  return order === 'asc' ? 'desc' : 'asc'
}

/** Rows with a value in the requested direction, then the rows without one, likewise by id. */
function sortedRuns(
  segment: Segment,
  ordinals: Uint32Array,
  presentCount: number,
  order: SortOrder,
): Run[] {
  const absentCount = ordinals.length - presentCount
  return [
    ...directed(segment, ordinals, order, { first: 0, count: presentCount }),
    ...directed(segment, ordinals, order, { first: presentCount, count: absentCount }),
  ]
}

/** The ordinals, or all rows of the segment; ascending as they are. @param part default: all */
function directed(
  segment: Segment,
  ordinals: Uint32Array | undefined,
  order: SortOrder,
  part?: Pick<Run, 'first' | 'count'>,
): Run[] {
  const { first, count } = part ?? { first: 0, count: ordinals?.length ?? segment.rowCount }
  if (order === 'asc') return [{ segment, ordinals, first, step: 1, count }]
  return [{ segment, ordinals, first: first + count - 1, step: -1, count }]
}

/** Number of the sorted ordinals that have a value; they come first. */
function presentCountOf(sorted: Uint32Array, key: OrderedCodes): number {
  return lowerBound(0, sorted.length, (i) => key.codes[sorted[i]!]! < key.valueCount)
}

/** As {@link sortedRuns}, or without a key by id. */
function rankedRuns(
  segment: Segment,
  ranked: RankedRows,
  key: OrderedCodes | undefined,
  order: SortOrder,
): RankedRun[] {
  const { count } = ranked
  if (key === undefined) {
    return [{ segment, ranked, first: 0, count, step: flipped(order) === 'asc' ? 1 : -1 }]
  }
  const step = order === 'asc' ? 1 : -1
  const presentCount = rankAt(ranked, key.presentCount)
  return [
    { segment, ranked, first: 0, count: presentCount, step },
    { segment, ranked, first: presentCount, count: count - presentCount, step },
  ]
}

/** Predicates of a segment and the requested order. */
interface SegmentQuery {
  readonly segment: Segment
  readonly predicates: readonly Predicate[]
  readonly key: OrderedCodes | undefined
  readonly sortBy: SortField
}

/**
 * The selection of all rows, deleted ones included: it stays valid as long as the segment exists.
 */
function selectionOf(wanted: SegmentQuery, queryCache: QueryCache): Selection {
  const { segment, predicates, key } = wanted
  return queryCache.selected.findOrKeep(segment, segment.rowCount, nameOf(wanted), () =>
    select(segment, predicates, key),
  )
}

/** The live rows of the selection. */
function aliveOf(wanted: SegmentQuery, alive: BitSet, queryCache: QueryCache): Selection {
  const { segment, predicates, key } = wanted
  const selection = predicates.length === 0 ? undefined : selectionOf(wanted, queryCache)
  return queryCache.liveRows.of(segment, alive, { selection, key, name: nameOf(wanted) })
}

function nameOf({ sortBy, predicates }: SegmentQuery): string {
  return `${sortBy} ${predicates.map((predicate) => predicate.key).join(' ')}`
}
