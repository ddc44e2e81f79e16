import { type EpochMs, instantOfDay } from '../../instant.js'
import {
  type Amount,
  formatAmount,
  negateAmount,
  parseAmount,
  type Sum,
  sumOf,
} from '../../money.js'
import type { StatementFault } from '../statement.js'

/** The fault of a field of one record; the reader adds the position of the record. */
export type RecordFault = Required<Omit<StatementFault, 'position'>>

/** Two-digit years of 80 and more are of the last century: the formats are younger than that. */
const CENTURY_PIVOT = 80

/**
 * Midnight UTC of `DDMMYY` (`dmy`) or `YYMMDD` (`ymd`).
 * @returns undefined for zeros, blanks and days that do not exist
 */
export function dayOfDigits(text: string, order: 'dmy' | 'ymd'): EpochMs | undefined {
  if (!/^\d{6}$/.test(text)) return undefined
  const [first, month, last] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)].map(Number)
  const [year, day] = order === 'dmy' ? [last, first] : [first, last]
  if (year === undefined || month === undefined || day === undefined) return undefined
  return instantOfDay(year + (year < CENTURY_PIVOT ? 2000 : 1900), month, day)
}

/**
 * The amount of digits whose last `decimals` are decimals.
 * @returns the amount without a sign, or the end of a sentence with the fault
 */
export function amountOfDigits(digits: string, decimals: number): Amount | string {
  if (!/^\d{1,18}$/.test(digits)) return `"${digits}" is not an amount of ${digits.length} digits`
  const amount = parseAmount(`${digits}e-${decimals}`)
  return typeof amount === 'string' ? `"${digits}" ${amount}` : amount
}

/** How a format writes amounts whose sign has a column of its own. */
export interface SignedColumns {
  readonly debit: string
  readonly credit: string
  readonly decimals: number
}

/**
 * The amount of a sign and digits, negative for debit.
 * @returns the amount, or the end of a sentence with the fault
 */
export function signedAmountOf(
  sign: string,
  digits: string,
  { debit, credit, decimals }: SignedColumns,
): Amount | string {
  if (sign !== debit && sign !== credit) {
    return `"${sign}" is not a sign; expected ${debit} for debit or ${credit} for credit`
  }
  const amount = amountOfDigits(digits, decimals)
  if (typeof amount !== 'string') return sign === debit ? negateAmount(amount) : amount
  const example = '125'.padEnd(decimals + 2, '0').padStart(digits.length, '0')
  return `${amount}; expected ${digits.length} digits, for example ${example} for 12.50`
}

/** The total of a trailer, and its text for messages; without `sum` it is not an amount. */
export function totalOfDigits(
  digits: string,
  decimals: number,
): { readonly sum?: Sum; readonly text: string } {
  const amount = amountOfDigits(digits, decimals)
  if (typeof amount === 'string') return { text: `"${digits}"` }
  const { unscaled, scale } = amount
  return { sum: sumOf(BigInt(unscaled), scale), text: formatAmount(unscaled, scale) }
}

/** Days of a record and its statement; undefined = none, or a day that does not exist. */
export interface NamedDays {
  readonly booked: EpochMs | undefined
  readonly valued: EpochMs | undefined
  readonly ofStatement: EpochMs | undefined
}

/**
 * The booking day: that of the record, else its value date, else the day of the statement.
 * @param written the booking day as the file has it
 * @returns undefined when all are absent; with a warning when another day is taken
 */
export function bookingDayOf(
  { booked, valued, ofStatement }: NamedDays,
  written: string,
): { readonly day: EpochMs; readonly warning?: string } | undefined {
  if (booked !== undefined) return { day: booked }
  const day = valued ?? ofStatement
  if (day === undefined) return undefined
  const source = valued === undefined ? 'the day of the statement' : 'the value date'
  const found = written.trim() === '' ? 'no booking date' : `the booking date "${written}"`
  return { day, warning: `has ${found}; ${source} is taken for it` }
}
