import { lowerBound } from '../lower-bound.js'
import { type Sum, sumOf } from '../money.js'
import type { CodeArray } from '../ordinals/shared-memory.js'
import type { Segment } from '../snapshot/snapshot.js'
import { type ListedRows, visitRows } from './listed-rows.js'
import type { Listing } from './listing.js'

/**
 * Rows that are summed before other requests run: a quarter of a millisecond, so that several
 * callers with long sums delay no other caller either.
 */
export const SUMMED_ROWS_AT_ONCE_MAX = 16_384

/** Exact sums of the transactions of one currency. */
export interface CurrencySum {
  readonly currency: string
  /** Number of transactions, those of amount 0 included. */
  readonly count: number
  /** Sums of the positive amounts, and of the negative ones. */
  readonly incoming: Sum
  readonly outgoing: Sum
}

/**
 * Sums of the transactions of a listing per currency, the most frequent currency first; of equals
 * in alphabetical order. A short listing is summed synchronously, a long one in slices, so that
 * other requests run between them. Rejects with the signal's reason when it is aborted.
 */
export function sumsOf(
  listing: Listing,
  signal: AbortSignal,
  rowsAtOnce = SUMMED_ROWS_AT_ONCE_MAX,
): readonly CurrencySum[] | Promise<readonly CurrencySum[]> {
  const ledgers = new Map<Segment, Ledger>()
  const visited = visitRows(listing, { signal, rowsAtOnce }, (rows) => addTo(ledgers, rows))
  return visited instanceof Promise
    ? visited.then(() => sumsOfLedgers(ledgers))
    : sumsOfLedgers(ledgers)
}

/**
 * Sums per bin (the currency of a segment's rows, or another group), scale and sign: a double holds
 * integers up to 2^53 exactly, so sums near it move to a BigInt. Consecutive rows go to different
 * lanes: adding to a value that was just written stalls the processor.
 *
 *   FIELD     PLACE                                    HOLDS
 *   low       ((bin × 6 + scale) × 2 + sign) × 4       sum since it last moved to `high`;
 *             + lane                                   sign: 0 = positive amounts and zeros,
 *                                                      1 = negative ones
 *   high      likewise                                 sum that was moved; absent = 0
 *   counts    bin × 4 + lane                           rows
 */
export interface Ledger {
  readonly low: Float64Array
  readonly high: Map<number, bigint>
  readonly counts: Uint32Array
}

const SCALES = 6
const LANES = 4

/** An amount is less than 2^50, so a sum below this stays exact after another one. */
const LOW_MAX = 2 ** 52

function addTo(ledgers: Map<Segment, Ledger>, rows: ListedRows): void {
  const { segment } = rows
  const ledger = ledgers.get(segment) ?? emptyLedger(segment.currencies.length)
  ledgers.set(segment, ledger)
  addRowsToBins(ledger, segment.currencyCodes, rows)
}

/** A ledger without rows. */
export function emptyLedger(binCount: number): Ledger {
  const places = binCount * SCALES * 2 * LANES
  return {
    low: new Float64Array(places),
    high: new Map(),
    counts: new Uint32Array(binCount * LANES),
  }
}

/** Adds up rows. @param bins by ordinal, the bin of each of them */
export function addRowsToBins(
  { low, high, counts }: Ledger,
  bins: CodeArray,
  rows: ListedRows,
): void {
  const { ordinals, from, to } = rows
  const { amounts } = rows.segment
  const { codes, unscaled: values, scales } = amounts
  // Ranks ascend with the amounts, so that the sign is a bit of a difference and no branch: the
  // sign of unsorted amounts is unpredictable.
  const negativeCount = negativeCountOf(values)
  for (let i = from; i < to; i++) {
    const row = ordinals[i]! // to <= ordinals.length
    const code = codes[row]!
    const bin = bins[row]!
    const isNegative = (code - negativeCount) >>> 31
    const lane = i & (LANES - 1)
    const place = ((bin * SCALES + scales[code]!) * 2 + isNegative) * LANES + lane
    const sum = low[place]! + values[code]!
    counts[bin * LANES + lane]! += 1
    if (sum < LOW_MAX && sum > -LOW_MAX) {
      low[place] = sum
    } else {
      high.set(place, (high.get(place) ?? 0n) + BigInt(sum))
      low[place] = 0
    }
  }
}

/** Number of negative amounts. @param unscaled of ascending amounts */
function negativeCountOf(unscaled: Float64Array): number {
  return lowerBound(0, unscaled.length, (i) => unscaled[i]! < 0)
}

/** The sums of all segments, by currency. */
function sumsOfLedgers(ledgers: ReadonlyMap<Segment, Ledger>): CurrencySum[] {
  const sums = new Map<string, CurrencySum>()
  for (const [{ currencies }, ledger] of ledgers) {
    currencies.forEach((currency, code) => {
      const count = countOf(ledger, code)
      if (count === 0) return
      const before = sums.get(currency)
      sums.set(currency, {
        currency,
        count: (before?.count ?? 0) + count,
        incoming: (before?.incoming ?? 0n) + sumOfSign(ledger, code, 0),
        outgoing: (before?.outgoing ?? 0n) + sumOfSign(ledger, code, 1),
      })
    })
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || (a.currency < b.currency ? -1 : 1))
}

/** Number of rows of a bin. */
export function countOf({ counts }: Ledger, bin: number): number {
  return counts.subarray(bin * LANES, (bin + 1) * LANES).reduce((all, some) => all + some, 0)
}

/** Sum of a bin. @param sign 0 = its positive amounts, 1 = its negative ones */
export function sumOfSign({ low, high }: Ledger, bin: number, sign: 0 | 1): Sum {
  let sum = 0n
  for (let scale = 0; scale < SCALES; scale++) {
    const first = ((bin * SCALES + scale) * 2 + sign) * LANES
    for (let place = first; place < first + LANES; place++) {
      // Of thousands of currencies, nearly all places are empty.
      const moved = high.get(place) ?? 0n
      if (low[place] !== 0 || moved !== 0n) sum += sumOf(moved + BigInt(low[place] ?? 0), scale)
    }
  }
  return sum
}
