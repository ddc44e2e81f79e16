import type { DayOrder } from '../day-text.js'
import type { DecimalMark } from '../decimal-text.js'

/** Names of the fields of columns: the left sides of `--columns`. */
export const CSV_FIELDS = [
  'bookingDate',
  'valueDate',
  'amount',
  'charge',
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
 * Fields of profiles only: more about the own account, parties that depend on the sign, and
 * ultimate parties.
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

/** Words of a direction column; compared by {@link columnKey}. */
export interface DirectionWords {
  readonly debit: readonly string[]
  readonly credit: readonly string[]
}

/** Texts of one column, of which a record holds one. Both are compared by {@link columnKey}. */
export interface ColumnTexts {
  readonly column: string
  readonly texts: readonly string[]
}

/** A line before or after the table with a balance of the account. */
export interface BalanceLine {
  /** Start of the record's first cell with text, for example `Kontostand vom`. */
  readonly begins: string
  readonly kind: 'opening' | 'closing'
}

/** The CSV layout of one bank. Column names are compared by {@link columnKey}. */
export interface CsvProfile {
  readonly name: string
  /**
   * Columns that the header must have. Of several matching profiles, the longest signature wins.
   */
  readonly signature: readonly string[]
  /** Whether the header may only have the columns named here. */
  readonly closed?: boolean
  readonly days: DayOrder | 'inferred'
  readonly decimalMark: DecimalMark | 'inferred'
  /**
   * Field -> its column, or the names of the column in several editions of the file: the first
   * existing one counts. Meaning of the fields of money:
   * - `direction` is debit or credit, for an `amount` that has no sign or the same sign. Known
   *   words are in csv-direction.ts, a bank's own words in `directions`. Excludes `debit` and
   *   `credit`.
   * - `charge` is an amount whose sign is that of a card or a payout: with a minus it is a credit,
   *   else a debit. Excludes `amount`, `debit`, `credit` and `direction`.
   * - `fee` is not in the amount: the balance moved by `amount - fee`, and so does the transaction;
   *   the purpose then names the fee. A fee that the amount includes is not a `fee`.
   * - `balanceAfter` is the balance of the account after the record, signed, in its currency;
   *   `balanceBefore` is the balance before the record, for banks that write that instead.
   */
  readonly columns: Readonly<Partial<Record<ProfileField, string | readonly string[]>>>
  /** Columns whose texts are appended to that of `purpose`. */
  readonly purposeMore?: readonly string[]
  /** The same for each of {@link JOINED_FIELDS}. */
  readonly more?: Readonly<Partial<Record<JoinedField, readonly string[]>>>
  /** The words of `direction` that csv-direction.ts does not have. */
  readonly directions?: DirectionWords
  /** ISO 4217: the bank's only currency, for a file without one; `--currency` takes precedence. */
  readonly currency?: string
  /** Texts of a cell that mean a blank one, such as `n/a`. */
  readonly blank?: readonly string[]
  /** A character that encloses the text of some cells, and is not part of it. */
  readonly quote?: string
  /** Whether the bank writes labels such as `End-to-End-Ref.:` into the purpose: csv-labels.ts. */
  readonly labels?: boolean
  /** Whether the columns of the purpose are pieces of one text, each cut at a fixed length. */
  readonly purposeParts?: boolean
  /** A record without a day and an amount continues the purpose of the record before it. */
  readonly continued?: boolean
  /** So does a record without an amount that has a text in this column. */
  readonly continuedBy?: string
  /** The currency is in the column to the right of this one (its name occurs twice). */
  readonly currencyRightOf?: string
  /** The direction is in the column to the right of this one, whose name is blank or differs. */
  readonly directionRightOf?: string
  /** A record with such a text in that column is not booked, and is left out. */
  readonly unbooked?: readonly ColumnTexts[]
  /**
   * Only a record with such a text in that column is booked (`State` is `COMPLETED`); other records
   * are left out. A column that the file does not have is ignored.
   */
  readonly booked?: readonly ColumnTexts[]
  /**
   * A record with such a text moved the balance and is booked; takes precedence over `unbooked`.
   */
  readonly moved?: readonly ColumnTexts[]
  /**
   * Whether a record that `unbooked` leaves out is booked if its balance is that of the record
   * before it plus its amount, and left out if the balance is the same; takes precedence over
   * `moved`.
   */
  readonly balanceDecides?: boolean
  /**
   * A column whose texts, such as `Current` and `Savings`, are those of separate accounts: a file
   * with two of them has to be imported account by account.
   */
  readonly accountParts?: string
  /** A column of the header that some records leave out, so that later cells move up. */
  readonly mayLack?: string
  /** Records that begin with such a text are lines around the bookings. */
  readonly footers?: readonly string[]
  /**
   * Lines around the table with a balance: `Kontostand vom 31.01.2024:;1.234,56 EUR`. The first
   * cell with an amount is the balance, the first day in the line its day (absent = not known).
   * Such a line needs no entry in `footers`. Absent = lines with the usual names, before the table
   * only.
   */
  readonly balanceLines?: readonly BalanceLine[]
  /** A record with this prefix opens the table of another account. */
  readonly sectionPrefix?: string
}

/** The normal form of a column name: case, white space and a byte order mark do not matter. */
export function columnKey(name: string): string {
  return name.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase()
}
