import { setImmediate } from 'node:timers/promises'
import { SUMMED_ROWS_AT_ONCE_MAX } from '../limits.js'
import { type Sum, sumOf } from '../money.js'
import { bitCount } from '../ordinals/sieve.js'
import type { Segment } from '../snapshot/snapshot.js'
import type { AnyRun, Listing, Run } from './listing.js'

/** What transactions of one currency add up to, exactly. */
export interface CurrencySum {
  readonly currency: string
  /** How many there are, those of 0 as well. */
  readonly count: number
  /** Of the positive amounts, and of the negative ones. */
  readonly incoming: Sum
  readonly outgoing: Sum
}

/**
 * Rows of one segment, in any order: those at places [from, to) of `ordinals`; or, without them,
 * the ordinals [from, to) themselves; or those among them that have their bit in `words`, `from`
 * and `to` being multiples of 32 then.
 */
interface Stretch {
  readonly segment: Segment
  readonly ordinals?: Uint32Array | undefined
  readonly words?: Uint32Array | undefined
  readonly from: number
  readonly to: number
}

/**
 * What the transactions of a listing add up to, the currency that most of them have first; of
 * equals in the order of the alphabet. A short one is added up at once, a long one by turns, so
 * that others have theirs. Rejects with the signal's reason when it is aborted.
 */
export function sumsOf(
  listing: Listing,
  signal: AbortSignal,
  rowsAtOnce = SUMMED_ROWS_AT_ONCE_MAX,
): readonly CurrencySum[] | Promise<readonly CurrencySum[]> {
  const stretches = stretchesOf(listing)
  const ledgers = new Map<Segment, Ledger>()
  const rowCount = stretches.reduce((count, { from, to }) => count + to - from, 0)
  if (rowCount <= rowsAtOnce) {
    for (const stretch of stretches) addStretch(ledgers, stretch)
    return sumsOfLedgers(ledgers)
  }
  return sumByTurns(ledgers, stretches, signal, rowsAtOnce)
}

async function sumByTurns(
  ledgers: Map<Segment, Ledger>,
  stretches: readonly Stretch[],
  signal: AbortSignal,
  rowsAtOnce: number,
): Promise<readonly CurrencySum[]> {
  let left = rowsAtOnce
  for (const stretch of stretches) {
    for (let from = stretch.from; from < stretch.to; ) {
      if (left <= 0) {
        await setImmediate()
        signal.throwIfAborted()
        left = rowsAtOnce
      }
      // Rounded up to whole words of bits.
      const to = Math.min(stretch.to, from + ((left + 31) & ~31))
      addStretch(ledgers, { ...stretch, from, to })
      left -= to - from
      from = to
    }
  }
  return sumsOfLedgers(ledgers)
}

/** The rows of a listing, each once. */
function stretchesOf({ parts }: Listing): Stretch[] {
  const bySegment = new Map<Segment, AnyRun[]>()
  for (const run of parts.flatMap((part) => ('runs' in part ? part.runs : [part]))) {
    bySegment.set(run.segment, [...(bySegment.get(run.segment) ?? []), run])
  }
  return Array.from(bySegment, ([segment, runs]) => stretchesOfSegment(segment, runs)).flat()
}

function stretchesOfSegment(segment: Segment, runs: readonly AnyRun[]): Stretch[] {
  const { rowCount } = segment
  // In whatever order they are listed: in their own they are added up in half the time.
  const listedCount = runs.reduce((count, run) => count + run.count, 0)
  if (listedCount === rowCount) return [{ segment, from: 0, to: rowCount }]
  const siftings = new Set<object>()
  return runs.flatMap((run): Stretch[] => {
    if (!('sifting' in run)) return [stretchOfRun(run)]
    // Rows with and without the sort key are two runs of one sifting, and together all of it.
    const { words } = run.sifting.sieve
    if (siftings.has(words)) return []
    siftings.add(words)
    return [{ segment, words, from: 0, to: words.length * 32 }]
  })
}

function stretchOfRun({ segment, ordinals, first, step, count }: Run): Stretch {
  const from = step === 1 ? first : first - count + 1
  return { segment, ordinals, from, to: from + count }
}

/**
 * Added up per currency of a segment, scale and sign: a double holds whole numbers up to 2^53, so
 * what comes near it moves on to a BigInt. Rows that follow each other go to different lanes: to
 * add to what was written just before has the processor wait for it.
 *
 *   FIELD     PLACE                                       HOLDS
 *   low       ((currency × 6 + scale) × 2 + sign) × 4     what was added since it last moved on;
 *             + lane                                      sign: 0 = positive amounts and zeros,
 *                                                         1 = negative ones
 *   high      likewise                                    what has moved on
 *   counts    currency × 4 + lane                         rows
 */
interface Ledger {
  readonly low: Float64Array
  readonly high: bigint[]
  readonly counts: Uint32Array
}

const SCALES = 6
const LANES = 4

/** An amount is less than 2^50, so what is below this can take another one and stay exact. */
const LOW_MAX = 2 ** 52

function addStretch(ledgers: Map<Segment, Ledger>, stretch: Stretch): void {
  const { segment, ordinals, words, from, to } = stretch
  const ledger = ledgers.get(segment) ?? emptyLedger(segment.currencies.length)
  ledgers.set(segment, ledger)
  if (ordinals !== undefined) {
    addRows(ledger, segment, ordinals, from, to)
    return
  }
  for (let at = from; at < to; at += FOUND_ROWS) {
    const end = Math.min(at + FOUND_ROWS, to)
    const found = words === undefined ? rowsBetween(at, end) : rowsPassing(words, at, end)
    addRows(ledger, segment, found, 0, found.length)
  }
}

/** Ordinals that are listed at a time, to be added up by the one loop for listed ones. */
const FOUND_ROWS = 4_096

function emptyLedger(currencyCount: number): Ledger {
  const places = currencyCount * SCALES * 2 * LANES
  return {
    low: new Float64Array(places),
    high: new Array<bigint>(places).fill(0n),
    counts: new Uint32Array(currencyCount * LANES),
  }
}

function rowsBetween(from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from)
  for (let i = 0; i < rows.length; i++) rows[i] = from + i
  return rows
}

/** The rows in [from, to) that have their bit. @param from a multiple of 32, as `to` */
function rowsPassing(words: Uint32Array, from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from)
  let end = 0
  for (let i = from >>> 5; i < to >>> 5; i++) {
    for (let rest = words[i]!; rest !== 0; rest &= rest - 1) {
      rows[end++] = (i << 5) + bitCount((rest & -rest) - 1)
    }
  }
  return rows.subarray(0, end)
}

/** Adds up the rows at places [from, to) of `ordinals`. */
function addRows(
  { low, high, counts }: Ledger,
  { amounts, currencyCodes }: Segment,
  ordinals: Uint32Array,
  from: number,
  to: number,
): void {
  const { codes, unscaled: values, scales } = amounts
  // Ranks ascend with the amounts, so that the sign is a bit of a difference and no branch: of
  // amounts in no order nobody could foresee it.
  const negativeCount = negativeCountOf(values)
  for (let i = from; i < to; i++) {
    const row = ordinals[i]! // to <= ordinals.length
    const code = codes[row]!
    const currency = currencyCodes[row]!
    const isNegative = (code - negativeCount) >>> 31
    const lane = i & (LANES - 1)
    const place = ((currency * SCALES + scales[code]!) * 2 + isNegative) * LANES + lane
    const sum = low[place]! + values[code]!
    counts[currency * LANES + lane]! += 1
    if (sum < LOW_MAX && sum > -LOW_MAX) {
      low[place] = sum
    } else {
      high[place] = high[place]! + BigInt(sum)
      low[place] = 0
    }
  }
}

/** How many amounts are negative. @param unscaled of amounts that ascend */
function negativeCountOf(unscaled: Float64Array): number {
  let low = 0
  let high = unscaled.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (unscaled[middle]! < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The sums of all segments, by currency. */
function sumsOfLedgers(ledgers: ReadonlyMap<Segment, Ledger>): CurrencySum[] {
  const sums = new Map<string, CurrencySum>()
  for (const [{ currencies }, ledger] of ledgers) {
    currencies.forEach((currency, code) => {
      const counts = ledger.counts.subarray(code * LANES, (code + 1) * LANES)
      const count = counts.reduce((all, of) => all + of, 0)
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

function sumOfSign({ low, high }: Ledger, currency: number, sign: 0 | 1): Sum {
  let sum = 0n
  for (let scale = 0; scale < SCALES; scale++) {
    const first = ((currency * SCALES + scale) * 2 + sign) * LANES
    for (let place = first; place < first + LANES; place++) {
      sum += sumOf((high[place] ?? 0n) + BigInt(low[place] ?? 0), scale)
    }
  }
  return sum
}
