import type { EpochMs } from '../instant.js'
import { lowerBound } from '../lower-bound.js'
import { type Sum, sumOf } from '../money.js'
import { type BookingDates, bookingDateBytes } from './booking-dates.js'
import type { ListedRows } from './listed-rows.js'
import { inSteps, type StepwiseWork } from './turns.js'

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
  /** undefined = only sums and counts are gathered. */
  readonly dates: BookingDates | undefined
}

const COUNT = 4
const EARLIEST = 5
const LATEST = 6

/** More bins have one lane each: consecutive rows rarely meet in the same bin. */
const LANED_BINS_MAX = 4_096

const LANE_BITS = 2

/** A sum below this stays exact after a further one. */
const LOW_MAX = 2 ** 52

/** Bins of a step that copies, and its cost: some ten microseconds. */
const COPYING = { numbers: 1_024, cost: 1_024 }

/** A ledger without rows: zeros, as the system returns them. */
export function emptyLedger(binCount: number, dates: BookingDates | undefined): Ledger {
  return ledgerOf(binCount, binCount > LANED_BINS_MAX ? 0 : LANE_BITS, dates)
}

function ledgerOf(binCount: number, laneBits: number, dates: BookingDates | undefined): Ledger {
  const sums = new Float64Array((binCount << laneBits) * 4)
  const words = new Uint32Array(sums.buffer)
  return { binCount, laneBits, sums, words, high: new Map(), dates }
}

/** Cost of a row: that of one with a line of memory of its own, or of one among few. */
export function rowCostOf({ laneBits }: Ledger): number {
  return laneBits === 0 ? 2 : 1
}

/** Adds up rows. @param bins of row i of `rows` at `i - rows.from`; replaced by their lanes */
export function addRows(ledger: Ledger, bins: Uint32Array, rows: ListedRows): void {
  // The shortest loop comes first: the processor fetches the lines of many rows at a time.
  countRows(ledger, bins, rows.to - rows.from)
  addAmounts(ledger, bins, rows)
  if (ledger.dates !== undefined) widenDates(ledger, ledger.dates, bins, rows)
}

/** @param lanes in: the bins */
function countRows({ laneBits, words }: Ledger, lanes: Uint32Array, count: number): void {
  const mask = (1 << laneBits) - 1
  for (let i = 0; i < count; i++) {
    const lane = (lanes[i]! << laneBits) | (i & mask)
    lanes[i] = lane
    words[(lane << 3) | COUNT]! += 1
  }
}

function addAmounts(ledger: Ledger, lanes: Uint32Array, rows: ListedRows): void {
  const { sums } = ledger
  const { ordinals, from, to, segment } = rows
  const { codes, unscaled, scales, units } = segment.amounts
  // Ranks ascend with the amounts, so that the sign is a bit of a difference and no branch: the
  // sign of unsorted amounts is unpredictable.
  const negativeCount = negativeCountOf(unscaled)
  for (let i = from; i < to; i++) {
    const code = codes[ordinals[i]!]! // to <= ordinals.length
    const place = (lanes[i - from]! << 2) | ((code - negativeCount) >>> 31)
    const sum = sums[place]! + units[code]!
    if (sum < LOW_MAX && sum > -LOW_MAX) sums[place] = sum
    else moveSum(ledger, place, sumOf(BigInt(unscaled[code]!), scales[code]!))
  }
}

function widenDates(
  { words }: Ledger,
  { values, numbersOf }: BookingDates,
  lanes: Uint32Array,
  { ordinals, from, to, segment }: ListedRows,
): void {
  const { codes } = segment.booked
  const numbers = numbersOf.get(segment)!
  const end = values.length + 1
  for (let i = from; i < to; i++) {
    const date = numbers[codes[ordinals[i]!]!]! // to <= ordinals.length
    if (date === 0) continue
    const word = lanes[i - from]! << 3
    words[word | EARLIEST] = greater(words[word | EARLIEST]!, end - date)
    words[word | LATEST] = greater(words[word | LATEST]!, date)
  }
}

/** The greater of two numbers below 2^31; without a branch, as rows are in no order of dates. */
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

/** Whether a bin has rows. */
export function hasRows({ words, laneBits }: Ledger, bin: number): boolean {
  const end = (bin + 1) << (laneBits + 3)
  for (let word = bin << (laneBits + 3); word < end; word += 8) {
    if (words[word | COUNT] !== 0) return true
  }
  return false
}

/** The bins of a ledger with one lane each. @param bins those that are kept; absent = all */
export function* compactedLedger(ledger: Ledger, bins?: Uint32Array): StepwiseWork<Ledger> {
  const { binCount, laneBits, dates } = ledger
  const count = bins?.length ?? binCount
  if (count === binCount && laneBits === 0) return ledger
  const compacted = ledgerOf(count, 0, dates)
  yield* inSteps(count, COPYING, (from, to) => {
    for (let bin = from; bin < to; bin++) {
      const source = bins?.[bin] ?? bin
      const end = (source + 1) << laneBits
      for (let lane = source << laneBits; lane < end; lane++) addLane(compacted, bin, ledger, lane)
    }
  })
  return compacted
}

/** @param to a ledger with one lane a bin */
function addLane(to: Ledger, bin: number, from: Ledger, lane: number): void {
  const [target, source] = [bin << 3, lane << 3]
  to.words[target | COUNT]! += from.words[source | COUNT]!
  const earliest = greater(to.words[target | EARLIEST]!, from.words[source | EARLIEST]!)
  to.words[target | EARLIEST] = earliest
  to.words[target | LATEST] = greater(to.words[target | LATEST]!, from.words[source | LATEST]!)
  addSum(to, bin << 2, from, lane << 2)
  addSum(to, (bin << 2) | 1, from, (lane << 2) | 1)
}

function addSum(to: Ledger, place: number, from: Ledger, source: number): void {
  const sum = to.sums[place]! + from.sums[source]!
  if (sum < LOW_MAX && sum > -LOW_MAX) to.sums[place] = sum
  else moveSum(to, place, BigInt(from.sums[source]!))
  const moved = from.high.size === 0 ? undefined : from.high.get(source)
  if (moved !== undefined) to.high.set(place, (to.high.get(place) ?? 0n) + moved)
}

// Figures of the bins of a ledger with one lane each.

/** Number of rows of a bin. */
export function countOf({ words }: Ledger, bin: number): number {
  return words[(bin << 3) | COUNT]!
}

/** The earliest booking date of a bin; undefined = none. */
export function earliestOf({ words, dates }: Ledger, bin: number): EpochMs | undefined {
  return dates?.values[dates.values.length - words[(bin << 3) | EARLIEST]!]
}

/** The latest booking date of a bin; undefined = none. */
export function latestOf({ words, dates }: Ledger, bin: number): EpochMs | undefined {
  return dates?.values[words[(bin << 3) | LATEST]! - 1]
}

/**
 * Sum of a bin in units of 10^-5: a number if a double holds it for certain.
 * @param sign 0 = its positive amounts, 1 = its negative ones
 */
export function sumOfSign({ sums, high }: Ledger, bin: number, sign: 0 | 1): number | Sum {
  const place = (bin << 2) | sign
  const moved = high.size === 0 ? undefined : high.get(place)
  return moved === undefined ? sums[place]! : moved + BigInt(sums[place]!)
}

/** Bytes of the arrays of a ledger. */
export function ledgerBytes({ sums, high, dates }: Ledger): number {
  const own = sums.byteLength + high.size * BIG_SUM_BYTES
  return dates === undefined ? own : own + bookingDateBytes(dates)
}

/** A BigInt and its entry of a Map. */
const BIG_SUM_BYTES = 100
