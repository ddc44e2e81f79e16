import type { DayOrder } from '../day-text.js'
import type { DecimalMark } from '../decimal-text.js'

/** Names of the fields that columns hold: the left sides of `--columns`. */
export const CSV_FIELDS = [
  'bookingDate',
  'valueDate',
  'amount',
  'debit',
  'credit',
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

/** A name of {@link CSV_FIELDS}. */
type CsvField = (typeof CSV_FIELDS)[number]

/** Fields of profiles only: more about the own account, and names that depend on the sign. */
export type ProfileField =
  | CsvField
  | 'accountName'
  | 'accountHolder'
  | 'accountBank'
  | 'accountBic'
  | 'accountBlz'
  | 'payerName'
  | 'payeeName'

/** The CSV layout of one bank. Column names are compared by {@link columnKey}. */
export interface CsvProfile {
  readonly name: string
  /** The header has all of these. Of several profiles that fit, the longest signature wins. */
  readonly signature: readonly string[]
  /** The header may have no columns but those named here. */
  readonly closed?: boolean
  readonly days: DayOrder | 'inferred'
  readonly decimalMark: DecimalMark | 'inferred'
  /** Field -> the column that holds it, or its names in several editions of the file. */
  readonly columns: Readonly<Partial<Record<ProfileField, string | readonly string[]>>>
  /** Columns whose texts are appended to that of `purpose`. */
  readonly purposeMore?: readonly string[]
  /** The currency is in the column right of this one (its own name occurs twice). */
  readonly currencyRightOf?: string
  /** A record with such a text in that column has not been booked. */
  readonly unbooked?: readonly { readonly column: string; readonly texts: readonly string[] }[]
  /** A column of the header that some records leave out, the cells after it moving up. */
  readonly mayLack?: string
  /** Records that begin with such a text are no bookings but lines around them. */
  readonly footers?: readonly string[]
  /** A record with this prefix opens the table of another account. */
  readonly sectionPrefix?: string
}

/** The normal form of a column name: case, white space and a byte order mark do not matter. */
export function columnKey(name: string): string {
  return name.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase()
}
