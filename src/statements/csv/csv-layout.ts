import { dayOrderOf } from '../day-text.js'
import { columnNumber, profileOfColumns } from './csv-columns.js'
import type { CsvProfile } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import { profileOfHeader } from './csv-profiles.js'
import { bareLayoutOf } from './csv-profiles-bare.js'
import type { CsvRecord } from './csv-records.js'
import { CSV_DELIMITERS, CSV_PREAMBLE_RECORDS_MAX, headRecords } from './csv-records.js'

/** The start of the table of a CSV file, and its columns. */
export interface CsvLayout {
  readonly delimiter: string
  readonly profile: CsvProfile
  /** The names of the columns; kontor's own, or `''`, when the file has no header. */
  readonly header: readonly string[]
  /** The physical line, 1-based, of the header, or of the first record without one. */
  readonly firstLine: number
  readonly hasHeader: boolean
  /** Cells of the widest record, without blank ones at the end; a wider record is damaged. */
  readonly widthMax: number
  /** The records before the header, or before the first record of a table without one. */
  readonly preamble: readonly CsvRecord[]
}

/**
 * Finds delimiter, preamble and header by the caller's mapping, if there is one, else by the known
 * profiles, with every delimiter.
 * @param head the beginning of the file in whole lines
 * @param columns `--columns`, left sides -> right sides
 * @returns undefined when the table is unknown, or lacks the columns of the mapping
 */
export function findLayout(
  head: string,
  columns: ReadonlyMap<string, string> | undefined,
): CsvLayout | undefined {
  for (const delimiter of CSV_DELIMITERS) {
    const records = headRecords(head, delimiter)
    const layout =
      columns === undefined
        ? knownLayout(records, delimiter)
        : (namedLayout(records, delimiter, columns) ?? bareLayout(records, delimiter, columns))
    if (layout !== undefined) return layout
  }
  return undefined
}

function knownLayout(records: readonly CsvRecord[], delimiter: string): CsvLayout | undefined {
  const possible = records.slice(0, CSV_PREAMBLE_RECORDS_MAX)
  for (const [row, { line: firstLine, cells: header }] of possible.entries()) {
    const profile = profileOfHeader(header)
    if (profile === undefined) continue
    return headedLayout(records, row, { delimiter, profile, header, firstLine })
  }
  const first = records[0]
  const bare = bareLayoutOf(first?.cells ?? [])
  if (first === undefined || bare === undefined) return undefined
  const header = first.cells.map((_, i) => bare.header[i] ?? '')
  const found = { delimiter, profile: bare.profile, header, firstLine: first.line }
  return { ...found, hasHeader: false, widthMax: widestOf(records, first), preamble: [] }
}

function headedLayout(
  records: readonly CsvRecord[],
  row: number,
  found: Pick<CsvLayout, 'delimiter' | 'profile' | 'header' | 'firstLine'>,
): CsvLayout {
  const widthMax = filledCount(found.header)
  return { ...found, hasHeader: true, widthMax, preamble: records.slice(0, row) }
}

/** Cells up to the last with text. */
export function filledCount(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '') + 1
}

/** The largest number of cells with text of the records with as many cells as this one. */
function widestOf(records: readonly CsvRecord[], like: CsvRecord): number {
  const alike = records.filter(({ cells }) => cells.length === like.cells.length)
  return Math.max(...alike.map(({ cells }) => filledCount(cells)))
}

/** The table below the first header with the columns; for mappings with a name. */
function namedLayout(
  records: readonly CsvRecord[],
  delimiter: string,
  columns: ReadonlyMap<string, string>,
): CsvLayout | undefined {
  const possible = records.slice(0, CSV_PREAMBLE_RECORDS_MAX)
  for (const [row, { line: firstLine, cells: header }] of possible.entries()) {
    const places = columnPlaces(header)
    const profile = profileOfColumns(columns, (name) => places.has(columnKey(name)))
    if (!profile.signature.every((name) => places.has(columnKey(name)))) continue
    if (profile.signature.every((name) => isNumber(name, header))) continue
    return headedLayout(records, row, { delimiter, profile, header, firstLine })
  }
  return undefined
}

/** The table from the first day on, without a header; for mappings by numbers alone. */
function bareLayout(
  records: readonly CsvRecord[],
  delimiter: string,
  columns: ReadonlyMap<string, string>,
): CsvLayout | undefined {
  const possible = records.slice(0, CSV_PREAMBLE_RECORDS_MAX)
  for (const [row, record] of possible.entries()) {
    const header = record.cells.map(() => '')
    const places = columnPlaces(header)
    const profile = profileOfColumns(columns, (name) => places.has(columnKey(name)))
    if (!profile.signature.every((name) => places.has(columnKey(name)))) continue
    const { bookingDate, valueDate } = profile.columns
    const day = places.get(columnKey(String(bookingDate ?? valueDate))) ?? 0
    if (dayOrderOf(record.cells[day] ?? '') === undefined) continue
    const found = { delimiter, profile, header, firstLine: record.line, hasHeader: false }
    return { ...found, widthMax: widestOf(records, record), preamble: records.slice(0, row) }
  }
  return undefined
}

function isNumber(name: string, header: readonly string[]): boolean {
  const isName = header.some((column) => columnKey(column) === columnKey(name))
  return columnNumber(name) !== undefined && !isName
}

/**
 * The places of the columns by {@link columnKey}. The second column of one name is also `name#2`,
 * the third `name#3`; every column is also its number from 1, `#3`.
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
  for (const i of header.keys()) {
    if (!places.has(`#${i + 1}`)) places.set(`#${i + 1}`, i)
  }
  return places
}
