import type { Amount } from '../../money.js'
import { dayOrderOf } from '../day-text.js'
import type { DecimalMark } from '../decimal-text.js'
import { decimalMarkOf, readDecimal, splitCurrency } from '../decimal-text.js'
import { writtenColumnAt } from './csv-columns.js'
import { NAMES } from './csv-guess-names.js'
import { filledCount } from './csv-layout.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'
import { CSV_DELIMITERS, headRecords } from './csv-records.js'

/** One column of an unknown table, with its cells in the first rows. */
export interface GuessedColumn {
  /** As `--columns` takes it: the name, or `#3` where there is none. */
  readonly written: string
  /** The name's {@link columnKey}; empty where the table has no header. */
  readonly key: string
  /** One cell a row. */
  readonly cells: readonly string[]
  /** The cells with text. */
  readonly filled: readonly string[]
  /** Whether all cells with text, at least one, are days. */
  readonly hasDays: boolean
  /** The amounts, one a row, undefined for a blank cell; absent = a cell is not an amount. */
  readonly amounts: readonly (Amount | undefined)[] | undefined
  /** The decimal mark of the amounts, which differs from column to column in some files. */
  readonly mark: DecimalMark
}

/** Table found in an unknown file, whose rows have days. */
export interface GuessedTable {
  /** The header, else the first row. */
  readonly first: CsvRecord
  readonly hasHeader: boolean
  readonly columns: readonly GuessedColumn[]
}

/** Columns of a table for which a mapping is guessed: pairs of them are compared. */
const GUESSED_COLUMNS_MAX = 200

/** Names of columns that have a decimal mark of their own; others may have times, such as 10.30. */
const MONEY_NAMES = [NAMES.amount, NAMES.balance, NAMES.debit, NAMES.credit, NAMES.fee]

/** Characters of a cell that may be an amount. */
const AMOUNT_CHARS_MAX = 40

/**
 * Looks for the table of a file whose header has no profile. The delimiter with the most records
 * with a day wins. The records with the most common number of cells are its rows, and the last
 * record of that width before them, without days and amounts, is its header.
 * @returns undefined when no record has a day, or the table is wider than any bank's
 */
export function guessTable(head: string): GuessedTable | undefined {
  let found: { records: readonly CsvRecord[]; rows: readonly CsvRecord[] } | undefined
  for (const delimiter of CSV_DELIMITERS) {
    const records = headRecords(head, delimiter)
    const rows = rowsAmong(records)
    if (rows.length > (found?.rows.length ?? 0)) found = { records, rows }
  }
  const [row] = found?.rows ?? []
  if (found === undefined || row === undefined) return undefined
  if (row.cells.length > GUESSED_COLUMNS_MAX) return undefined
  const before = found.records.slice(0, found.records.indexOf(row))
  const header = before.findLast((record) => isHeader(record, row))
  const mark = markOf(found.rows.flatMap(({ cells }) => cells)) ?? 'comma'
  const names = header?.cells ?? []
  const columns = Array.from({ length: row.cells.length }, (_, place) =>
    columnOf(names, place, found.rows, mark),
  )
  return { first: header ?? row, hasHeader: header !== undefined, columns }
}

/** The records with a day, of the most common number of cells and place of the first day. */
function rowsAmong(records: readonly CsvRecord[]): readonly CsvRecord[] {
  const byShape = new Map<string, CsvRecord[]>()
  for (const record of records) {
    if (record.cells.length < 2 || !record.cells.some(isDay)) continue
    const shape = `${record.cells.length} ${record.cells.findIndex(isDay)}`
    byShape.set(shape, [...(byShape.get(shape) ?? []), record])
  }
  // The later of two equally common shapes wins, because a preamble precedes the table.
  return [...byShape.values()].reduce((a, b) => (b.length >= a.length ? b : a), [])
}

/** Whether the record is a header: as many cells as the rows, none of them a day or an amount. */
function isHeader({ cells }: CsvRecord, row: CsvRecord): boolean {
  const named = cells.filter((cell) => cell !== '')
  const isAsWide = cells.length === row.cells.length || filledCount(cells) >= filledCount(row.cells)
  if (named.length < 2 || named.length < filledCount(row.cells) / 2 || !isAsWide) return false
  return named.every((cell) => /\p{L}/u.test(cell) && !isDay(cell))
}

function isDay(cell: string): boolean {
  return dayOrderOf(cell) !== undefined
}

/** The decimal mark that most of the amounts prove; undefined = as many prove either. */
function markOf(cells: readonly string[]): DecimalMark | undefined {
  let commas = 0
  for (const cell of cells) {
    if (cell.length > AMOUNT_CHARS_MAX || isDay(cell)) continue
    const { number } = splitCurrency(cell)
    const mark = /^[-+−]?[\d.,'’ \u00a0\u202f]+[-+]?$/u.test(number)
      ? decimalMarkOf(number)
      : undefined
    if (mark === 'comma') commas += 1
    if (mark === 'point') commas -= 1
  }
  if (commas === 0) return undefined
  return commas < 0 ? 'point' : 'comma'
}

function columnOf(
  names: readonly string[],
  place: number,
  rows: readonly CsvRecord[],
  usualMark: DecimalMark,
): GuessedColumn {
  const cells = rows.map((row) => row.cells[place] ?? '')
  const filled = cells.filter((cell) => cell !== '')
  const hasDays = filled.length > 0 && filled.every(isDay)
  const key = columnKey(names[place] ?? '')
  const isNamed = MONEY_NAMES.some((name) => name.test(key))
  const mark = (isNamed ? markOf(filled) : undefined) ?? usualMark
  const amounts = cells.map((cell) => amountIn(cell, mark))
  const isMoney = !hasDays && filled.length > 0 && cells.every((cell, i) => !cell || amounts[i])
  return {
    written: writtenColumnAt(names, place),
    key,
    cells,
    filled,
    hasDays,
    amounts: isMoney ? amounts : undefined,
    mark,
  }
}

/** The amount in a cell; undefined for a blank one, and for numbers such as `0000123`. */
function amountIn(cell: string, mark: DecimalMark): Amount | undefined {
  if (cell === '' || cell.length > AMOUNT_CHARS_MAX) return undefined
  const { number } = splitCurrency(cell)
  if (/^[-+]?0\d/u.test(number)) return undefined
  const amount = readDecimal(number, mark)
  return typeof amount === 'string' ? undefined : amount
}
