import { type EpochMs, formatInstant } from '../../instant.js'
import { type Amount, formatSum, type Sum, sumOf } from '../../money.js'
import type { StatementBalance } from '../statement.js'
import { utcDayOf } from './identity.js'

/** A closing balance, and its day. */
export interface ClosingBalance {
  readonly amount: Amount
  readonly currency: string
  /** Midnight UTC of the day; undefined when neither balance nor entries name one. */
  readonly at: EpochMs | undefined
  /**
   * Number of entries of its statement that are booked after that day and that it includes, as
   * opening balance and entries prove; 0 if they do not prove it.
   */
  readonly bookedLaterCount: number
}

/** One currency of one statement: opening + entries must equal closing. */
export interface CheckedStatement {
  readonly currency: string
  /** undefined = not in the file; also for the fields below. */
  readonly opening: Sum | undefined
  readonly entries: Sum
  readonly entryCount: number
  readonly closing: Sum | undefined
  /** The day of the closing balance, else of the newest entry. */
  readonly closedAt: EpochMs | undefined
  readonly oldestBookedAt: EpochMs | undefined
  /** Sum of the entries valued after that day. */
  readonly valuedLater: Sum
  /** Of the running day: other reports of the day begin with the same balance. */
  readonly isInterim?: boolean
}

/** Two statements of one account and currency, one after the other, whose balances do not meet. */
export interface StatementGap {
  readonly earlier: CheckedStatement
  readonly later: CheckedStatement
  /** Opening balance of the later one minus closing balance of the earlier one. */
  readonly difference: Sum
}

/** Totals of one currency of one statement while it is read. */
interface Totals {
  opening: Sum | undefined
  entries: Sum
  entryCount: number
  closing: StatementBalance | undefined
  oldestBookedAt: EpochMs | undefined
  newestBookedAt: EpochMs | undefined
  /** Booking day -> number of entries; undefined = on too many days. */
  bookings: Map<number, number> | undefined
  /** Value day -> sum of the entries that are booked earlier; undefined = on too many days. */
  laterValues: Map<EpochMs, Sum> | undefined
}

/** Booking or value days of one statement: more than a year has. */
const DAYS_MAX = 1_000

/**
 * Adds up one statement, currency by currency. The first opening and the last closing balance of a
 * currency count.
 */
export class BalanceCheck {
  readonly #totals = new Map<string, Totals>()

  addEntry(
    amount: Amount,
    currency: string,
    bookedAt: EpochMs | undefined,
    valuedAt?: EpochMs,
  ): void {
    const totals = this.#of(currency)
    const units = unitsOf(amount)
    totals.entries += units
    totals.entryCount += 1
    if (bookedAt === undefined) return
    addBooking(totals, utcDayOf(bookedAt))
    if (valuedAt !== undefined && valuedAt > bookedAt) addValue(totals, valuedAt, units)
    if (bookedAt > (totals.newestBookedAt ?? bookedAt - 1)) totals.newestBookedAt = bookedAt
    if (bookedAt < (totals.oldestBookedAt ?? bookedAt + 1)) totals.oldestBookedAt = bookedAt
  }

  addBalance(balance: StatementBalance): void {
    const totals = this.#of(balance.currency)
    if (balance.kind === 'closing') totals.closing = balance
    else totals.opening ??= unitsOf(balance.amount)
  }

  statements(): CheckedStatement[] {
    return [...this.#totals].map(([currency, totals]) => {
      const { opening, entries, entryCount, closing, oldestBookedAt, newestBookedAt } = totals
      const closedAt = closing?.at ?? newestBookedAt
      return {
        ...{ currency, opening, entries, entryCount, oldestBookedAt, closedAt },
        closing: closing === undefined ? undefined : unitsOf(closing.amount),
        valuedLater: sumAfter(totals, closedAt),
      }
    })
  }

  closings(): ClosingBalance[] {
    return [...this.#totals].flatMap(([currency, totals]) => {
      const { closing, opening, entries, newestBookedAt } = totals
      if (closing === undefined) return []
      const at = closing.at ?? newestBookedAt
      const isProved = opening !== undefined && opening + entries === unitsOf(closing.amount)
      const bookedLaterCount = isProved && at !== undefined ? countAfter(totals, utcDayOf(at)) : 0
      return [{ amount: closing.amount, currency, at, bookedLaterCount }]
    })
  }

  get currencyCount(): number {
    return this.#totals.size
  }

  #of(currency: string): Totals {
    let totals = this.#totals.get(currency)
    if (totals === undefined) {
      totals = {
        ...{ opening: undefined, entries: 0n, entryCount: 0, closing: undefined },
        ...{ oldestBookedAt: undefined, newestBookedAt: undefined },
        ...{ bookings: new Map(), laterValues: new Map() },
      }
      this.#totals.set(currency, totals)
    }
    return totals
  }
}

function addBooking(totals: Totals, day: number): void {
  const { bookings } = totals
  bookings?.set(day, (bookings.get(day) ?? 0) + 1)
  if (bookings !== undefined && bookings.size > DAYS_MAX) totals.bookings = undefined
}

function countAfter({ bookings }: Totals, day: number): number {
  let sum = 0
  for (const [bookedOn, count] of bookings ?? []) if (bookedOn > day) sum += count
  return sum
}

function addValue(totals: Totals, valuedAt: EpochMs, units: Sum): void {
  const { laterValues } = totals
  laterValues?.set(valuedAt, (laterValues.get(valuedAt) ?? 0n) + units)
  if (laterValues !== undefined && laterValues.size > DAYS_MAX) totals.laterValues = undefined
}

function sumAfter({ laterValues }: Totals, at: EpochMs | undefined): Sum {
  let sum = 0n
  for (const [valuedAt, units] of laterValues ?? []) {
    if (at !== undefined && valuedAt > at) sum += units
  }
  return sum
}

/** Closing balance minus opening balance and entries; undefined without both balances. */
export function differenceOf({ opening, entries, closing }: CheckedStatement): Sum | undefined {
  return opening === undefined || closing === undefined ? undefined : closing - opening - entries
}

/**
 * Whether the closing balance contradicts the entries, but holds by value date: without exactly
 * the entries that are valued after its day.
 */
function holdsByValueDate(statement: CheckedStatement): boolean {
  const difference = differenceOf(statement) ?? 0n
  return difference !== 0n && difference === -statement.valuedLater
}

/** Whether opening balance and entries contradict the closing balance, by value date too. */
export function isContradicted(statement: CheckedStatement): boolean {
  return (differenceOf(statement) ?? 0n) !== 0n && !holdsByValueDate(statement)
}

/** The place of a statement in messages: `statement of 2026-01-31`. */
export function placeOfStatement({ closedAt }: CheckedStatement): string {
  return closedAt === undefined ? 'statement' : `statement of ${dayText(closedAt)}`
}

/**
 * A sentence about a statement that does not add up.
 * @param name of the account
 * @param besides end of the sentence, see {@link entriesBesides}
 */
function differenceSentence(name: string, statement: CheckedStatement, besides: string): string {
  const { opening = 0n, entries, closing = 0n, currency } = statement
  return (
    `${name}, ${placeOfStatement(statement)}: opening balance ${formatSum(opening)} and entries ` +
    `${formatSum(entries)} do not add up to the closing balance ${formatSum(closing)} ` +
    `${currency}: the difference is ${formatSum(differenceOf(statement) ?? 0n)}${besides}`
  )
}

/** Sums of other currencies that a sentence names. */
const SUMS_NAMED_MAX = 5

/**
 * The entries in currencies without balances, which no balance counts, as the end of a sentence.
 * @param all currencies of the statement
 */
function entriesBesides(all: readonly CheckedStatement[]): string {
  const uncounted = all.filter(
    ({ opening, closing, entryCount }) =>
      opening === undefined && closing === undefined && entryCount > 0,
  )
  if (uncounted.length === 0) return ''
  const sums = uncounted
    .slice(0, SUMS_NAMED_MAX)
    .map(({ entries, currency }) => `${formatSum(entries)} ${currency}`)
  const more = uncounted.length - sums.length
  const named = more === 0 ? sums.join(', ') : `${sums.join(', ')} and ${more} more`
  return `; entries in other currencies are not in the sum: ${named}`
}

/** The differences of a statement: one sentence a currency. @param name of the account */
export function differencesOf(name: string, statements: readonly CheckedStatement[]): string[] {
  const wrong = statements.filter((each) => (differenceOf(each) ?? 0n) !== 0n)
  if (wrong.length === 0) return []
  // A currency with a difference has balances, so that the rest is the same for each.
  const besides = entriesBesides(statements)
  return wrong.map((each) =>
    holdsByValueDate(each)
      ? valueDateSentence(name, each)
      : differenceSentence(name, each, besides),
  )
}

/** A sentence about a statement whose closing balance holds by value date. */
function valueDateSentence(name: string, statement: CheckedStatement): string {
  const { closing = 0n, currency, valuedLater } = statement
  return (
    `${name}, ${placeOfStatement(statement)}: the closing balance ${formatSum(closing)} ` +
    `${currency} holds by value date: it does not include the entries valued later, ` +
    `${formatSum(valuedLater)} ${currency} together`
  )
}

/** A sentence about two statements whose balances do not meet. @param name of the account */
export function gapSentence(name: string, { earlier, later, difference }: StatementGap): string {
  const [from, to] = [earlier, later].map(placeOfStatement)
  return (
    `${name}, ${to}: its opening balance is not the closing balance of the ${from} ` +
    `before it: the difference is ${formatSum(difference)} ${later.currency}; a statement ` +
    'between them may be missing'
  )
}

/**
 * The gaps between the statements of one account and currency. Files list them oldest first, newest
 * first or, if several files were concatenated, in any order: the order with the fewest gaps
 * counts. A statement with one balance gets the other from its entries.
 */
export function gapsBetween(statements: readonly CheckedStatement[]): StatementGap[] {
  const asListed = gapsInOrder(statements)
  if (asListed.gaps.length === 0) return []
  const byDay = [...statements].sort((a, b) => (a.closedAt ?? 0) - (b.closedAt ?? 0))
  const orders = [gapsInOrder(byDay), asListed, gapsInOrder([...statements].reverse())]
  // In an order with fewer comparable statements, fewer gaps mean nothing.
  const comparedMax = Math.max(...orders.map(({ comparedCount }) => comparedCount))
  const [best = asListed] = orders
    .filter(({ comparedCount }) => comparedCount === comparedMax)
    .sort((a, b) => a.gaps.length - b.gaps.length)
  return best.gaps
}

/** The gaps of this order, and the number of neighbours whose balances could be compared. */
function gapsInOrder(statements: readonly CheckedStatement[]): {
  readonly gaps: StatementGap[]
  readonly comparedCount: number
} {
  const gaps: StatementGap[] = []
  let comparedCount = 0
  statements.forEach((later, i) => {
    const earlier = statements[i - 1]
    if (earlier === undefined) return
    const opening = openingAfter(earlier, later)
    const closings = closingsOf(earlier)
    const [closing] = closings
    if (opening === undefined || closing === undefined) return
    comparedCount += 1
    // If a statement does not add up, either its closing balance or its entries may be wrong.
    if (closings.includes(opening)) return
    gaps.push({ earlier, later, difference: opening - closing })
  })
  return { gaps, comparedCount }
}

/**
 * The opening balance, else the closing balance minus the entries; the latter only if no entry can
 * belong to the earlier statement, because downloads overlap.
 */
function openingAfter(earlier: CheckedStatement, later: CheckedStatement): Sum | undefined {
  const { opening, closing, entries, oldestBookedAt } = later
  if (opening !== undefined || closing === undefined) return opening
  const isLater =
    earlier.closedAt !== undefined &&
    oldestBookedAt !== undefined &&
    earlier.closedAt < oldestBookedAt
  return isLater ? closing - entries : undefined
}

/** The stated closing balance, and the one that results from opening balance and entries. */
function closingsOf({ opening, entries, closing }: CheckedStatement): Sum[] {
  return [closing, opening === undefined ? undefined : opening + entries].filter(
    (sum) => sum !== undefined,
  )
}

function dayText(at: EpochMs): string {
  return formatInstant(at).slice(0, 10)
}

function unitsOf({ unscaled, scale }: Amount): Sum {
  return sumOf(BigInt(unscaled), scale)
}
