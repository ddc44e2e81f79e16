import { AMOUNT_SCALE_MAX } from '../limits.js'
import { lowerBound } from '../lower-bound.js'
import { type Amount, compareAmounts } from '../money.js'
import {
  type CodeArray,
  sharedBytes,
  sharedCodes,
  sharedFloat64,
  sharedUint32,
} from '../ordinals/shared-memory.js'

/**
 * A column for sorting and ranges. A row's value is stored as its rank among the distinct values,
 * so a comparison of values is a comparison of small integers.
 *
 *   FIELD          SIZE           HOLDS
 *   codes          1|2|4 × rows   rank of the row's value; `valueCount` = the row has none
 *   order          4 × rows       ordinals, ascending by (value, id); rows without a value last,
 *                                 ascending by id; so ordinals descend within equal values
 *   presentCount                  rows with a value: order[0 .. presentCount)
 */
export interface OrderedCodes {
  readonly codes: CodeArray
  readonly order: Uint32Array
  readonly presentCount: number
  readonly valueCount: number
}

/** Instants, `values[code]` in epoch milliseconds, ascending and distinct. */
export interface InstantColumn extends OrderedCodes {
  readonly values: Float64Array
}

/**
 * Amounts by value: `unscaled[code] / 10 ** scales[code]`, ascending and distinct.
 *
 *   FIELD      SIZE            HOLDS
 *   unscaled   8 × valueCount  integer
 *   scales     1 × valueCount  0 to 5
 *   units      8 × valueCount  units of 10^-5; exact below 2^53, else rounded
 */
export interface AmountColumn extends OrderedCodes {
  readonly unscaled: Float64Array
  readonly scales: Uint8Array
  readonly units: Float64Array
}

/** @param instants one per ordinal, epoch ms; NaN = the row has none */
export function buildInstantColumn(instants: Float64Array): InstantColumn {
  const { distinct, codes } = ranked(instants)
  const values = sharedFloat64(distinct.length)
  values.set(distinct)
  return { values, ...order(codes, distinct.length) }
}

/**
 * Amounts are ranked by their quotients: a decimal of up to 15 digits has a double of its own, and
 * doubles are in the order of the decimals (IEEE 754: division rounds to the nearest, and DBL_DIG
 * is 15).
 * @param amounts unscaled per ordinal, up to 15 digits   @param scales per ordinal, smallest form
 */
export function buildAmountColumn(amounts: Float64Array, scales: Uint8Array): AmountColumn {
  const quotients = amounts.map((unscaled, row) => unscaled / 10 ** scales[row]!)
  const { distinct, codes } = ranked(quotients)
  const unscaled = sharedFloat64(distinct.length)
  const scaleOf = sharedBytes(distinct.length)
  const units = sharedFloat64(distinct.length)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!
    unscaled[code] = amounts[row]!
    scaleOf[code] = scales[row]!
  }
  for (let code = 0; code < distinct.length; code++) {
    units[code] = unscaled[code]! * 10 ** (AMOUNT_SCALE_MAX - scaleOf[code]!)
  }
  return { unscaled, scales: scaleOf, units, ...order(codes, distinct.length) }
}

/** Distinct numbers ascending, and the rank of each row's; rows with NaN have their count. */
function ranked(values: Float64Array): { distinct: Float64Array; codes: CodeArray } {
  const distinct = distinctOf(values)
  const rankOf = new Map<number, number>()
  distinct.forEach((value, rank) => {
    rankOf.set(value, rank)
  })
  const codes = sharedCodes(values.length, distinct.length)
  let last = Number.NaN
  let code = distinct.length
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!
    // Instants come in runs, which take no look-up.
    if (value !== last) code = rankOf.get(value) ?? distinct.length
    last = value
    codes[row] = code
  }
  return { distinct, codes }
}

/** Distinct numbers ascending, without NaN. Sorting takes half of the time of a Set. */
function distinctOf(values: Float64Array): Float64Array {
  const starts = values.filter((value, row) => value !== values[row - 1] && !Number.isNaN(value))
  starts.sort()
  return starts.filter((value, i) => value !== starts[i - 1])
}

/** Counting sort: linear, stable, no comparator. */
function order(codes: CodeArray, valueCount: number): OrderedCodes {
  const rowCount = codes.length
  const ends = new Uint32Array(valueCount + 2)
  for (let row = 0; row < rowCount; row++) {
    const slot = codes[row]! + 1 // code <= valueCount
    ends[slot] = ends[slot]! + 1
  }
  for (let code = 0; code <= valueCount; code++) ends[code + 1] = ends[code + 1]! + ends[code]!
  const presentCount = ends[valueCount] ?? 0
  const ordinals = sharedUint32(rowCount)
  // Ids ascend as ordinals descend, so a backward loop leaves equal values in ascending ids.
  for (let row = rowCount - 1; row >= 0; row--) {
    const code = codes[row]!
    ordinals[ends[code]!] = row
    ends[code] = ends[code]! + 1
  }
  return { codes, order: ordinals, presentCount, valueCount }
}

/** Index of the first value that is not below `ms`; `values.length` when all are. */
export function firstAtLeast(values: Float64Array, ms: number): number {
  return lowerBound(0, values.length, (i) => values[i]! < ms)
}

/** Index of the first value above `ms`; `values.length` when none is. */
export function firstAbove(values: Float64Array, ms: number): number {
  return lowerBound(0, values.length, (i) => values[i]! <= ms)
}

/** Rank of the first amount that is not below the given one; `valueCount` when all are. */
export function firstAmountAtLeast(column: AmountColumn, amount: Amount): number {
  return lowerBound(0, column.valueCount, (rank) => compareTo(column, rank, amount) < 0)
}

/** Rank of the first amount above the given one; `valueCount` when none is. */
export function firstAmountAbove(column: AmountColumn, amount: Amount): number {
  return lowerBound(0, column.valueCount, (rank) => compareTo(column, rank, amount) <= 0)
}

function compareTo({ unscaled, scales }: AmountColumn, rank: number, amount: Amount): number {
  return compareAmounts({ unscaled: unscaled[rank]!, scale: scales[rank]! }, amount)
}

/** Position in `order` of the first row whose code is not below `code`. */
export function positionOfCode(column: OrderedCodes, code: number): number {
  const { codes, order, presentCount } = column
  return lowerBound(0, presentCount, (position) => codes[order[position]!]! < code)
}
