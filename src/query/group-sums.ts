import { type EpochMs, formatInstant } from '../instant.js'
import type { Sum } from '../money.js'
import type { IdDictionary } from '../snapshot/id-dictionary.js'
import type { Segment } from '../snapshot/snapshot.js'
import { type ListedRows, visitRows } from './listed-rows.js'
import type { Listing } from './listing.js'
import {
  addRowsToBins,
  countOf,
  emptyLedger,
  type Ledger,
  SUMMED_ROWS_AT_ONCE_MAX,
  sumOfSign,
} from './sums.js'

/** Exact sums of the transactions of a group. */
export interface GroupSum<Key> {
  readonly key: Key
  /** Number of transactions, those of amount 0 included. */
  readonly count: number
  /** Sums of the positive amounts, and of the negative ones. */
  readonly incoming: Sum
  readonly outgoing: Sum
}

/** Transactions to sum, and the limits of the request. */
export interface GroupRequest {
  readonly listing: Listing
  /** Only transactions in this currency. */
  readonly currency: string
  /** Aborts when the caller no longer waits for the sums. */
  readonly signal: AbortSignal
  /** Rows of a slice; the default takes a few milliseconds. */
  readonly rowsAtOnce?: number
}

/**
 * Sums by the month of the booking date, `YYYY-MM` (UTC), ascending; `null`, rows without a booking
 * date, last. In slices where there are many rows. Rejects with the signal's reason.
 */
export async function sumsByMonth(request: GroupRequest): Promise<GroupSum<string | null>[]> {
  const sums = await sumsByKey(request, monthBins)
  return sums.sort((a, b) => (a.key === null ? 1 : b.key === null ? -1 : a.key < b.key ? -1 : 1))
}

/**
 * Sums by broad category: the id of the parent category, or of the category where there is no
 * parent; `null` = neither. Descending by turnover, in both directions; of equals the lesser id
 * first.
 */
export async function sumsByCategory(
  request: GroupRequest,
  { categoryIds }: IdDictionary,
): Promise<GroupSum<number | null>[]> {
  const sums = await sumsByKey<number | null>(request, (segment, keys) =>
    categoryBins(segment, keys, categoryIds),
  )
  return sums.sort((a, b) => {
    const difference = turnoverOf(b) - turnoverOf(a)
    if (difference !== 0n) return difference > 0n ? 1 : -1
    return (a.key ?? Number.MAX_VALUE) - (b.key ?? Number.MAX_VALUE)
  })
}

function turnoverOf({ incoming, outgoing }: GroupSum<unknown>): Sum {
  return incoming - outgoing
}

/** Numbers keys in order of first appearance, from 1; 0 stands for other currencies. */
class Keys<Key> {
  readonly all: Key[] = []
  readonly #bins = new Map<Key, number>()

  binOf(key: Key): number {
    const known = this.#bins.get(key)
    if (known !== undefined) return known
    const bin = this.all.push(key)
    this.#bins.set(key, bin)
    return bin
  }
}

/** Writes the bin of each row in the requested currency. */
type Sorting = (rows: ListedRows, bins: Uint32Array, currency: number) => void

interface Open {
  readonly bins: Uint32Array
  readonly sort: Sorting
  readonly currency: number
  readonly keyCount: number
  readonly ledger: Ledger
}

async function sumsByKey<Key>(
  { listing, currency, signal, rowsAtOnce = SUMMED_ROWS_AT_ONCE_MAX }: GroupRequest,
  sortingOf: (segment: Segment, keys: Keys<Key>) => Sorting,
): Promise<GroupSum<Key>[]> {
  const keys = new Keys<Key>()
  const opened = new Map<Segment, Open>()
  await visitRows(listing, { signal, rowsAtOnce }, (rows) => {
    const { segment } = rows
    const open = opened.get(segment) ?? openSegment(segment, currency, keys, sortingOf)
    opened.set(segment, open)
    open.sort(rows, open.bins, open.currency)
    addRowsToBins(open.ledger, open.bins, rows)
  })
  return keys.all.flatMap((key, place) => {
    const sum = { key, count: 0, incoming: 0n, outgoing: 0n }
    for (const { ledger, keyCount } of opened.values()) {
      if (place >= keyCount) continue
      sum.count += countOf(ledger, place + 1)
      sum.incoming += sumOfSign(ledger, place + 1, 0)
      sum.outgoing += sumOfSign(ledger, place + 1, 1)
    }
    return sum.count === 0 ? [] : [sum]
  })
}

function openSegment<Key>(
  segment: Segment,
  currency: string,
  keys: Keys<Key>,
  sortingOf: (segment: Segment, keys: Keys<Key>) => Sorting,
): Open {
  const sort = sortingOf(segment, keys)
  return {
    bins: new Uint32Array(segment.rowCount),
    sort,
    currency: segment.currencies.indexOf(currency),
    keyCount: keys.all.length,
    ledger: emptyLedger(keys.all.length + 1),
  }
}

/** All months of the segment are numbered before its first row is read. */
function monthBins({ booked }: Segment, keys: Keys<string | null>): Sorting {
  const months = Uint32Array.from([...booked.values, null], (ms) =>
    keys.binOf(ms === null ? null : monthOf(ms)),
  )
  return ({ segment, ordinals, from, to }, bins, currency) => {
    const { currencyCodes } = segment
    for (let i = from; i < to; i++) {
      const row = ordinals[i]! // to <= ordinals.length
      // The code of a row without a date is one past the last date's.
      bins[row] = currencyCodes[row] === currency ? months[booked.codes[row]!]! : 0
    }
  }
}

function monthOf(ms: EpochMs): string {
  return formatInstant(ms).slice(0, 7)
}

function categoryBins(
  { fragments, categoryCodes, parentCodes }: Segment,
  keys: Keys<number | null>,
  categoryIds: readonly number[],
): Sorting {
  const none = fragments.categories.length
  const known = Uint32Array.from({ length: none }, (_, code) => keys.binOf(categoryIds[code] ?? 0))
  const unknown = keys.binOf(null)
  return ({ segment, ordinals, from, to }, bins, currency) => {
    const { currencyCodes } = segment
    for (let i = from; i < to; i++) {
      const row = ordinals[i]! // to <= ordinals.length
      const parent = parentCodes[row]!
      const code = parent < none ? parent : categoryCodes[row]!
      bins[row] = currencyCodes[row] !== currency ? 0 : code < none ? known[code]! : unknown
    }
  }
}
