import type { Sum } from '../../../money.js'
import { type Group, groupAt, type Summary } from '../../../query/summary.js'

/** The sums of a group of one currency; its key names it in the chart. */
export interface GroupSum<Key> extends Pick<Group, 'count' | 'incoming' | 'outgoing'> {
  readonly key: Key
}

/** The months of one currency, ascending; `null`, rows without a booking date, last. */
export function monthSums(byMonth: Summary, currency: string): GroupSum<string | null>[] {
  return groupsIn(byMonth, currency).map(({ values: [month], count, incoming, outgoing }) => {
    return { key: typeof month === 'string' ? month : null, count, incoming, outgoing }
  })
}

/**
 * The broad categories of one currency, by id; `null` = none. Descending by turnover, in both
 * directions; of equals the lesser id first.
 */
export function categorySums(byCategory: Summary, currency: string): GroupSum<number | null>[] {
  const sums = groupsIn(byCategory, currency).map(
    ({ values: [category], count, incoming, outgoing }) => {
      const key = typeof category === 'object' ? (category.id ?? null) : null
      return { key, count, incoming, outgoing }
    },
  )
  return sums.sort((a, b) => {
    const difference = turnoverOf(b) - turnoverOf(a)
    if (difference !== 0n) return difference > 0n ? 1 : -1
    return (a.key ?? Number.MAX_VALUE) - (b.key ?? Number.MAX_VALUE)
  })
}

function groupsIn(summary: Summary, currency: string): Group[] {
  const groups = Array.from({ length: summary.groups.count }, (_, place) => groupAt(summary, place))
  return groups.filter((group) => group.currency === currency)
}

function turnoverOf({ incoming, outgoing }: GroupSum<unknown>): Sum {
  return incoming - outgoing
}
