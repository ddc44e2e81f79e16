// The filters behind the figures of an overview: the sums are requested with them, and the links
// lead to the list with the same.
import { type EpochMs, formatInstant, formatPeriod, startOfPeriod } from '../../../instant.js'
import { ACCOUNT_IDS_MAX } from '../../../limits.js'
import type { GroupValue } from '../../../query/dimension.js'
import type { AccountEntry } from '../../../snapshot/snapshot.js'
import { termsOf } from '../../../text/normal-forms.js'
import type { FilterValues } from '../explorer/filter-values.js'

/** Months of an overview: the latest one with a transaction, and those before it. */
export const OVERVIEW_MONTHS = 12

/** Days that count as new to an operator who signs in for the first time. */
export const RECENT_DAYS = 7

const DAY_MS = 86_400_000

/** The days of months. @param monthMs the first day of the last one   @param count 1 or more */
export function monthFilters(monthMs: EpochMs, count = 1): FilterValues {
  return {
    bookedFrom: formatPeriod(startOfPeriod(monthMs, 'month', 1 - count), 'day'),
    bookedTo: formatPeriod(startOfPeriod(monthMs, 'month', 1) - DAY_MS, 'day'),
  }
}

/** Money in and out: transfers between own accounts are neither. */
export function turnoverFilters(monthMs: EpochMs, count = 1): FilterValues {
  return { ...monthFilters(monthMs, count), ownTransfers: 'exclude' }
}

/**
 * The transactions that move the balance of the accounts of a currency.
 * @param accounts those of the currency that have a balance   @param all of the workspace
 * @returns undefined when no filters name them: they are too many, and others exist
 */
export function balanceFilters(
  accounts: readonly AccountEntry[],
  all: readonly AccountEntry[],
  currency: string,
): FilterValues | undefined {
  if (accounts.length === all.length) return { currency }
  if (accounts.length > ACCOUNT_IDS_MAX) return undefined
  return { currency, accountIds: accounts.map(({ id }) => id).join(',') }
}

export const UNCATEGORIZED_FILTERS: FilterValues = { uncategorized: 'true' }

/** What came in since the last visit. @param visitMs undefined = there was none */
export function recentFilters(visitMs: EpochMs | undefined, nowMs: EpochMs): FilterValues {
  if (visitMs !== undefined) return { importedAfter: formatInstant(visitMs) }
  return { importedFrom: formatPeriod(nowMs - RECENT_DAYS * DAY_MS, 'day') }
}

/**
 * The transactions of a counterpart. One without an IBAN has no filter: the search for its name
 * finds the transactions that mention it elsewhere as well.
 * @returns undefined when nothing names it
 */
export function counterpartFilters(counterpart: GroupValue | undefined): FilterValues | undefined {
  if (typeof counterpart !== 'object') return undefined
  const { iban, name = '' } = counterpart
  if (iban !== undefined) return { counterpart: iban }
  return termsOf(name).length === 0 ? undefined : { query: name }
}
