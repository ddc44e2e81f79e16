// Records of Norma 43, 80 characters each; columns counted from 0.
//
//   RECORD  COLUMNS
//   11      2 bank (4), 6 branch (4), 10 account (10), 20 first day (6), 26 last day (6),
//           32 sign, 33 old balance (14), 47 currency (3 digits), 50 mode, 51 holder (26)
//   22      6 branch of origin (4), 10 booking date (6), 16 value date (6), 22 common concept (2),
//           24 concept of the bank (3), 27 sign, 28 amount (14), 42 document (10),
//           52 reference 1 (12), 64 reference 2 (16)
//   23      2 number (2), 4 text (38), 42 text (38)
//   24      4 currency (3 digits), 7 original amount (14)
//   33      2 bank, 6 branch, 10 account, 20 count of debits (5), 25 sum of debits (14),
//           39 count of credits (5), 44 sum of credits (14), 58 sign, 59 new balance (14),
//           73 currency
//   88      20 count of records (6)
//
// A sign is 1 for debit and 2 for credit; amounts have two decimals, days are YYMMDD.
//
// Source: Asociación Española de Banca, "Cuaderno 43, Información normalizada de cuenta corriente".
import type { Amount } from '../../money.js'
import {
  type RecordFault,
  type SignedColumns,
  signedAmountOf,
} from '../fixed-width/record-fields.js'
import type { RecordFormat } from '../fixed-width/record-reading.js'

/** The shared properties of its records. */
export const NORMA43: RecordFormat & SignedColumns = {
  ...{ width: 80, entryType: '22', types: '11, 22, 23, 24, 33 or 88', dayOrder: 'ymd' },
  ...{ debit: '1', credit: '2', decimals: 2 },
}

/** Whether the first record is an account header of Norma 43, with a record 00 before it or not. */
export function isNorma43(head: string): boolean {
  return /^(?:00[^\r\n]{0,98}\r?\n)?11\d{30}[12]\d{17}[ 123]/.test(head)
}

/** The movement of a record 22. */
export interface NormaRecord {
  /** Signed. */
  readonly amount: Amount
  /** As written, YYMMDD. */
  readonly bookingDate: string
  readonly valueDate: string
  /** Common concept of two digits. */
  readonly concept: string
  readonly document: string
  /** Both references, not trimmed. */
  readonly references: readonly [string, string]
}

/** Reads a record 22. */
export function readNormaRecord(text: string): NormaRecord | RecordFault {
  const amount = signedAmountOf(text.charAt(27), text.slice(28, 42), NORMA43)
  if (typeof amount === 'string') return { field: '22 amount', message: amount }
  return {
    amount,
    bookingDate: text.slice(10, 16),
    valueDate: text.slice(16, 22),
    concept: text.slice(22, 24),
    document: text.slice(42, 52).trim(),
    references: [text.slice(52, 64), text.slice(64, 80)],
  }
}
