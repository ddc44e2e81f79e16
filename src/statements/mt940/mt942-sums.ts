import { type Amount, formatAmount, formatSum, type Sum, sumOf } from '../../money.js'
import { type EntrySum, type FloorLimit, readEntrySum } from './mt940-fields.js'

/** Number and sum of entries of one direction; the sum has no sign. */
interface Total {
  readonly count: number
  readonly sum: Sum
}

const NOTHING: Total = { count: 0, sum: 0n }

function withEntry(total: Total, amount: Amount): Total {
  const sum = sumOf(BigInt(Math.abs(amount.unscaled)), amount.scale)
  return { count: total.count + 1, sum: total.sum + sum }
}

function textOf({ count, sum }: Total, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'} of ${formatSum(sum)}`
}

/** Adds up the entries of one MT942 report, whose end has their number and sum. */
export class ReportSums {
  /** Debits and credits: of booked entries alone, and with pending ones. */
  readonly #booked = { debit: NOTHING, credit: NOTHING }
  readonly #all = { debit: NOTHING, credit: NOTHING }
  #hasUnreadEntry = false

  /** @param amount signed */
  add(amount: Amount, isBooked: boolean): void {
    const direction = amount.unscaled < 0 ? 'debit' : 'credit'
    this.#all[direction] = withEntry(this.#all[direction], amount)
    if (isBooked) this.#booked[direction] = withEntry(this.#booked[direction], amount)
  }

  /** To be called for a refused entry: the sums then prove nothing. */
  addUnread(): void {
    this.#hasUnreadEntry = true
  }

  /**
   * Compares field 90D or 90C with the entries. Some banks count pending entries.
   * @param floor entries below it are not listed; undefined = not known
   * @returns a sentence about a difference or an unreadable field; undefined = none
   */
  difference(
    tag: '90C' | '90D',
    text: string,
    currency: string | undefined,
    floor: FloorLimit | undefined,
  ): string | undefined {
    const stated = readEntrySum(text)
    if (typeof stated === 'string') return `:${tag}: ${stated}`
    if (this.#hasUnreadEntry) return undefined
    const direction = tag === '90D' ? 'debit' : 'credit'
    const isRight = [this.#booked, this.#all].some((totals) =>
      isEqual(totals[direction], stated, currency),
    )
    if (isRight) return undefined
    const said = textOf(totalOf(stated), direction)
    const listed = textOf(this.#all[direction], direction)
    const limit = floor === undefined || floor.amount.unscaled === 0 ? '' : limitNote(floor)
    const unit = currency ?? stated.currency
    return `:${tag}: names ${said} ${stated.currency}, the report lists ${listed} ${unit}${limit}`
  }
}

function totalOf({ count, amount }: EntrySum): Total {
  return { count, sum: sumOf(BigInt(amount.unscaled), amount.scale) }
}

function isEqual(total: Total, stated: EntrySum, currency: string | undefined): boolean {
  const { count, sum } = totalOf(stated)
  const isSameCurrency = currency === undefined || currency === stated.currency
  return isSameCurrency && total.count === count && total.sum === sum
}

function limitNote({ amount, currency }: FloorLimit): string {
  const limit = `${formatAmount(amount.unscaled, amount.scale)} ${currency}`
  return `; it leaves out entries below ${limit}, import the MT940 statement for all`
}
