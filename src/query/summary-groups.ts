import type { Sum } from '../money.js'
import { countOf, earliestOf, type Ledger, latestOf, sumOfSign } from './ledger.js'
import { sortedPositions } from './sorted-positions.js'
import { inSteps, type StepwiseWork } from './turns.js'

/**
 * Groups that have rows, in the order of their keys.
 *
 *   FIELD     PLACE   HOLDS
 *   keys      group   parts of its key, the most significant first
 *   counts    group   rows
 *   low       group   sums of the positive and of the negative amounts, in units of 10^-5, unless
 *                     they are in `high`
 *   high      group × 2 + sign   sums that a double cannot hold; sign: 1 = of negative amounts
 *   earliest, latest  group   booking dates, epoch ms; NaN = none
 */
export interface Groups {
  readonly count: number
  readonly keys: readonly Uint32Array[]
  readonly counts: Uint32Array
  readonly low: readonly [Float64Array, Float64Array]
  readonly high: ReadonlyMap<number, Sum>
  readonly earliest: Float64Array
  readonly latest: Float64Array
}

/** Groups of a step, and its cost: some ten microseconds. */
const COPYING = { numbers: 512, cost: 1_024 }
const READING = { numbers: 2_048, cost: 1_024 }

/**
 * Copies the groups of a ledger.
 * @param keys parts of the keys; the last one is the bin of each group, unless each bin has one
 */
export function* groupsOfLedger(
  ledger: Ledger,
  keys: readonly Uint32Array[],
): StepwiseWork<Groups> {
  const [first = new Uint32Array(0)] = keys
  const count = first.length
  const isEachBin = count === ledger.binCount
  const counts = new Uint32Array(count)
  const low = [new Float64Array(count), new Float64Array(count)] as const
  const high = new Map<number, Sum>()
  const [earliest, latest] = [new Float64Array(count), new Float64Array(count)]
  yield* inSteps(count, COPYING, (from, to) => {
    for (let group = from; group < to; group++) {
      const bin = isEachBin ? group : first[group]!
      counts[group] = countOf(ledger, bin)
      earliest[group] = earliestOf(ledger, bin)
      latest[group] = latestOf(ledger, bin)
      for (const sign of [0, 1] as const) {
        const sum = sumOfSign(ledger, bin, sign)
        if (typeof sum === 'number') low[sign][group] = sum
        else high.set(group * 2 + sign, sum)
      }
    }
  })
  return { count, keys, counts, low, high, earliest, latest }
}

/** Sum of a group. @param sign 0 = its positive amounts, 1 = its negative ones */
export function sumOfGroup({ low, high }: Groups, group: number, sign: 0 | 1): Sum {
  return high.get(group * 2 + sign) ?? BigInt(low[sign][group] ?? 0)
}

/** What groups may be sorted by. */
export type GroupMeasure = 'net' | 'in' | 'out' | 'count'

/** The order of groups: within each currency by a measure, equal ones by their keys. */
export interface GroupOrder {
  readonly sortBy: GroupMeasure
  readonly order: 'asc' | 'desc'
}

/**
 * The groups in an order, currencies in the order of their numbers.
 * @param currencyOf number of the currency of a group
 */
export function* sortedGroups(
  groups: Groups,
  currencyOf: (group: number) => number,
  { sortBy, order }: GroupOrder,
): StepwiseWork<Uint32Array> {
  const { count } = groups
  const currencies = new Uint32Array(count)
  const [more, less] = [new Uint32Array(count), new Uint32Array(count)]
  const double = new Float64Array(1)
  const words = new Uint32Array(double.buffer)
  yield* inSteps(count, READING, (from, to) => {
    for (let group = from; group < to; group++) {
      currencies[group] = currencyOf(group)
      const measured = measureOf(groups, group, sortBy)
      double[0] = Number(order === 'asc' ? measured : -measured) + 0
      // The bits of doubles are in their order once those of negative ones are inverted.
      const isNegative = words[HIGH_WORD]! >>> 31 === 1
      more[group] = isNegative ? ~words[HIGH_WORD]! : words[HIGH_WORD]! | 0x8000_0000
      less[group] = isNegative ? ~words[1 - HIGH_WORD]! : words[1 - HIGH_WORD]!
    }
  })
  const sorted = yield* sortedPositions([currencies, more, less], count)
  if (groups.high.size > 0) {
    yield* sortExactly(groups, sorted, { sortBy, order }, [currencies, more, less])
  }
  return sorted
}

/** Place of the sign among the two words of a double. */
const HIGH_WORD = new Uint32Array(Float64Array.of(-1).buffer)[0] === 0 ? 1 : 0

/** Exact; a number where a double holds it. */
function measureOf(groups: Groups, group: number, measure: GroupMeasure): number | Sum {
  const { counts, low, high } = groups
  if (measure === 'count') return counts[group]!
  const [incoming, outgoing] = [group * 2, group * 2 + 1]
  if (high.size > 0 && (high.has(incoming) || high.has(outgoing))) {
    const sums = [sumOfGroup(groups, group, 0), sumOfGroup(groups, group, 1)] as const
    return measure === 'net' ? sums[0] + sums[1] : sums[measure === 'in' ? 0 : 1]
  }
  // Of opposite signs: their sum is no larger than the larger one.
  if (measure === 'net') return low[0][group]! + low[1][group]!
  return low[measure === 'in' ? 0 : 1][group]!
}

/** Sorts groups whose measures are equal as doubles: large sums may differ in the last digits. */
function* sortExactly(
  groups: Groups,
  sorted: Uint32Array,
  { sortBy, order }: GroupOrder,
  keys: readonly Uint32Array[],
): StepwiseWork<void> {
  const direction = order === 'asc' ? 1 : -1
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1
    while (to < sorted.length && keys.every((key) => key[sorted[to]!] === key[sorted[from]!])) {
      to += 1
    }
    if (to - from > 1) {
      sorted.subarray(from, to).sort((a, b) => {
        const own = BigInt(measureOf(groups, a, sortBy))
        const other = BigInt(measureOf(groups, b, sortBy))
        return own === other ? a - b : (own < other ? -1 : 1) * direction
      })
    }
    yield to - from
    from = to
  }
}
