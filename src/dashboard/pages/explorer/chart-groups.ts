import type { Sum } from '../../../money.js'
import type { Group } from '../../../query/summary.js'

/** Groups of the transactions of a request, of one currency. */
export interface ChartSums {
  readonly months: readonly Group[]
  readonly categories: readonly Group[]
}

/** The sums of a group of one currency; its key names it in the chart. */
export interface GroupSum<Key> extends Pick<Group, 'count' | 'incoming' | 'outgoing'> {
  readonly key: Key
}

/** The months of groups of one currency; `null` = the rows without a booking date. */
export function monthSums(byMonth: readonly Group[]): GroupSum<string | null>[] {
  return byMonth.map(({ values: [month], count, incoming, outgoing }) => {
    return { key: typeof month === 'string' ? month : null, count, incoming, outgoing }
  })
}

/**
 * The broad categories of groups of one currency, by id; `null` = none. Descending by turnover, in
 * both directions; of equals the lesser id first.
 */
export function categorySums(byCategory: readonly Group[]): GroupSum<number | null>[] {
  const sums = byCategory.map(({ values: [category], count, incoming, outgoing }) => {
    const key = typeof category === 'object' ? (category.id ?? null) : null
    return { key, count, incoming, outgoing }
  })
  return sums.sort((a, b) => {
    const difference = turnoverOf(b) - turnoverOf(a)
    if (difference !== 0n) return difference > 0n ? 1 : -1
    return (a.key ?? Number.MAX_VALUE) - (b.key ?? Number.MAX_VALUE)
  })
}

function turnoverOf({ incoming, outgoing }: GroupSum<unknown>): Sum {
  return incoming - outgoing
}
