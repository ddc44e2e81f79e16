import type { EpochMs } from '../../../instant.js'
import type { Sum } from '../../../money.js'
import type { Group } from '../../../query/summary.js'
import type { FilterValues } from '../explorer/filter-values.js'

/** The sums of an overview, each of transactions that overview-filters.ts has the filters of. */
export interface OverviewSums {
  /** Those of the accounts and of the last months, the most frequent one first. */
  readonly currencies: readonly string[]
  /** The one that is shown; `''` = there is none. */
  readonly currency: string
  /** undefined = no transaction has a booking date. */
  readonly booked: BookedSums | undefined
  /** By currency. */
  readonly uncategorized: readonly Group[]
  /** Those that came in since the last visit, by currency. */
  readonly recent: readonly Group[]
}

/** Sums of the last months, in one currency. */
export interface BookedSums {
  /** The first day of the latest month with a transaction. */
  readonly latestMs: EpochMs
  /** Without transfers between own accounts. */
  readonly months: readonly Group[]
  /** The counterparts of the latest month that paid the most, and that were paid the most. */
  readonly payers: readonly Group[]
  readonly payees: readonly Group[]
  /** undefined = no account has a balance, or too many of several currencies have one. */
  readonly balance: BalanceSums | undefined
}

/** The balance of accounts over the last months. */
export interface BalanceSums {
  /** Sum of the balances that the banks reported. */
  readonly reported: Sum
  readonly accountCount: number
  /** Of the transactions that move it. */
  readonly filters: FilterValues
  /** By day, all of them from the first month on. */
  readonly days: readonly Group[]
}
