import { withoutFormulas } from './spreadsheet-text.js'

/** A column of a CSV file: the contract's name of a field, and its value in a row. */
export interface CsvColumn<Row> {
  readonly name: string
  readonly read: (row: Row) => string | number | null | undefined
}

/**
 * The dialect of a CSV file. `comma` is RFC 4180, with a decimal point. `semicolon` is for
 * spreadsheets set up for German and most languages of the continent: with a decimal comma, because
 * they read 12.5 as the twelfth of May.
 */
export type CsvDialect = 'comma' | 'semicolon'

const SEPARATORS: Readonly<Record<CsvDialect, string>> = { comma: ',', semicolon: ';' }

/** The dialect in the URL of a download. @param value of its parameter `separator` */
export function readDialect(value: string | undefined): CsvDialect {
  return value === 'semicolon' ? 'semicolon' : 'comma'
}

/** The URL of a download in the other dialect. */
function withSemicolons(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}separator=semicolon`
}

/** Links to a table in both dialects. @param text of the first   @param to its URL */
export function csvDownloads(text: string, to: string): { text: string; to: string }[] {
  const german = 'As CSV with semicolons and decimal commas'
  return [
    { text, to },
    { text: german, to: withSemicolons(to) },
  ]
}

/** The first line of a file, after the byte order mark by which spreadsheets recognize UTF-8. */
export function csvHead(
  columns: readonly { readonly name: string }[],
  dialect: CsvDialect = 'comma',
): string {
  const names = columns.map(({ name }) => name)
  return `\ufeff${lineOf(names, dialect)}`
}

/** Rows as lines of RFC 4180, but for the separator; a field without a value is empty. */
export function csvLines<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  dialect: CsvDialect = 'comma',
): string {
  const textOf = dialect === 'semicolon' ? semicolonFieldOf : fieldOf
  return rows
    .map((row) =>
      lineOf(
        columns.map(({ read }) => textOf(read(row))),
        dialect,
      ),
    )
    .join('')
}

/**
 * After a comma as well, for a spreadsheet that splits cells there. A minus without a successor, as
 * in `100,-`, begins no formula.
 */
const FORMULA_BEHIND_COMMA = /,["' ]*(?=[=+@＝＋＠]|[-－][^\s,])/g

function semicolonFieldOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value).replace('.', ',')
  return fieldOf(value?.replace(FORMULA_BEHIND_COMMA, "$&'"))
}

function lineOf(fields: readonly string[], dialect: CsvDialect): string {
  const separator = SEPARATORS[dialect]
  // An unquoted field has no quote, comma or line break in it.
  const quoted = fields.map((field) =>
    dialect === 'semicolon' && field.includes(';') && !field.startsWith('"') ? `"${field}"` : field,
  )
  return `${quoted.join(separator)}\r\n`
}

function fieldOf(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return ''
  // Numbers come from kontor and hold no formula.
  if (typeof value === 'number') return String(value)
  const guarded = withoutFormulas(value)
  return /[",\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
