import { formatInstant } from '../../instant.js'
import { formatAmount } from '../../money.js'
import { DAY_EXAMPLE } from '../day-text.js'
import type { ReadOptions, StatementAccount, StatementTransaction } from '../statement.js'
import { StatementError } from '../statement.js'
import { COLUMNS_WORDS, parseColumns, profileOfColumns } from './csv-columns.js'
import { guessColumns } from './csv-guess.js'
import { guessTable } from './csv-guess-table.js'
import type { CsvLayout } from './csv-layout.js'
import { columnPlaces, findLayout } from './csv-layout.js'
import { inferNotation } from './csv-notation.js'
import { planOf } from './csv-plan.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'
import { CSV_DELIMITERS, headRecords, recordsIn } from './csv-records.js'
import { SignCheck } from './csv-sign-check.js'
import { readCsvEntry } from './csv-transaction.js'

/** Number of rows that the error shows as they would be read. */
const SHOWN_ROWS = 3

/** Characters of a text in such a row. */
const SHOWN_CHARS = 60

/** Placeholders for the account and the currency that neither file nor caller name. */
const NO_ACCOUNT = '-'
const NO_CURRENCY = 'XXX'

const FIELDS = `the fields of --columns are ${COLUMNS_WORDS.join(', ')}`

/**
 * The error for a file whose table has no profile, or lacks the columns that `--columns` names. It
 * shows a suggested mapping and the first rows as it reads them, or the columns that could not be
 * placed.
 * @param head the beginning of the file in whole lines
 */
export function unknownTable(head: string, options: ReadOptions): StatementError {
  const table = guessTable(head)
  const first = table?.first ?? widestRecord(head)
  if (first === undefined) {
    const message =
      'no table found: expected a header line with columns separated by semicolon, comma or tab'
    return new StatementError({ position: 'line 1', message })
  }
  const position = `line ${first.line}`
  const listed = listOf(first.cells.filter((cell) => cell !== ''))
  if (options.columns !== undefined) {
    return new StatementError({ position, message: lostColumns(first, listed, options.columns) })
  }
  const named = `unknown table with the columns ${listed}`
  const bare = `unknown table without a header, whose first row is ${listed}`
  const unknown = table?.hasHeader === false ? bare : named
  if (table === undefined) {
    const days = Object.values(DAY_EXAMPLE).join(', ')
    const why = `no row below has a date such as ${days}, or a row has more than 200 columns`
    const none = `${why}, so no column can be placed`
    return new StatementError({ position, message: `${unknown}; ${none}; ${FIELDS}` })
  }
  const { columnsText, ambiguities, unplaced } = guessColumns(table, options.account !== undefined)
  const rows =
    ambiguities.length > 0
      ? { problem: ambiguities.join('; ') }
      : firstRows(head, columnsText, options)
  const mapping = `--columns '${columnsText}'`
  const left =
    unplaced.length === 0
      ? ''
      : `  without a field, so not imported: ${unplaced.join(', ')}; a text goes into purpose=A+B\n`
  const message =
    'problem' in rows
      ? `${unknown}; not all columns could be placed: ${rows.problem}; ${FIELDS}; ` +
        `begin with ${mapping}`
      : `${unknown}; the mapping below reads the first rows as\n${rows.text}\n${left}${FIELDS}; ` +
        `describe the columns, for example ${mapping}`
  return new StatementError({ position, message })
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ')
}

function lostColumns(
  header: CsvRecord,
  listed: string,
  columns: ReadonlyMap<string, string>,
): string {
  const places = columnPlaces(header.cells)
  const has = (name: string): boolean => places.has(columnKey(name))
  const missing = profileOfColumns(columns, has).signature.filter((name) => !has(name))
  return missing.length === 0
    ? `no row has a date in the date column of --columns; found ${listed}`
    : `no header line has the column ${listOf(missing)} that --columns names; found ${listed}`
}

/** The record with the most texts, at least two, under any delimiter. */
function widestRecord(head: string): CsvRecord | undefined {
  let widest: CsvRecord | undefined
  const textsIn = ({ cells }: CsvRecord): number => cells.filter((cell) => cell !== '').length
  for (const record of CSV_DELIMITERS.flatMap((delimiter) => headRecords(head, delimiter))) {
    if (textsIn(record) > (widest === undefined ? 1 : textsIn(widest))) widest = record
  }
  return widest
}

/**
 * The first rows as the mapping reads them, a line each; or the problem that prevents it. The
 * currency is that of the file, or of the caller; without one, it is left open.
 */
function firstRows(
  head: string,
  columnsText: string,
  options: ReadOptions,
): { text: string } | { problem: string } {
  const rows = rowsIn(head, columnsText, options)
  const isOpen = 'problem' in rows && options.currency === undefined
  if (!isOpen) return rows
  const open = rowsIn(head, columnsText, { ...options, currency: NO_CURRENCY })
  return 'problem' in open ? rows : open
}

function rowsIn(
  head: string,
  columnsText: string,
  options: ReadOptions,
): { text: string } | { problem: string } {
  const { account = NO_ACCOUNT, currency } = options
  const columns = parseColumns(columnsText)
  const layout = findLayout(head, columns)
  if (layout === undefined)
    return { problem: 'its columns have names that --columns cannot tell apart' }
  const { firstLine, hasHeader, delimiter } = layout
  const below = recordsIn(head, delimiter).filter(
    (record): record is CsvRecord => 'cells' in record && record.line >= firstLine,
  )
  const records = hasHeader ? below.slice(1) : below
  try {
    const plan = planOf(layout, {
      account,
      columns,
      ...(currency === undefined ? {} : { currency }),
    })
    const notation = inferNotation(records, plan)
    const lines: string[] = []
    const hasAccountColumn = plan.at.accountIban !== undefined
    let debitCount = 0
    let creditCount = 0
    let hasNoCurrency = false
    const signs = new SignCheck(plan)
    let fault = brokenRecord(head, layout)
    for (const record of records) {
      const entry = readCsvEntry(record, plan, notation)
      if (entry.kind === 'refused' && fault === undefined) {
        fault = `  line ${record.line} would be refused: ${entry.fault.message}`
      }
      if (entry.kind !== 'booking') continue
      signs.take(
        record.line,
        entry.account.iban ?? entry.account.accountNumber ?? '',
        entry.transaction,
      )
      if (lines.length < SHOWN_ROWS) {
        const account = hasAccountColumn ? entry.account : undefined
        lines.push(shownRow(entry.transaction, account))
      }
      if (entry.transaction.amount.unscaled < 0) debitCount += 1
      else creditCount += 1
      if (entry.transaction.currency === NO_CURRENCY) hasNoCurrency = true
    }
    const contradiction = signs.problem()
    if (contradiction !== undefined) {
      return { problem: `${contradiction.position}: ${contradiction.message}` }
    }
    if (lines.length === 0) return { problem: fault?.trim() ?? 'no row is booked' }
    if (fault !== undefined) lines.push(fault)
    if (debitCount === 0) lines.push('  no row has a minus: all are read as credits')
    const isProvable = plan.at.balanceAfter !== undefined
    if (creditCount >= debitCount && plan.at.amount !== undefined && !isProvable) {
      lines.push('  if debits have no minus, as on cards, map charge= instead of amount=')
    }
    const hasAccount = hasAccountColumn || plan.at.accountNumber !== undefined
    const isNamed = hasAccount || plan.account?.accountNumber !== NO_ACCOUNT
    if (!isNamed) lines.push('  the file does not name its account: add --account')
    if (hasNoCurrency) lines.push('  the file does not name its currency: add --currency')
    return { text: lines.join('\n') }
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return { problem: error.message }
  }
}

/** The fault of the first record with broken quoting, if any. */
function brokenRecord(head: string, { firstLine, delimiter }: CsvLayout): string | undefined {
  for (const record of recordsIn(head, delimiter)) {
    if (!('fault' in record)) continue
    const { position, message } = record.fault
    if (Number(/\d+/u.exec(position)?.[0]) < firstLine) continue
    return `  ${position} would be refused: ${message}`
  }
  return undefined
}

function shownRow(transaction: StatementTransaction, account?: StatementAccount): string {
  const { amount, currency, bookedAt, valuedAt, purpose, counterpart } = transaction
  const day = formatInstant(bookedAt ?? valuedAt ?? 0).slice(0, 10)
  const money = formatAmount(amount.unscaled, amount.scale)
  const parts = [
    day,
    currency === NO_CURRENCY ? money : `${money} ${currency}`,
    ...[counterpart.name, counterpart.iban, purpose].flatMap(
      (text) => text?.slice(0, SHOWN_CHARS) ?? [],
    ),
    ...(account === undefined ? [] : [`account ${account.iban ?? account.accountNumber ?? ''}`]),
  ]
  return `  ${parts.join(' | ')}`
}
