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
  const { workspaceId } = snapshot
  const groups = async (values: FilterValues): Promise<readonly Group[]> =>
    (await summedGroups(context, workspaceId, values, {})).groups
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
  { workspaceId, accounts }: Snapshot,
  currency: string,
  latestMs: EpochMs,
): Promise<BookedSums> {
  const inMonths = { ...turnoverFilters(latestMs, OVERVIEW_MONTHS), currency }
  const inLatest = { ...turnoverFilters(latestMs), currency }
  const counterparts = { groupBy: 'counterpart', countMax: COUNTERPARTS_SHOWN } as const
  const months = await summedGroups(context, workspaceId, inMonths, { groupBy: 'month' })
  const payers = await summedGroups(context, workspaceId, inLatest, {
    ...counterparts,
    order: { sortBy: 'in', order: 'desc' },
  })
  const payees = await summedGroups(context, workspaceId, inLatest, {
    ...counterparts,
    order: { sortBy: 'out', order: 'asc' },
  })
  return {
    latestMs,
    months: months.groups,
    payers: payers.groups.filter(({ incoming }) => incoming > 0n),
    payees: payees.groups.filter(({ outgoing }) => outgoing < 0n),
    balance: await balanceSums(context, { workspaceId, accounts }, currency, latestMs),
  }
}

async function balanceSums(
  context: DashboardContext,
  { workspaceId, accounts }: Pick<Snapshot, 'workspaceId' | 'accounts'>,
  currency: string,
  latestMs: EpochMs,
): Promise<BalanceSums | undefined> {
  const isTold = (account: AccountEntry): boolean =>
    account.currency === currency && account.balance !== undefined
  const told = accounts.filter(isTold)
  const filters = balanceFilters(told, accounts, currency)
  if (told.length === 0 || filters === undefined) return undefined
  const { bookedFrom } = monthFilters(latestMs, OVERVIEW_MONTHS)
  const { groups, snapshot } = await summedGroups(
    context,
    workspaceId,
    { ...filters, bookedFrom },
    { groupBy: 'day' },
  )
  // Balances and transactions of one moment: a commit between would be counted in one of them.
  const ids = new Set(told.map(({ id }) => id))
  return {
    told: sumOfBalances(snapshot.accounts.filter(({ id }) => ids.has(id))),
    accountCount: told.length,
    filters,
    days: groups,
  }
}

function sumOfBalances(accounts: readonly AccountEntry[]): Sum {
  return [...balancesOf(accounts)].reduce((total, { sum }) => total + sum, 0n)
}
