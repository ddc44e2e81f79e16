// Records of CFONB120, 120 characters each; columns counted from 0.
//
//   RECORD    COLUMNS
//   all       2 bank (5), 11 branch (5), 16 currency (3), 19 decimals, 21 account (11), 34 day (6)
//   01, 07    90 amount (14)
//   04        7 code of the bank (4), 32 interbank code (2), 40 reason of a reject (2),
//             42 value date (6), 48 label (32), 81 number of the entry (7), 90 amount (14),
//             104 reference (16)
//   05        45 qualifier (3), 48 information (70)
//
// Days are DDMMYY. The last character of an amount is both its last digit and its sign: `{` and A
// to I are 0 to 9 of a credit, `}` and J to R are 0 to 9 of a debit.
//
// Source: CFONB, "Relevé de compte sur support informatique" (July 2004), and its supplement on
// credit transfers (August 2007).
import { type Amount, negateAmount } from '../../money.js'
import { amountOfDigits, type RecordFault } from '../fixed-width/record-fields.js'
import type { RecordFormat } from '../fixed-width/record-reading.js'

/** The shared properties of its records. */
export const CFONB120: RecordFormat = {
  width: 120,
  entryType: '04',
  types: '01, 04, 05 or 07',
  dayOrder: 'dmy',
}

const CREDIT_DIGITS = '{ABCDEFGHI'
const DEBIT_DIGITS = '}JKLMNOPQR'

const AMOUNT_EXAMPLE = 'expected 13 digits and a sign, for example 0000000000123D for 12.34'

/** Whether the first record is an old balance of CFONB120, whose amount ends in a sign. */
export function isCfonb120(head: string): boolean {
  return /^01\d{5}[ \dA-Z]{4}\d{5}[A-Z ]{3}[\d ].[ \dA-Z]{11}[^\r\n]{58}\d{13}[{}A-R]/.test(head)
}

/** Whether the first record is a header of CFONB240, which has operations without balances. */
export function isCfonb240(head: string): boolean {
  return /^31\d{6}[ \d]{8}[A-Z ][^\r\n]{180}/.test(head)
}

/**
 * The amount of digits of which the last one has the sign, negative for a debit.
 * @param decimals as written, one digit
 * @returns the amount, or the end of a sentence with the fault
 */
export function readOverpunched(text: string, decimals: string): Amount | string {
  if (!/^\d$/.test(decimals)) {
    return `"${decimals}" is not a number of decimals; expected for example 2`
  }
  const last = text.slice(-1)
  const credit = CREDIT_DIGITS.indexOf(last)
  const digit = credit === -1 ? DEBIT_DIGITS.indexOf(last) : credit
  if (digit === -1 || !/^\d+.$/.test(text)) return `"${text}" is not an amount; ${AMOUNT_EXAMPLE}`
  const amount = amountOfDigits(`${text.slice(0, -1)}${digit}`, Number(decimals))
  if (typeof amount === 'string') return `${amount}; ${AMOUNT_EXAMPLE}`
  return credit === -1 ? negateAmount(amount) : amount
}

/** The account columns of every record. */
export interface AccountColumns {
  readonly bank: string
  readonly branch: string
  readonly number: string
  /** ISO 4217; absent when the columns are blank. */
  readonly currency?: string
}

/** Reads bank, branch, number and currency of any record. */
export function readAccountColumns(text: string): AccountColumns {
  const currency = text.slice(16, 19)
  return {
    bank: text.slice(2, 7),
    branch: text.slice(11, 16),
    number: text.slice(21, 32),
    ...(/^[A-Z]{3}$/.test(currency) ? { currency } : {}),
  }
}

/** The movement of a record 04; texts are not trimmed. */
export interface OperationRecord {
  /** Signed. */
  readonly amount: Amount
  /** Interbank code of two characters. */
  readonly code: string
  /** As written, DDMMYY. */
  readonly bookingDate: string
  readonly valueDate: string
  readonly label: string
  readonly reject: string
  readonly number: string
  readonly reference: string
}

/** Reads a record 04. */
export function readOperation(text: string): OperationRecord | RecordFault {
  const amount = readOverpunched(text.slice(90, 104), text.charAt(19))
  if (typeof amount === 'string') return { field: '04 amount', message: amount }
  return {
    amount,
    code: text.slice(32, 34).trim(),
    bookingDate: text.slice(34, 40),
    valueDate: text.slice(42, 48),
    label: text.slice(48, 81),
    reject: text.slice(40, 42).trim(),
    number: text.slice(81, 88).trim(),
    reference: text.slice(104, 120),
  }
}
