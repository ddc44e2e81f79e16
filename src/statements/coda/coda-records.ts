// Records of CODA, 128 characters each; columns counted from 0.
//
//   RECORD  COLUMNS
//   0       5 day of creation, 14 "05", 60 BIC (11), 83 separate application (5), 127 version
//   1       1 kind of account number, 5 account and currency (37), 42 sign, 43 amount (15),
//           58 day, 64 holder (26), 90 description (35), 125 number of the statement (3)
//   21      2 sequence (4), 6 detail (4), 31 sign, 32 amount (15), 47 value date, 53 code (8),
//           61 kind of communication, 62 communication (53), 115 booking date
//   22      10 communication (53), 63 reference of the customer (35), 98 BIC (11), 112 return (5),
//           117 category purpose (4), 121 purpose (4)
//   23      10 account and currency (37), 47 name (35), 82 communication (43)
//   31      2 sequence, 6 detail, 31 code (8), 39 kind of communication, 40 communication (73)
//   32, 33  10 communication (105; 90)
//   4       32 message of the bank (80)
//   8       4 account and currency (37), 41 sign, 42 amount (15), 57 day
//   9       16 count of records (6), 22 sum of debits (15), 37 sum of credits (15)
//
// A sign is 0 for credit and 1 for debit; amounts have three decimals, days are DDMMYY.
//
// Source: Febelfin, "Coded statement of account (CODA)", version 2.
import { compactCode } from '../../iban.js'
import type { Amount } from '../../money.js'
import { isMeantAsIban } from '../account-text.js'
import { belgianIban } from '../fixed-width/national-iban.js'
import {
  type RecordFault,
  type SignedColumns,
  signedAmountOf,
} from '../fixed-width/record-fields.js'
import type { RecordFormat } from '../fixed-width/record-reading.js'
import type { StatementAccount } from '../statement.js'
import { cleanText } from '../text-field.js'

/** The shared properties of its records. */
export const CODA: RecordFormat & SignedColumns = {
  ...{ width: 128, entryType: '21', types: '0, 1, 21 to 33, 4, 8 or 9', dayOrder: 'dmy' },
  ...{ debit: '1', credit: '0', decimals: 3 },
}

/** Whether the first record is a header of CODA: zeros, a day, a bank and application 05. */
export function isCoda(head: string): boolean {
  return /^00000\d{9}05[D ] {7}/.test(head)
}

/** The movement of a record 21. */
export interface MovementRecord {
  readonly sequence: string
  /** Signed. */
  readonly amount: Amount
  /** First digit of the code: 0 to 3 is an entry, 5 to 9 a detail of one. */
  readonly kind: string
  readonly code: string
  /** As written, DDMMYY; zeros when the bank does not know it. */
  readonly valueDate: string
  readonly bookingDate: string
}

/** Reads a record 21. */
export function readMovement(text: string): MovementRecord | RecordFault {
  const amount = signedAmountOf(text.charAt(31), text.slice(32, 47), CODA)
  if (typeof amount === 'string') return { field: '21 amount', message: amount }
  const code = text.slice(53, 61)
  const kind = code.charAt(0)
  if (!/^[0-35-9]\d{7}$/.test(code)) {
    const message = `"${code}" is not a transaction code; expected 8 digits, for example 00150000`
    return { field: '21 code', message }
  }
  const sequence = text.slice(2, 6)
  return {
    ...{ sequence, amount, kind, code },
    valueDate: text.slice(47, 53),
    bookingDate: text.slice(115, 121),
  }
}

/** The account of a record 1 or 8. @param zone the 37 characters of number and currency */
export function readCodaAccount(kind: string, zone: string): StatementAccount {
  const isNational = kind === '0'
  const currency = isNational ? zone.slice(13, 16) : zone.slice(34, 37)
  const number = compactCode(isNational ? zone.slice(0, 12) : zone.slice(0, 34))
  const named = /^[A-Z]{3}$/.test(currency) ? { currency } : {}
  if (number === '') return named
  if (isMeantAsIban(number)) return { iban: number, ...named }
  const iban = isNational ? belgianIban(number) : undefined
  return { accountNumber: number, ...(iban === undefined ? {} : { iban }), ...named }
}

/** The counterpart's account of a record 23. */
export interface CounterpartAccount {
  readonly iban?: string
  readonly accountNumber?: string
  /** Text in place of an account number. */
  readonly text?: string
}

/** Reads a counterpart's account. @param zone the 37 characters of number and currency */
export function readCounterpartAccount(zone: string): CounterpartAccount {
  const number = zone.slice(0, 34)
  const first = /^\S{1,34}/.exec(number)?.[0] ?? ''
  const compact = compactCode(number)
  if (/^0*$/.test(compact)) return {}
  const rest = cleanText(number.slice(first.length))
  const iban = isMeantAsIban(first) ? first : isMeantAsIban(compact) ? compact : undefined
  if (iban !== undefined) {
    const text = iban === first ? rest : undefined
    return { iban, ...(text === undefined ? {} : { text }) }
  }
  // The national structure has 12 digits, a blank and the currency.
  const national = belgianIban(first)
  if (national !== undefined) return { iban: national, accountNumber: first }
  const accountNumber = cleanText(zone.charAt(12) === ' ' ? zone.slice(0, 12) : number)
  return accountNumber === undefined ? {} : { accountNumber }
}
