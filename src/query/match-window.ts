import type { Snapshot } from '../snapshot/snapshot.js'
import { listTransactions } from './list.js'
import type { Run } from './listing.js'
import { pageOf } from './page.js'
import type { Selections } from './selections.js'
import type { TransactionBounds, TransactionFilters } from './transaction-query.js'

/** Which transactions a match looks at. */
export interface WindowQuestion {
  readonly filters: TransactionFilters
  readonly bounds: TransactionBounds
}

/**
 * The newest rows that pass the filters, newest first: by booking date, those of one day by id, and
 * those without a date last (contract, "Match operations", 5; decisions, "Match").
 * @param rowsMax how many at most
 */
export function matchWindow(
  snapshot: Snapshot,
  selections: Selections,
  { filters, bounds }: WindowQuestion,
  rowsMax: number,
): Run[] {
  const query = { ...filters, sortBy: 'bookingDate', order: 'desc' } as const
  return pageOf(listTransactions(snapshot, selections, query, bounds), 0, rowsMax)
}
