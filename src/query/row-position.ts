import { lowerBound } from '../lower-bound.js'
import { type AnyRun, type Listing, ordinalAt, type Run, rankedOrdinalAt } from './listing.js'
import { precedes, type SortKey, sortColumnOf, sortKeyAt } from './sort-key.js'
import type { SortField, TransactionQuery } from './transaction-query.js'

/**
 * Position of a row in an order. It stays the same while other rows come and go, and does not need
 * the row itself.
 */
export interface RowPosition extends SortKey {
  /** Whether the row has the sort key; without it the key is 0, and ids decide. */
  readonly hasKey: boolean
}

/** The position of the last row of a page. @param page not empty */
export function positionOfLast(page: readonly Run[], sortBy: SortField): RowPosition {
  const run = page.at(-1)! // not empty
  const last = run.count - 1
  const hasKey = rowHasKey(run, ordinalAt(run, last), sortBy)
  return { ...sortKeyAt(run, last, hasKey ? sortBy : '_id'), hasKey }
}

/**
 * Number of the listing's rows up to the position, a row at the position included: the offset at
 * which the list continues behind it. Looks up some log2(n) rows of each run of n rows.
 * @param query the one that the listing has the order of
 */
export function countUpTo(
  { parts }: Listing,
  query: Pick<TransactionQuery, 'sortBy' | 'order'>,
  position: RowPosition,
): number {
  const runs = parts.flatMap((part) => ('runs' in part ? part.runs : [part]))
  return runs.reduce((count, run) => count + countOfRun(run, query, position), 0)
}

/** @param run all of its rows have the sort key, or none has */
function countOfRun(
  run: AnyRun,
  { sortBy, order }: Pick<TransactionQuery, 'sortBy' | 'order'>,
  position: RowPosition,
): number {
  const hasKey = rowHasKey(run, rankedOrdinalAt(run, 0), sortBy)
  // Rows without the sort key come last in both directions.
  if (hasKey !== position.hasKey) return hasKey ? run.count : 0
  const key = hasKey ? sortBy : '_id'
  return lowerBound(0, run.count, (i) => !precedes(position, sortKeyAt(run, i, key), order))
}

function rowHasKey({ segment }: AnyRun, ordinal: number, sortBy: SortField): boolean {
  const column = sortColumnOf(segment, sortBy)
  return column === undefined || column.codes[ordinal]! < column.valueCount
}
