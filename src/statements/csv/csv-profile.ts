import type { DayOrder } from '../day-text.js'
import type { DecimalMark } from '../decimal-text.js'

/** Names of the fields that columns hold: the left sides of `--columns`. */
export const CSV_FIELDS = [
  'bookingDate',
  'valueDate',
  'amount',
  'debit',
  'credit',
  'direction',
  'fee',
  'balanceAfter',
  'currency',
  'purpose',
  'type',
  'counterpartName',
  'counterpartIban',
  'counterpartBic',
  'counterpartAccountNumber',
  'endToEndReference',
  'mandateReference',
  'creditorId',
  'customerReference',
  'primanota',
  'originalAmount',
  'originalCurrency',
  'accountIban',
  'accountNumber',
  'paypalInvoiceNumber',
  'paypalFee',
  'paypalNet',
] as const

/** The fields that several columns of `--columns` may fill, joined by a blank. */
export const JOINED_FIELDS = ['purpose', 'type', 'counterpartName'] as const

/** A name of {@link CSV_FIELDS}. */
type CsvField = (typeof CSV_FIELDS)[number]

export type JoinedField = (typeof JOINED_FIELDS)[number]

/**
 * Fields of profiles only: more about the own account, parties that depend on the sign, and those
 * on whose behalf they act.
 */
export type ProfileField =
  | CsvField
  | 'accountName'
  | 'accountHolder'
  | 'accountBank'
  | 'accountBic'
  | 'accountBlz'
  | 'payerName'
  | 'payeeName'
  | 'payerIban'
  | 'payeeIban'
  | 'payerBic'
  | 'payeeBic'
  | 'ultimateDebtor'
  | 'ultimateCreditor'
  | 'balanceBefore'

/** Words of a column that says debit or credit; compared by {@link columnKey}. */
export interface DirectionWords {
  readonly debit: readonly string[]
  readonly credit: readonly string[]
}

/** Texts of one column, of which a record holds one. Both are compared by {@link columnKey}. */
export interface ColumnTexts {
  readonly column: string
  readonly texts: readonly string[]
}

/** A line before or after the table that says a balance of the account. */
export interface BalanceLine {
  /** The begin of the record's first cell with text, for example `Kontostand vom`. */
  readonly begins: string
  readonly kind: 'opening' | 'closing'
}

/** The CSV layout of one bank. Column names are compared by {@link columnKey}. */
export interface CsvProfile {
  readonly name: string
  /** The header has all of these. Of several profiles that fit, the longest signature wins. */
  readonly signature: readonly string[]
  /** The header may have no columns but those named here. */
  readonly closed?: boolean
  readonly days: DayOrder | 'inferred'
  readonly decimalMark: DecimalMark | 'inferred'
  /**
   * Field -> the column that holds it, or its names in several editions of the file: the first that
   * the file has. What the fields of money mean:
   * - `direction` says debit or credit, with an `amount` that has no sign or the same sign. Known
   *   words: csv-direction.ts; a bank's own stand in `directions`. Not beside `debit` and `credit`.
   * - `fee` is not in the amount: the balance moved by `amount - fee`, and so does the transaction;
   *   the purpose then names the fee. A fee that is in the amount already is no `fee`.
   * - `balanceAfter` is the balance of the account after the record, signed, in its currency;
   *   `balanceBefore`, of a bank that writes that instead, is the one before it.
   */
  readonly columns: Readonly<Partial<Record<ProfileField, string | readonly string[]>>>
  /** Columns whose texts are appended to that of `purpose`. */
  readonly purposeMore?: readonly string[]
  /** The same for each of {@link JOINED_FIELDS}. */
  readonly more?: Readonly<Partial<Record<JoinedField, readonly string[]>>>
  /** The words of `direction`, where they are not those that csv-direction.ts knows. */
  readonly directions?: DirectionWords
  /** ISO 4217: the bank's only one, of a file that names none; `--currency` wins. */
  readonly currency?: string
  /** Texts of a cell that mean a blank one, such as `n/a`. */
  readonly blank?: readonly string[]
  /** A character that encloses the text of some cells, and is no part of it. */
  readonly quote?: string
  /** Whether the bank writes labels such as `End-to-End-Ref.:` into the purpose: csv-labels.ts. */
  readonly labels?: boolean
  /** Whether the columns of the purpose are pieces of one text, each cut at a fixed length. */
  readonly purposeParts?: boolean
  /** A record without a day and an amount carries on the purpose of the record before it. */
  readonly continued?: boolean
  /** So does one without an amount of its own that has a text in this column. */
  readonly continuedBy?: string
  /** The currency is in the column right of this one (its own name occurs twice). */
  readonly currencyRightOf?: string
  /** A record with such a text in that column has not been booked; it is left out. */
  readonly unbooked?: readonly ColumnTexts[]
  /**
   * Only a record with such a text in that column has been booked (`State` is `COMPLETED`); one
   * with another text, or none, is left out. A column that the file does not have decides nothing.
   */
  readonly booked?: readonly ColumnTexts[]
  /** A record with such a text moved the balance: it is booked, whatever `unbooked` says. */
  readonly moved?: readonly ColumnTexts[]
  /** A column of the header that some records leave out, the cells after it moving up. */
  readonly mayLack?: string
  /** Records that begin with such a text are no bookings but lines around them. */
  readonly footers?: readonly string[]
  /**
   * Lines around the table that say a balance: `Kontostand vom 31.01.2024:;1.234,56 EUR`. The first
   * cell with an amount is the balance, the first day in the line its day (absent = not known).
   * Such a line needs no entry in `footers`. Absent = the usual names, before the table only.
   */
  readonly balanceLines?: readonly BalanceLine[]
  /** A record with this prefix opens the table of another account. */
  readonly sectionPrefix?: string
}

/** The normal form of a column name: case, white space and a byte order mark do not matter. */
export function columnKey(name: string): string {
  return name.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase()
}
