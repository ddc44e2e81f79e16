import type { Sum } from '../money.js'
import { countOf, type Ledger, sumOfSign } from './ledger.js'
import { sortedPositions } from './sorted-positions.js'
import { inSteps, type StepwiseWork } from './turns.js'

/**
 * Groups that have rows, in the order of their keys.
 *
 *   FIELD     PLACE   HOLDS
 *   keys      group   parts of its key, the most significant first
 *   ledger    group   its figures, in one lane
 */
export interface Groups {
  readonly count: number
  readonly keys: readonly Uint32Array[]
  readonly ledger: Ledger
}

/** Groups of a step, and its cost: some ten microseconds. */
const READING = { numbers: 2_048, cost: 1_024 }

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
  if (groups.ledger.high.size > 0 && sortBy !== 'count') {
    yield* sortExactly(groups, sorted, { sortBy, order }, [currencies, more, less])
  }
  return sorted
}

/** Place of the sign among the two words of a double. */
const HIGH_WORD = new Uint32Array(Float64Array.of(-1).buffer)[0] === 0 ? 1 : 0

/** Exact; a number where a double holds it. */
function measureOf({ ledger }: Groups, group: number, measure: GroupMeasure): number | Sum {
  if (measure === 'count') return countOf(ledger, group)
  if (measure !== 'net') return sumOfSign(ledger, group, measure === 'in' ? 0 : 1)
  const [incoming, outgoing] = [sumOfSign(ledger, group, 0), sumOfSign(ledger, group, 1)]
  // Of opposite signs: their sum is no larger than the larger one.
  if (typeof incoming === 'number' && typeof outgoing === 'number') return incoming + outgoing
  return BigInt(incoming) + BigInt(outgoing)
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
