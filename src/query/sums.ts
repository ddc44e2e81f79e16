import { currencyDimension } from './dimension.js'
import { type Listing, segmentsOfListing } from './listing.js'
import { type Group, groupAt, type Summary, summarizeBy } from './summary.js'
import { inTurns } from './turns.js'

/** Exact sums of the transactions of one currency. */
export type CurrencySum = Pick<Group, 'currency' | 'count' | 'incoming' | 'outgoing'>

/**
 * Sums of the transactions of a listing per currency, the most frequent currency first; of equals
 * in alphabetical order. A short listing is summed synchronously, a long one in turns, so that
 * other requests run between them. Rejects with the signal's reason when it is aborted.
 */
export function sumsOf(
  listing: Listing,
  signal: AbortSignal,
  rowsAtOnce?: number,
): readonly CurrencySum[] | Promise<readonly CurrencySum[]> {
  const currencies = currencyDimension(segmentsOfListing(listing))
  const work = summarizeBy(listing, [currencies], { withDates: false })
  const summed = inTurns(work, { signal, rowsAtOnce })
  return summed instanceof Promise ? summed.then(currencySums) : currencySums(summed)
}

function currencySums(summary: Summary): CurrencySum[] {
  const sums = Array.from({ length: summary.groups.count }, (_, place) => {
    const { currency, count, incoming, outgoing } = groupAt(summary, place)
    return { currency, count, incoming, outgoing }
  })
  // A stable sort: the groups are in the order of their currencies.
  return sums.sort((a, b) => b.count - a.count)
}
