// The balance of accounts over time, from the balances that the banks reported and the transactions
// before them.
//
// An import keeps the balance of a statement if no transaction of the account is booked after its
// day (src/statements/import/closing-balances.ts). Until a later import adds transactions without a
// balance, the balance at the end of a day is the reported one minus all transactions that were
// booked after the day. An account does not have the day of its balance, so those transactions are
// subtracted as well, and every balance is off by their sum. Transactions without a booking date
// count as earlier than any day.
import type { EpochMs } from '../../../instant.js'
import { parseDay, startOfPeriod } from '../../../instant.js'
import type { Sum } from '../../../money.js'
import type { Group } from '../../../query/summary.js'

/** A month, its change, and the balance at its end. */
export interface MonthBalance {
  /** Its first day. */
  readonly monthMs: EpochMs
  readonly dayCount: number
  readonly count: number
  readonly change: Sum
  readonly closing: Sum
}

/** Balances over some months. */
export interface DailyBalances {
  /**
   * At the end of each day, from the first day of the first month to that of the last transaction
   * in the months; to the end of the months if there is none.
   */
  readonly days: readonly Sum[]
  readonly months: readonly MonthBalance[]
}

const DAY_MS = 86_400_000

/**
 * The balances of months.
 * @param reported the present balance   @param byDay sums of all days from the first month on
 * @param latestMs the first day of the last month   @param monthCount 1 or more
 */
export function dailyBalances(
  reported: Sum,
  byDay: readonly Group[],
  latestMs: EpochMs,
  monthCount: number,
): DailyBalances {
  const firstMs = startOfPeriod(latestMs, 'month', 1 - monthCount)
  const endMs = startOfPeriod(latestMs, 'month', 1)
  const changes = byDay.map(({ values: [day], count, incoming, outgoing }) => {
    const dayMs = parseDay(typeof day === 'string' ? day : '') ?? Number.NEGATIVE_INFINITY
    return { place: (dayMs - firstMs) / DAY_MS, count, sum: incoming + outgoing }
  })
  const dayCount = (endMs - firstMs) / DAY_MS
  const net = new Array<Sum>(dayCount).fill(0n)
  const counts = new Array<number>(dayCount).fill(0)
  let balance = reported
  let lastPlace = -1
  for (const { place, count, sum } of changes) {
    if (place >= dayCount) balance -= sum
    else if (place >= 0) {
      net[place] = sum
      counts[place] = count
      lastPlace = Math.max(lastPlace, place)
    }
  }
  const days = new Array<Sum>(dayCount)
  for (let place = dayCount - 1; place >= 0; place--) {
    days[place] = balance
    balance -= net[place] ?? 0n
  }
  const months = Array.from({ length: monthCount }, (_, i): MonthBalance => {
    const monthMs = startOfPeriod(firstMs, 'month', i)
    const from = (monthMs - firstMs) / DAY_MS
    const to = (startOfPeriod(monthMs, 'month', 1) - firstMs) / DAY_MS
    return {
      ...{ monthMs, dayCount: to - from },
      count: counts.slice(from, to).reduce((sum, count) => sum + count, 0),
      change: net.slice(from, to).reduce((sum, change) => sum + change, 0n),
      closing: days[to - 1] ?? balance,
    }
  })
  return { days: lastPlace === -1 ? days : days.slice(0, lastPlace + 1), months }
}
