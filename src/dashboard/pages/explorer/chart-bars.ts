import type { Bar, BarChart } from '../../../charts/bar-chart.js'
import { formatSum } from '../../../money.js'
import type { GroupSum } from './chart-groups.js'

/** Months that a chart has bars for: more would be lines on a screen. Its table has all. */
export const CHARTED_MONTHS_MAX = 36

/** Categories that a chart has bars for; the others are one bar. Its table has all. */
export const CHARTED_CATEGORIES_MAX = 14

/** The bars of a chart, and their figures. */
export interface ChartBars {
  readonly chart: BarChart
  /** All of them, in the chart's order. */
  readonly rows: readonly GroupSum<string>[]
  /** The groups that the chart leaves out; undefined = it shows all. */
  readonly omission: string | undefined
}

/**
 * Months from the first to the last, including those without transactions.
 * @param sums ascending, rows without a date last
 */
export function monthChart(sums: readonly GroupSum<string | null>[]): ChartBars {
  const dated = sums.flatMap((sum) => (sum.key === null ? [] : [{ ...sum, key: sum.key }]))
  const byMonth = new Map(dated.map((sum) => [sum.key, sum]))
  const shown = monthsUpTo(dated.at(-1)?.key, dated[0]?.key)
  const bars = shown.map((month) => barOf(byMonth.get(month) ?? emptyGroup(month)))
  const undated = sums.filter(({ key }) => key === null)
  const rows = [...dated, ...undated.map((sum) => ({ ...sum, key: 'No booking date' }))]
  const isCut = dated.some(({ key }) => key < (shown[0] ?? key))
  const omissions = [
    ...(isCut ? [`months before ${shown[0]}`] : []),
    ...(undated.length > 0 ? ['transactions without a booking date'] : []),
  ]
  return { chart: { shape: 'columns', bars }, rows, omission: omissionOf(omissions) }
}

/** The last months before and with this one, ascending, from no month before `first`. */
function monthsUpTo(last: string | undefined, first: string | undefined): string[] {
  if (last === undefined || first === undefined) return []
  const months: string[] = []
  let [year = 0, month = 1] = last.split('-').map(Number)
  while (months.length < CHARTED_MONTHS_MAX) {
    const name = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
    if (name < first || year < 0) break
    months.push(name)
    month -= 1
    if (month === 0) {
      year -= 1
      month = 12
    }
  }
  return months.reverse()
}

/**
 * The categories with the largest turnover, and all others together.
 * @param sums largest turnover first; null = without a category   @param nameOf of an id
 */
export function categoryChart(
  sums: readonly GroupSum<number | null>[],
  nameOf: (id: number) => string,
): ChartBars {
  const taken = new Set<string>()
  const rows = sums.map((sum) => {
    const name = sum.key === null ? 'No category' : nameOf(sum.key)
    // Bars of one name would be merged.
    const key = taken.has(name) ? `${name} (${sum.key})` : name
    taken.add(key)
    return { ...sum, key }
  })
  const shown = rows.slice(0, CHARTED_CATEGORIES_MAX)
  const others = rows.slice(CHARTED_CATEGORIES_MAX)
  const bars = shown.map(barOf)
  if (others.length > 0) {
    bars.push(barOf(others.reduce(together, emptyGroup(`${others.length} others`))))
  }
  return { chart: { shape: 'rows', bars }, rows, omission: undefined }
}

function emptyGroup(key: string): GroupSum<string> {
  return { key, count: 0, incoming: 0n, outgoing: 0n }
}

function together(a: GroupSum<string>, b: GroupSum<string>): GroupSum<string> {
  return {
    key: a.key,
    count: a.count + b.count,
    incoming: a.incoming + b.incoming,
    outgoing: a.outgoing + b.outgoing,
  }
}

/** A bar is a few hundred pixels long: the rounding error of a double is less than one pixel. */
function barOf({ key, incoming, outgoing }: GroupSum<string>): Bar {
  return {
    name: key,
    incoming: Number(formatSum(incoming)),
    outgoing: Number(formatSum(outgoing)),
  }
}

function omissionOf(omissions: readonly string[]): string | undefined {
  return omissions.length === 0 ? undefined : `Not shown: ${omissions.join(' and ')}.`
}
