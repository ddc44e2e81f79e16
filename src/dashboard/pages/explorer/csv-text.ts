import type { MatchedTransaction } from '../../../domain/matched-transaction.js'
import type { Transaction } from '../../../domain/transaction.js'
import { withoutFormulas } from '../../spreadsheet-text.js'

/** Transactions of a CSV download, some 30 MB of text; larger exports go through the REST API. */
export const EXPORTED_ROWS_MAX = 100_000

/** A column of a CSV file: the contract's name of a field, and its value in a row. */
interface CsvColumn<Row> {
  readonly name: string
  readonly read: (row: Row) => string | number | undefined
}

/**
 * The dialect of a CSV file. `comma` is RFC 4180, with a decimal point. `semicolon` is for
 * spreadsheets set up for German and most languages of the continent: with a decimal comma, because
 * they read 12.5 as the twelfth of May.
 */
export type CsvDialect = 'comma' | 'semicolon'

const SEPARATORS: Readonly<Record<CsvDialect, string>> = { comma: ',', semicolon: ';' }

/** The dialect in the URL of a download. @param value of its parameter `separator` */
export function readNotation(value: string | undefined): CsvDialect {
  return value === 'semicolon' ? 'semicolon' : 'comma'
}

/** The URL of a download in the other dialect. */
export function withSemicolons(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}separator=semicolon`
}

/** Every field of a transaction, in the contract's order. */
export const TRANSACTION_CSV_COLUMNS: readonly CsvColumn<Transaction>[] = [
  { name: 'id', read: (row) => row.id },
  { name: 'accountId', read: (row) => row.accountId },
  { name: 'account.accountNumber', read: (row) => row.account.accountNumber },
  { name: 'account.name', read: (row) => row.account.name },
  { name: 'account.iban', read: (row) => row.account.iban },
  { name: 'account.bankName', read: (row) => row.account.bankName },
  { name: 'amount', read: (row) => row.amount },
  { name: 'currency', read: (row) => row.currency },
  { name: 'category.id', read: (row) => row.category.id },
  { name: 'category.name', read: (row) => row.category.name },
  { name: 'parentCategory.id', read: (row) => row.parentCategory.id },
  { name: 'parentCategory.name', read: (row) => row.parentCategory.name },
  { name: 'counterpart.accountNumber', read: (row) => row.counterpart.accountNumber },
  { name: 'counterpart.name', read: (row) => row.counterpart.name },
  { name: 'counterpart.iban', read: (row) => row.counterpart.iban },
  { name: 'counterpart.bic', read: (row) => row.counterpart.bic },
  { name: 'counterpart.bankName', read: (row) => row.counterpart.bankName },
  { name: 'counterpart.mandateReference', read: (row) => row.counterpart.mandateReference },
  { name: 'counterpart.creditorId', read: (row) => row.counterpart.creditorId },
  { name: 'counterpart.customerReference', read: (row) => row.counterpart.customerReference },
  { name: 'createdAt', read: (row) => row.createdAt },
  { name: 'updatedAt', read: (row) => row.updatedAt },
  { name: 'importDate', read: (row) => row.importDate },
  { name: 'bookingDate', read: (row) => row.bookingDate },
  { name: 'valueDate', read: (row) => row.valueDate },
  { name: 'type', read: (row) => row.type },
  { name: 'purpose', read: (row) => row.purpose },
  { name: 'endToEndReference', read: (row) => row.endToEndReference },
  { name: 'originalAmount', read: (row) => row.originalAmount },
  { name: 'originalCurrency', read: (row) => row.originalCurrency },
  { name: 'sepaPurposeCode', read: (row) => row.sepaPurposeCode },
  { name: 'primanota', read: (row) => row.primanota },
  { name: 'paypal.invoiceNumber', read: (row) => row.paypal?.invoiceNumber },
  { name: 'paypal.fee', read: (row) => row.paypal?.fee },
  { name: 'paypal.net', read: (row) => row.paypal?.net },
]

/** A match: score and evidence, then the transaction. */
export const MATCH_COLUMNS: readonly CsvColumn<MatchedTransaction>[] = [
  { name: 'score', read: (row) => row.score },
  { name: 'explanation.field', read: (row) => row.explanation?.field },
  { name: 'explanation.matched', read: (row) => row.explanation?.matched },
  { name: 'explanation.kind', read: (row) => row.explanation?.kind },
  { name: 'explanation.adjustments', read: (row) => row.explanation?.adjustments.join(' ') },
  ...TRANSACTION_CSV_COLUMNS,
]

/** The first line of a file, after the byte order mark by which spreadsheets recognise UTF-8. */
export function csvHead(
  columns: readonly { readonly name: string }[],
  notation: CsvDialect = 'comma',
): string {
  const names = columns.map(({ name }) => name)
  return `\ufeff${lineOf(names, notation)}`
}

/** Rows as lines of RFC 4180, but for the separator; a field without a value is empty. */
export function csvLines<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  notation: CsvDialect = 'comma',
): string {
  const textOf = notation === 'semicolon' ? semicolonFieldOf : fieldOf
  return rows
    .map((row) =>
      lineOf(
        columns.map(({ read }) => textOf(read(row))),
        notation,
      ),
    )
    .join('')
}

/**
 * After a comma as well, for a spreadsheet that splits cells there. A minus without a successor, as
 * in `100,-`, begins no formula.
 */
const FORMULA_BEHIND_COMMA = /,["' ]*(?=[=+@＝＋＠]|[-－][^\s,])/g

function semicolonFieldOf(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value).replace('.', ',')
  return fieldOf(value?.replace(FORMULA_BEHIND_COMMA, "$&'"))
}

function lineOf(fields: readonly string[], notation: CsvDialect): string {
  const separator = SEPARATORS[notation]
  // An unquoted field has no quote, comma or line break in it.
  const quoted = fields.map((field) =>
    notation === 'semicolon' && field.includes(';') && !field.startsWith('"')
      ? `"${field}"`
      : field,
  )
  return `${quoted.join(separator)}\r\n`
}

function fieldOf(value: string | number | undefined): string {
  if (value === undefined) return ''
  // Numbers come from kontor and hold no formula.
  if (typeof value === 'number') return String(value)
  const guarded = withoutFormulas(value)
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
