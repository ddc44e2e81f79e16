import { type EpochMs, startOfPeriod } from '../../../instant.js'
import type { Sum } from '../../../money.js'
import type { Group } from '../../../query/summary.js'
import type { AccountEntry, Snapshot } from '../../../snapshot/snapshot.js'
import { lastBookedMs } from '../../account-rows.js'
import { balancesOf } from '../../account-sums.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { FilterValues } from '../explorer/filter-values.js'
import { summedGroups } from '../explorer/summary-call.js'
import {
  balanceFilters,
  monthFilters,
  OVERVIEW_MONTHS,
  turnoverFilters,
  UNCATEGORIZED_FILTERS,
} from './overview-filters.js'
import type { BalanceSums, BookedSums, OverviewSums } from './overview-sums.js'

/** Counterparts that are listed in each direction. */
const COUNTERPARTS_SHOWN = 5

/** What an overview is asked for. */
interface OverviewRequest {
  readonly snapshot: Snapshot
  /** Of the URL; undefined or unknown = the most frequent one. */
  readonly currency: string | undefined
  readonly recent: FilterValues
}

/** The sums of an overview; those that were computed before come from the cache of summaries. */
export async function summedOverview(
  context: DashboardContext,
  { snapshot, currency: requested, recent }: OverviewRequest,
): Promise<OverviewSums> {
  const groups = (values: FilterValues): Promise<readonly Group[]> =>
    summedGroups(context, snapshot, values, {})
  const latestMs = latestMonth(snapshot, context.nowMs)
  const inMonths =
    latestMs === undefined ? [] : await groups(turnoverFilters(latestMs, OVERVIEW_MONTHS))
  const currencies = currenciesOf(inMonths, snapshot.accounts)
  const isKnown = requested !== undefined && currencies.includes(requested)
  const currency = isKnown ? requested : (currencies[0] ?? '')
  const booked =
    latestMs === undefined ? undefined : await bookedSums(context, snapshot, currency, latestMs)
  const uncategorized = await groups(UNCATEGORIZED_FILTERS)
  return { currencies, currency, booked, uncategorized, recent: await groups(recent) }
}

/** The first day of the month of the latest booking; later ones than now are slips of a file. */
function latestMonth(snapshot: Snapshot, nowMs: EpochMs): EpochMs | undefined {
  const bookedMs = lastBookedMs(snapshot, nowMs)
  return bookedMs === undefined ? undefined : startOfPeriod(bookedMs, 'month')
}

/** Those with the most transactions first, then those that accounts alone have. */
function currenciesOf(sums: readonly Group[], accounts: readonly AccountEntry[]): string[] {
  const summed = sums.toSorted((a, b) => b.count - a.count).map(({ currency }) => currency)
  const held = accounts.map(({ currency }) => currency).sort()
  return [...new Set([...summed, ...held])]
}

async function bookedSums(
  context: DashboardContext,
  snapshot: Snapshot,
  currency: string,
  latestMs: EpochMs,
): Promise<BookedSums> {
  const inMonths = { ...turnoverFilters(latestMs, OVERVIEW_MONTHS), currency }
  const inLatest = { ...turnoverFilters(latestMs), currency }
  const counterparts = { groupBy: 'counterpart', countMax: COUNTERPARTS_SHOWN } as const
  const months = await summedGroups(context, snapshot, inMonths, { groupBy: 'month' })
  const payers = await summedGroups(context, snapshot, inLatest, {
    ...counterparts,
    order: { sortBy: 'in', order: 'desc' },
  })
  const payees = await summedGroups(context, snapshot, inLatest, {
    ...counterparts,
    order: { sortBy: 'out', order: 'asc' },
  })
  return {
    latestMs,
    months,
    payers: payers.filter(({ incoming }) => incoming > 0n),
    payees: payees.filter(({ outgoing }) => outgoing < 0n),
    balance: await balanceSums(context, snapshot, currency, latestMs),
  }
}

async function balanceSums(
  context: DashboardContext,
  snapshot: Snapshot,
  currency: string,
  latestMs: EpochMs,
): Promise<BalanceSums | undefined> {
  const { accounts } = snapshot
  const isReported = (account: AccountEntry): boolean =>
    account.currency === currency && account.balance !== undefined
  const reported = accounts.filter(isReported)
  const filters = balanceFilters(reported, accounts, currency)
  if (reported.length === 0 || filters === undefined) return undefined
  const { bookedFrom } = monthFilters(latestMs, OVERVIEW_MONTHS)
  const inDays = { ...filters, bookedFrom }
  return {
    reported: sumOfBalances(reported),
    accountCount: reported.length,
    filters,
    days: await summedGroups(context, snapshot, inDays, { groupBy: 'day' }),
  }
}

function sumOfBalances(accounts: readonly AccountEntry[]): Sum {
  return [...balancesOf(accounts)].reduce((total, { sum }) => total + sum, 0n)
}
