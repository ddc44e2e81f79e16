import { AFTER_ALL_MS, BEFORE_ALL_MS, type EpochMs } from '../instant.js'
import { lowerBound } from '../lower-bound.js'
import { type Sum, sumOf } from '../money.js'
import type { ListedRows } from './listed-rows.js'

/**
 * Sums, counts and booking dates of numbered groups ("bins"). Amounts are added up in units of
 * 10^-5: a double holds integers up to 2^53 exactly, so sums near it move to a BigInt. A bin of few
 * has several lanes, to which consecutive rows go in turn: adding to a value that was just written
 * stalls the processor. A lane's figures are next to one another, because of many bins each row
 * waits for another line of the cache.
 *
 *   FIELD     PLACE                       HOLDS
 *   figures   (bin × lanes + lane) × 4    sum of the positive amounts since it last moved to `high`
 *             ... + 1                     likewise, of the negative ones
 *             ... + 2                     AFTER_ALL_MS - the earliest booking date; 0 = no date
 *             ... + 3                     the latest booking date - BEFORE_ALL_MS; 0 = no date
 *   counts    bin × lanes + lane          rows
 *   high      place in `figures`          sum that was moved; absent = 0
 */
export interface Ledger {
  readonly binCount: number
  readonly laneBits: number
  readonly figures: Float64Array
  readonly counts: Uint32Array
  readonly high: Map<number, bigint>
}

/** More bins have one lane each: consecutive rows rarely meet in the same bin. */
const LANED_BINS_MAX = 4_096

const LANE_BITS = 2

/** A sum below this stays exact after a further one. */
const LOW_MAX = 2 ** 52

/** Factor of an unscaled amount, by its scale, to units of 10^-5. */
const WEIGHTS = Float64Array.of(1e5, 1e4, 1e3, 1e2, 1e1, 1)

/** A ledger without rows: zeros, as the system returns them. */
export function emptyLedger(binCount: number): Ledger {
  const laneBits = binCount > LANED_BINS_MAX ? 0 : LANE_BITS
  const laneCount = binCount << laneBits
  return {
    ...{ binCount, laneBits, high: new Map() },
    figures: new Float64Array(laneCount * 4),
    counts: new Uint32Array(laneCount),
  }
}

/** Adds up rows. @param bins of row i of `rows` at `i - rows.from` */
export function addRows(ledger: Ledger, bins: Uint32Array, rows: ListedRows): void {
  const { laneBits, figures, counts } = ledger
  const { ordinals, from, to, segment } = rows
  const { codes, unscaled, scales } = segment.amounts
  const { codes: dateCodes, values: dates, valueCount: dateCount } = segment.booked
  // Ranks ascend with the amounts, so that the sign is a bit of a difference and no branch: the
  // sign of unsorted amounts is unpredictable.
  const negativeCount = negativeCountOf(unscaled)
  const lanes = (1 << laneBits) - 1
  for (let i = from; i < to; i++) {
    const row = ordinals[i]! // to <= ordinals.length
    const lane = (bins[i - from]! << laneBits) + (i & lanes)
    const code = codes[row]!
    const place = lane * 4 + ((code - negativeCount) >>> 31)
    const sum = figures[place]! + unscaled[code]! * WEIGHTS[scales[code]!]!
    counts[lane]! += 1
    if (sum < LOW_MAX && sum > -LOW_MAX) figures[place] = sum
    else moveSum(ledger, place, sumOf(BigInt(unscaled[code]!), scales[code]!))
    const dateCode = dateCodes[row]!
    if (dateCode < dateCount) {
      const date = dates[dateCode]!
      figures[lane * 4 + 2] = Math.max(figures[lane * 4 + 2]!, AFTER_ALL_MS - date)
      figures[lane * 4 + 3] = Math.max(figures[lane * 4 + 3]!, date - BEFORE_ALL_MS)
    }
  }
}

function moveSum({ figures, high }: Ledger, place: number, added: Sum): void {
  high.set(place, (high.get(place) ?? 0n) + BigInt(figures[place] ?? 0) + added)
  figures[place] = 0
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

/** The latest booking date of a bin, or with sign -1 the earliest; NaN = none. */
export function dateOf(ledger: Ledger, bin: number, sign: 1 | -1): EpochMs {
  const most = mostOf(ledger, bin, sign === 1 ? 3 : 2)
  if (most === 0) return Number.NaN
  return sign === 1 ? most + BEFORE_ALL_MS : AFTER_ALL_MS - most
}

function mostOf({ figures, laneBits }: Ledger, bin: number, figure: 2 | 3): number {
  const first = (bin << laneBits) * 4 + figure
  let most = figures[first]!
  for (let lane = 1; lane < 1 << laneBits; lane++) {
    most = Math.max(most, figures[first + lane * 4]!)
  }
  return most
}

/**
 * Sum of a bin in units of 10^-5: a number if a double holds it for certain.
 * @param sign 0 = its positive amounts, 1 = its negative ones
 */
export function sumOfSign(
  { figures, high, laneBits }: Ledger,
  bin: number,
  sign: 0 | 1,
): number | Sum {
  const first = (bin << laneBits) * 4 + sign
  const end = first + (4 << laneBits)
  let sum = 0
  for (let place = first; place < end; place += 4) {
    const isLarge = sum >= LOW_MAX || sum <= -LOW_MAX
    if (isLarge || (high.size > 0 && high.has(place))) return largeSum(figures, high, first, end)
    sum += figures[place]!
  }
  return sum
}

function largeSum(
  figures: Float64Array,
  high: ReadonlyMap<number, bigint>,
  first: number,
  end: number,
): Sum {
  let sum = 0n
  for (let place = first; place < end; place += 4) {
    sum += BigInt(figures[place] ?? 0) + (high.get(place) ?? 0n)
  }
  return sum
}
