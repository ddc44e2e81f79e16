import { amountSortKey } from '../money.js'
import type { InstantColumn, OrderedCodes } from '../snapshot/ordered-column.js'
import type { Segment } from '../snapshot/snapshot.js'
import { type AnyRun, rankedOrdinalAt } from './listing.js'
import type { SortField, SortOrder } from './transaction-query.js'

/** Position of a row among those of other segments. */
export interface SortKey {
  /** Epoch ms, or a number that orders amounts, or 0 where ids alone decide. */
  readonly key: number
  readonly id: number
}

/**
 * The sort key of row i of a run whose rows have the sort key. Reads the row's id once and no
 * other.
 * @param i 0 to count - 1
 */
export function sortKeyAt(run: AnyRun, i: number, sortBy: SortField): SortKey {
  const { segment } = run
  const ordinal = rankedOrdinalAt(run, i)
  const id = segment.ids[ordinal]! // an ordinal of this segment
  if (sortBy === '_id') return { key: 0, id }
  if (sortBy === 'amount') {
    const { codes, unscaled, scales } = segment.amounts
    const code = codes[ordinal]!
    return { key: amountSortKey({ unscaled: unscaled[code]!, scale: scales[code]! }), id }
  }
  const { codes, values } = instantsOf(segment, sortBy)
  return { key: values[codes[ordinal]!]!, id } // the row has the key
}

/** Whether a row of one key comes before a row of the other in an order by key, then id. */
export function precedes(a: SortKey, b: SortKey, order: SortOrder): boolean {
  const difference = a.key === b.key ? a.id - b.id : a.key - b.key
  return order === 'asc' ? difference < 0 : difference > 0
}

/** The column that has the sort key; undefined = the id, which is the order of the ordinals. */
export function sortColumnOf(segment: Segment, sortBy: SortField): OrderedCodes | undefined {
  if (sortBy === '_id') return undefined
  return sortBy === 'amount' ? segment.amounts : instantsOf(segment, sortBy)
}

function instantsOf(
  segment: Segment,
  sortBy: 'bookingDate' | 'valueDate' | 'importDate',
): InstantColumn {
  if (sortBy === 'bookingDate') return segment.booked
  return sortBy === 'valueDate' ? segment.valued : segment.imported
}
