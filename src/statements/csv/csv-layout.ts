import type { DayOrder } from '../day-text.js'
import { dayOrderOf } from '../day-text.js'
import type { DecimalMark } from '../decimal-text.js'
import { decimalMarkOf, splitCurrency } from '../decimal-text.js'
import { StatementError } from '../statement.js'
import type { CsvProfile, ProfileField } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import { ELBA_HEADER, profileOfFirstRecord, profileOfHeader } from './csv-profiles.js'
import type { CsvRecord } from './csv-records.js'
import { CSV_DELIMITERS, CSV_PREAMBLE_RECORDS_MAX, headRecords } from './csv-records.js'

/** The begin of the table of a CSV file, and its columns. */
export interface CsvLayout {
  readonly delimiter: string
  readonly profile: CsvProfile
  /** The names of the columns; kontor's own when the file has no header. */
  readonly header: readonly string[]
  /** The physical line, 1-based, of the header, or of the first record without one. */
  readonly firstLine: number
  readonly hasHeader: boolean
  /** The records before the header. */
  readonly preamble: readonly CsvRecord[]
}

/**
 * Finds delimiter, preamble and header: by the caller's mapping when there is one, else by the
 * known profiles, each tried under every delimiter.
 * @param head the beginning of the file in whole lines
 * @param columns `--columns`, field name -> the file's column name
 * @throws StatementError when no header is known; it lists the columns found and an example
 */
export function findLayout(
  head: string,
  columns: ReadonlyMap<string, string> | undefined,
): CsvLayout {
  const mapped = columns === undefined ? undefined : profileOfColumns(columns)
  for (const delimiter of CSV_DELIMITERS) {
    const records = headRecords(head, delimiter)
    for (const [row, { line, cells }] of records.slice(0, CSV_PREAMBLE_RECORDS_MAX).entries()) {
      const profile = mapped === undefined ? profileOfHeader(cells) : fits(mapped, cells)
      if (profile === undefined) continue
      const preamble = records.slice(0, row)
      return { delimiter, profile, header: cells, firstLine: line, hasHeader: true, preamble }
    }
    const first = records[0]
    const bare = mapped === undefined && first !== undefined && profileOfFirstRecord(first.cells)
    if (first === undefined || !bare) continue
    const header = first.cells.map((_, i) => ELBA_HEADER[i] ?? '')
    const { line: firstLine } = first
    return { delimiter, profile: bare, header, firstLine, hasHeader: false, preamble: [] }
  }
  throw unknownHeader(head, mapped)
}

/**
 * The places of the columns by {@link columnKey}; the second column of one name is also called
 * `name#2`, the third `name#3`.
 */
export function columnPlaces(header: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const [i, name] of header.entries()) {
    const key = columnKey(name)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (key !== '') places.set(count === 1 ? key : `${key}#${count}`, i)
  }
  return places
}

/** The text for `--columns`, names quoted where needed. */
export function columnsText(columns: Iterable<readonly [string, string]>): string {
  return [...columns]
    .map(([field, name]) => `${field}=${/[,="]/u.test(name) ? `"${name}"` : name}`)
    .join(',')
}

function fits(profile: CsvProfile, header: readonly string[]): CsvProfile | undefined {
  const places = columnPlaces(header)
  return profile.signature.every((name) => places.has(columnKey(name))) ? profile : undefined
}

function profileOfColumns(columns: ReadonlyMap<string, string>): CsvProfile {
  const named = new Map(columns)
  const days = named.get('dateFormat') as DayOrder | undefined
  const decimalMark = named.get('decimalMark') as DecimalMark | undefined
  named.delete('dateFormat')
  named.delete('decimalMark')
  return {
    name: '--columns',
    signature: [...named.values()],
    days: days ?? 'inferred',
    decimalMark: decimalMark ?? 'inferred',
    columns: Object.fromEntries(named) as Partial<Record<ProfileField, string>>,
  }
}

function unknownHeader(head: string, mapped: CsvProfile | undefined): StatementError {
  let records: readonly CsvRecord[] = []
  let widest: CsvRecord | undefined
  for (const delimiter of CSV_DELIMITERS) {
    const found = headRecords(head, delimiter)
    for (const record of found) {
      if (namedCells(record) <= (widest === undefined ? 1 : namedCells(widest))) continue
      widest = record
      records = found
    }
  }
  if (widest === undefined) {
    const message =
      'no table found: expected a header line with columns separated by semicolon, comma or tab'
    return new StatementError({ position: 'line 1', message })
  }
  const position = `line ${widest.line}`
  const names = widest.cells.filter((name) => name !== '')
  const listed = names.map((name) => JSON.stringify(name)).join(', ')
  if (mapped !== undefined) {
    const places = columnPlaces(widest.cells)
    const missing = mapped.signature.filter((name) => !places.has(columnKey(name)))
    const lost = missing.map((name) => JSON.stringify(name)).join(', ')
    const message = `no header line has the column ${lost} that --columns names; found ${listed}`
    return new StatementError({ position, message })
  }
  const example = columnsText(guessColumns(widest, records[records.indexOf(widest) + 1]))
  const unknown = `unknown table with the columns ${listed}`
  const message = `${unknown}; describe them, for example --columns '${example}'`
  return new StatementError({ position, message })
}

function namedCells(record: CsvRecord): number {
  return record.cells.filter((cell) => cell !== '').length
}

/** Columns guessed from the first record under the header: only an example, the caller decides. */
function guessColumns(header: CsvRecord, record: CsvRecord | undefined): [string, string][] {
  const cells = header.cells.map((name, i) => ({ name, cell: record?.cells[i] ?? '' }))
  const named = cells.filter(({ name }) => name !== '')
  const day = named.find(({ cell }) => dayOrderOf(cell) !== undefined) ?? named[0]
  const rest = named.filter((column) => column !== day)
  const amount =
    rest.find(({ cell }) => /^[-+\d]/u.test(cell) && isDecimal(cell)) ?? rest.at(-1) ?? day
  const text = rest.filter((column) => column !== amount)
  const longest = text.toSorted((a, b) => b.cell.length - a.cell.length)[0]
  const guesses: [string, string][] = [
    ['bookingDate', day?.name ?? ''],
    ['amount', amount?.name ?? ''],
  ]
  return longest === undefined ? guesses : [...guesses, ['purpose', longest.name]]
}

function isDecimal(cell: string): boolean {
  const { number } = splitCurrency(cell)
  return /^[-+]?[\d.,]+$/u.test(number) && decimalMarkOf(number) !== undefined
}
