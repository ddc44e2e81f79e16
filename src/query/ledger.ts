import { AFTER_ALL_MS, BEFORE_ALL_MS } from '../instant.js'
import { lowerBound } from '../lower-bound.js'
import { type Sum, sumOf } from '../money.js'
import type { ListedRows } from './listed-rows.js'

/**
 * Sums, counts and booking dates of numbered groups ("bins"). Amounts are added up in units of
 * 10^-5: a double holds integers up to 2^53 exactly, so sums near it move to a BigInt. Of few bins,
 * consecutive rows go to different lanes: adding to a value that was just written stalls the
 * processor.
 *
 *   FIELD     PLACE                                HOLDS
 *   low       (bin × 2 + sign) × lanes + lane      sum since it last moved to `high`;
 *                                                  sign: 0 = positive amounts and zeros,
 *                                                  1 = negative ones
 *   high      likewise                             sum that was moved; absent = 0
 *   counts    bin × lanes + lane                   rows
 *   earliest  bin                                  AFTER_ALL_MS - the earliest booking date
 *   latest    bin                                  the latest one - BEFORE_ALL_MS; 0 = no date
 */
export interface Ledger {
  readonly binCount: number
  readonly laneBits: number
  readonly low: Float64Array
  readonly high: Map<number, bigint>
  readonly counts: Uint32Array
  readonly earliest: Float64Array
  readonly latest: Float64Array
}

/** Sums of more bins are added up in one lane: their rows rarely meet in the same bin. */
const LANED_BINS_MAX = 4_096

const LANE_BITS = 2

/** A sum below this stays exact after a further one. */
const LOW_MAX = 2 ** 52

/** Factor of an unscaled amount, by its scale, to units of 10^-5. */
const WEIGHTS = Float64Array.of(1e5, 1e4, 1e3, 1e2, 1e1, 1)

/** A ledger without rows. */
export function emptyLedger(binCount: number): Ledger {
  const laneBits = binCount > LANED_BINS_MAX ? 0 : LANE_BITS
  return {
    binCount,
    laneBits,
    low: new Float64Array((binCount * 2) << laneBits),
    high: new Map(),
    counts: new Uint32Array(binCount << laneBits),
    // Zeros, as the system returns them: filling the arrays of many bins would take a long turn.
    earliest: new Float64Array(binCount),
    latest: new Float64Array(binCount),
  }
}

/** Adds up rows. @param bins of row i of `rows` at `i - rows.from` */
export function addRows(ledger: Ledger, bins: Uint32Array, rows: ListedRows): void {
  const { laneBits, low, counts, earliest, latest } = ledger
  const { ordinals, from, to, segment } = rows
  const { codes, unscaled, scales } = segment.amounts
  const { codes: dateCodes, values: dates, valueCount: dateCount } = segment.booked
  // Ranks ascend with the amounts, so that the sign is a bit of a difference and no branch: the
  // sign of unsorted amounts is unpredictable.
  const negativeCount = negativeCountOf(unscaled)
  const lanes = (1 << laneBits) - 1
  for (let i = from; i < to; i++) {
    const row = ordinals[i]! // to <= ordinals.length
    const bin = bins[i - from]!
    const code = codes[row]!
    const isNegative = (code - negativeCount) >>> 31
    const lane = i & lanes
    const place = ((bin * 2 + isNegative) << laneBits) + lane
    const sum = low[place]! + unscaled[code]! * WEIGHTS[scales[code]!]!
    counts[(bin << laneBits) + lane]! += 1
    if (sum < LOW_MAX && sum > -LOW_MAX) low[place] = sum
    else moveSum(ledger, place, sumOf(BigInt(unscaled[code]!), scales[code]!))
    const dateCode = dateCodes[row]!
    if (dateCode < dateCount) {
      const date = dates[dateCode]!
      if (AFTER_ALL_MS - date > earliest[bin]!) earliest[bin] = AFTER_ALL_MS - date
      if (date - BEFORE_ALL_MS > latest[bin]!) latest[bin] = date - BEFORE_ALL_MS
    }
  }
}

function moveSum({ low, high }: Ledger, place: number, added: Sum): void {
  high.set(place, (high.get(place) ?? 0n) + BigInt(low[place] ?? 0) + added)
  low[place] = 0
}

/** Number of negative amounts. @param unscaled of ascending amounts */
export function negativeCountOf(unscaled: Float64Array): number {
  return lowerBound(0, unscaled.length, (i) => unscaled[i]! < 0)
}

/** Number of rows of a bin. */
export function countOf({ counts, laneBits }: Ledger, bin: number): number {
  const first = bin << laneBits
  let count = counts[first]!
  for (let lane = 1; lane < 1 << laneBits; lane++) count += counts[first + lane]!
  return count
}

/**
 * Sum of a bin in units of 10^-5: a number if a double holds it for certain.
 * @param sign 0 = its positive amounts, 1 = its negative ones
 */
export function sumOfSign({ low, high, laneBits }: Ledger, bin: number, sign: 0 | 1): number | Sum {
  const first = (bin * 2 + sign) << laneBits
  const end = first + (1 << laneBits)
  let sum = 0
  for (let place = first; place < end; place++) {
    const isLarge = sum >= LOW_MAX || sum <= -LOW_MAX
    if (isLarge || (high.size > 0 && high.has(place))) return largeSum(low, high, first, end)
    sum += low[place]!
  }
  return sum
}

function largeSum(
  low: Float64Array,
  high: ReadonlyMap<number, bigint>,
  first: number,
  end: number,
): Sum {
  let sum = 0n
  for (let place = first; place < end; place++) {
    sum += BigInt(low[place] ?? 0) + (high.get(place) ?? 0n)
  }
  return sum
}
