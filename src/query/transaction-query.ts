import type { EpochMs } from '../instant.js'
import type { Amount } from '../money.js'
import type { Term } from '../text/normal-forms.js'

/** Sort fields of lists (docs/contract/lists.md, "Transaction lists"). */
export type SortField = 'bookingDate' | 'valueDate' | 'importDate' | 'amount' | '_id'

/** Direction of a list; ties break on id in the same direction. */
export type SortOrder = 'asc' | 'desc'

/** A category as a caller names it: an exact name, and an id as well when it is all digits. */
export interface CategoryFilter {
  readonly text: string
  readonly id?: number | undefined
}

/** An account as a caller names it: by id, or by IBAN in upper case. */
export type AccountIdentifier = { readonly accountId: number } | { readonly iban: string }

/** Whether money came in or went out. */
export type AmountDirection = 'in' | 'out'

/** What becomes of transfers between accounts of the workspace. */
export type OwnTransfers = 'include' | 'exclude' | 'only'

/**
 * Filters of transactions, parsed. "After" and "before" are exclusive, "from" and "to" inclusive;
 * absent = every row.
 */
export interface TransactionFilters {
  readonly category?: CategoryFilter | undefined
  readonly parentCategory?: CategoryFilter | undefined
  readonly uncategorized?: boolean | undefined
  /** Not empty. The operations reduce the bounds to these accounts. */
  readonly accountIds?: readonly AccountIdentifier[] | undefined
  readonly ownTransfers?: OwnTransfers | undefined
  readonly direction?: AmountDirection | undefined
  readonly amountFrom?: Amount | undefined
  readonly amountTo?: Amount | undefined
  /** Not negative. */
  readonly absoluteAmount?: Amount | undefined
  readonly currency?: string | undefined
  readonly bookedAfterMs?: EpochMs | undefined
  readonly bookedBeforeMs?: EpochMs | undefined
  readonly bookedFromMs?: EpochMs | undefined
  readonly bookedToMs?: EpochMs | undefined
  readonly valuedAfterMs?: EpochMs | undefined
  readonly valuedBeforeMs?: EpochMs | undefined
  readonly valuedFromMs?: EpochMs | undefined
  readonly valuedToMs?: EpochMs | undefined
  readonly importedAfterMs?: EpochMs | undefined
  readonly importedBeforeMs?: EpochMs | undefined
  readonly importedFromMs?: EpochMs | undefined
  readonly importedToMs?: EpochMs | undefined
  readonly updatedAfterMs?: EpochMs | undefined
  readonly updatedBeforeMs?: EpochMs | undefined
}

/** Filters and order of a transaction list, parsed. */
export interface TransactionQuery extends TransactionFilters {
  readonly order: SortOrder
  readonly sortBy: SortField
  /** Each occurs in a searched field of the row; absent or empty = every row. */
  readonly terms?: readonly Term[] | undefined
}

/** Part of the workspace that a list covers, apart from the query's own filters. */
export interface TransactionBounds {
  /** Codes of the visible accounts; absent = all. */
  readonly accountCodes?: readonly number[] | undefined
  /**
   * Codes of all accounts that the credential may see, the list's among them: the time of a search
   * depends on no other account. Absent = it may see all.
   */
  readonly visibleCodes?: readonly number[] | undefined
  /** Only rows with this counterpart IBAN (compact, upper case). */
  readonly counterpartIban?: string | undefined
}
