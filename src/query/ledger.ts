import type { EpochMs } from '../instant.js'
import { lowerBound } from '../lower-bound.js'
import { type Sum, sumOf } from '../money.js'
import type { BookingDates } from './booking-dates.js'
import type { ListedRows } from './listed-rows.js'

/**
 * Sums, counts and booking dates of numbered groups ("bins"). Amounts are added up in units of
 * 10^-5: a double holds integers up to 2^53 exactly, so sums near it move to a BigInt. Each of few
 * bins has several lanes, to which consecutive rows go in turn: adding to a value that was just
 * written stalls the processor. The figures of a lane are 32 bytes next to one another: with many
 * bins, each row waits for another line of the cache.
 *
 *   FIELD    PLACE                       HOLDS
 *   sums     (bin × lanes + lane) × 4    sum of the positive amounts since it last moved to `high`
 *            ... + 1                     likewise, of the negative ones
 *   words    (bin × lanes + lane) × 8    over the same memory
 *            ... + 4                     rows
 *            ... + 5                     1 + number of dates - number of the earliest; 0 = no date
 *            ... + 6                     number of the latest date (booking-dates.ts); 0 = no date
 *   high     place in `sums`             sum that was moved; absent = 0
 */
export interface Ledger {
  readonly binCount: number
  readonly laneBits: number
  readonly sums: Float64Array
  readonly words: Uint32Array
  readonly high: Map<number, bigint>
  readonly dates: BookingDates
}

const COUNT = 4
const EARLIEST = 5
const LATEST = 6

/** More bins have one lane each: consecutive rows rarely meet in the same bin. */
const LANED_BINS_MAX = 4_096

const LANE_BITS = 2

/** A sum below this stays exact after a further one. */
const LOW_MAX = 2 ** 52

/** Factor of an unscaled amount, by its scale, to units of 10^-5. */
const WEIGHTS = Float64Array.of(1e5, 1e4, 1e3, 1e2, 1e1, 1)

/** A ledger without rows: zeros, as the system returns them. */
export function emptyLedger(binCount: number, dates: BookingDates): Ledger {
  const laneBits = binCount > LANED_BINS_MAX ? 0 : LANE_BITS
  const sums = new Float64Array((binCount << laneBits) * 4)
  const words = new Uint32Array(sums.buffer)
  return { binCount, laneBits, sums, words, high: new Map(), dates }
}

/** Adds up rows. @param bins of row i of `rows` at `i - rows.from` */
export function addRows(ledger: Ledger, bins: Uint32Array, rows: ListedRows): void {
  const { laneBits, sums, words, dates } = ledger
  const { ordinals, from, to, segment } = rows
  const { codes, unscaled, scales } = segment.amounts
  const { codes: dateCodes } = segment.booked
  const dateNumbers = dates.numbersOf.get(segment)!
  const dateEnd = dates.values.length + 1
  // Ranks ascend with the amounts, so that the sign is a bit of a difference and no branch: the
  // sign of unsorted amounts is unpredictable. So is which date is later.
  const negativeCount = negativeCountOf(unscaled)
  const lanes = (1 << laneBits) - 1
  for (let i = from; i < to; i++) {
    const row = ordinals[i]! // to <= ordinals.length
    const lane = (bins[i - from]! << laneBits) | (i & lanes)
    const code = codes[row]!
    const place = (lane << 2) | ((code - negativeCount) >>> 31)
    const sum = sums[place]! + unscaled[code]! * WEIGHTS[scales[code]!]!
    if (sum < LOW_MAX && sum > -LOW_MAX) sums[place] = sum
    else moveSum(ledger, place, sumOf(BigInt(unscaled[code]!), scales[code]!))
    const word = lane << 3
    words[word | COUNT]! += 1
    const date = dateNumbers[dateCodes[row]!]!
    if (date === 0) continue
    words[word | EARLIEST] = greater(words[word | EARLIEST]!, dateEnd - date)
    words[word | LATEST] = greater(words[word | LATEST]!, date)
  }
}

/** The greater of two numbers below 2^31, without a branch. */
function greater(a: number, b: number): number {
  const difference = (a | 0) - (b | 0)
  return (a | 0) - (difference & (difference >> 31))
}

function moveSum({ sums, high }: Ledger, place: number, added: Sum): void {
  high.set(place, (high.get(place) ?? 0n) + BigInt(sums[place] ?? 0) + added)
  sums[place] = 0
}

/** Number of negative amounts. @param unscaled of ascending amounts */
export function negativeCountOf(unscaled: Float64Array): number {
  return lowerBound(0, unscaled.length, (i) => unscaled[i]! < 0)
}

/** Number of rows of a bin. */
export function countOf({ words, laneBits }: Ledger, bin: number): number {
  const first = (bin << (laneBits + 3)) | COUNT
  let count = 0
  for (let lane = 0; lane < 1 << laneBits; lane++) count += words[first + lane * 8]!
  return count
}

/** The earliest booking date of a bin; NaN = none. */
export function earliestOf(ledger: Ledger, bin: number): EpochMs {
  const { values } = ledger.dates
  return values[values.length - mostOf(ledger, bin, EARLIEST)] ?? Number.NaN
}

/** The latest booking date of a bin; NaN = none. */
export function latestOf(ledger: Ledger, bin: number): EpochMs {
  return ledger.dates.values[mostOf(ledger, bin, LATEST) - 1] ?? Number.NaN
}

function mostOf({ words, laneBits }: Ledger, bin: number, figure: number): number {
  const first = (bin << (laneBits + 3)) | figure
  let most = 0
  for (let lane = 0; lane < 1 << laneBits; lane++) most = greater(most, words[first + lane * 8]!)
  return most
}

/**
 * Sum of a bin in units of 10^-5: a number if a double holds it for certain.
 * @param sign 0 = its positive amounts, 1 = its negative ones
 */
export function sumOfSign(
  { sums, high, laneBits }: Ledger,
  bin: number,
  sign: 0 | 1,
): number | Sum {
  const first = (bin << laneBits) * 4 + sign
  const end = first + (4 << laneBits)
  let sum = 0
  for (let place = first; place < end; place += 4) {
    const isLarge = sum >= LOW_MAX || sum <= -LOW_MAX
    if (isLarge || (high.size > 0 && high.has(place))) return largeSum(sums, high, first, end)
    sum += sums[place]!
  }
  return sum
}

function largeSum(
  sums: Float64Array,
  high: ReadonlyMap<number, bigint>,
  first: number,
  end: number,
): Sum {
  let sum = 0n
  for (let place = first; place < end; place += 4) {
    sum += BigInt(sums[place] ?? 0) + (high.get(place) ?? 0n)
  }
  return sum
}
