import { CommandError } from '../../errors.js'
import type { StatementAccount, StatementEvent, StatementReader } from '../statement.js'
import { STATEMENT_BATCH_EVENTS, StatementError } from '../statement.js'
import { findLayout } from './csv-layout.js'
import type { CsvNotation } from './csv-notation.js'
import { inferNotation, needsEvidence } from './csv-notation.js'
import type { CsvPlan } from './csv-plan.js'
import { planOf } from './csv-plan.js'
import { CSV_FIELDS } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'
import { plainLines, readRecords } from './csv-records.js'
import { readCsvEntry } from './csv-transaction.js'

/**
 * Characters of a CSV file that are searched for delimiter and header: forty lines of the widest
 * bank export fit twice.
 */
const CSV_HEAD_CHARS = 65_536

/**
 * Records held back until their dates and amounts reveal the formats: a month of a busy account,
 * and small enough to hold.
 */
const CSV_EVIDENCE_RECORDS_MAX = 1_000

/**
 * Reads the CSV export of a bank: one of the known profiles, or any table with `--columns`. Each
 * record is a transaction, a `refused` event that names line, column and text found, or (not yet
 * booked) a `warning`. Constant memory; positions are physical lines.
 * @throws StatementError when the header is unknown, account or currency are missing, the notation
 *   is ambiguous, or the quoting is broken
 */
export const readCsv: StatementReader = async function* (text, options) {
  const lines = plainLines(text)
  try {
    const { head, isWhole } = await takeHead(lines)
    if (head.trim() === '') {
      throw new StatementError({ position: 'line 1', message: 'the file is empty' })
    }
    const layout = findLayout(isWhole ? head : wholeLines(head), options.columns)
    const plan = planOf(layout, options)
    const body = joined(withoutLines(head, layout.firstLine - 1), lines)
    const records = readRecords(body, layout.delimiter, layout.firstLine)
    if (layout.hasHeader) await records.next()
    yield* eventsOf(records, plan)
  } finally {
    await lines.return(undefined)
  }
}

/**
 * Reads the text of `--columns`: `bookingDate=Datum,amount=Betrag`. A column name with a comma, an
 * equals sign or a quote is in double quotes; of columns with one name the second is `name#2`.
 * `dateFormat=dmy|mdy|ymd` and `decimalMark=comma|point` resolve an ambiguous file.
 * @returns field names -> the file's column names
 * @throws CommandError naming the fault and the allowed values
 */
export function parseColumns(text: string): ReadonlyMap<string, string> {
  const columns = new Map<string, string>()
  const part = /\s*([A-Za-z]+)\s*=(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(?:,|$)/uy
  while (part.lastIndex < text.length) {
    const at = part.lastIndex
    const match = part.exec(text)
    if (match === null) {
      const example = '--columns "bookingDate=Datum,amount=Betrag"'
      throw usage(`--columns: cannot read ${JSON.stringify(text.slice(at))}; write ${example}`)
    }
    const field = match[1] ?? ''
    const name = match[2]?.replaceAll('""', '"') ?? match[3]?.trim() ?? ''
    checkColumn(field, name, columns)
    columns.set(field, name)
  }
  if (!columns.has('bookingDate') && !columns.has('valueDate')) {
    throw usage('--columns: name the column of bookingDate or valueDate')
  }
  if (!columns.has('amount') && !(columns.has('debit') && columns.has('credit'))) {
    throw usage('--columns: name the column of amount, or those of debit and credit')
  }
  return columns
}

const COLUMN_SETTINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['dateFormat', ['dmy', 'mdy', 'ymd']],
  ['decimalMark', ['comma', 'point']],
])

function checkColumn(field: string, name: string, columns: ReadonlyMap<string, string>): void {
  const settings = COLUMN_SETTINGS.get(field)
  if (settings === undefined && !CSV_FIELDS.some((known) => known === field)) {
    const known = [...CSV_FIELDS, ...COLUMN_SETTINGS.keys()].join(', ')
    throw usage(`--columns: unknown field ${field}; the fields are ${known}`)
  }
  if (columns.has(field)) throw usage(`--columns: ${field} is given twice`)
  if (name === '') throw usage(`--columns: ${field} names no column`)
  if (settings !== undefined && !settings.includes(name)) {
    throw usage(`--columns: ${field} must be one of ${settings.join(', ')}`)
  }
}

function usage(message: string): CommandError {
  return new CommandError('usage', message)
}

async function takeHead(lines: AsyncIterator<string>): Promise<{ head: string; isWhole: boolean }> {
  let head = ''
  while (head.length < CSV_HEAD_CHARS) {
    const next = await lines.next()
    if (next.done === true) return { head, isWhole: true }
    head += next.value
  }
  return { head, isWhole: false }
}

function wholeLines(head: string): string {
  return head.slice(0, head.lastIndexOf('\n') + 1)
}

function withoutLines(text: string, count: number): string {
  let start = 0
  for (let line = 0; line < count; line += 1) start = text.indexOf('\n', start) + 1
  return text.slice(start)
}

async function* joined(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head
  yield* rest
}

async function* eventsOf(
  records: AsyncIterable<CsvRecord>,
  plan: CsvPlan,
): AsyncGenerator<readonly StatementEvent[]> {
  const heldMax = needsEvidence(plan) ? CSV_EVIDENCE_RECORDS_MAX : 1
  let held: CsvRecord[] = []
  let notation: CsvNotation | undefined
  let accountKey = ''
  let batch: StatementEvent[] = []
  const take = (record: CsvRecord, known: CsvNotation): void => {
    const entry = readCsvEntry(record, plan, known)
    if (entry.kind === 'beside') return
    if (entry.kind === 'booking') {
      const key = keyOf(entry.account)
      if (key !== accountKey) batch.push({ kind: 'account', account: entry.account })
      accountKey = key
      batch.push({ kind: 'transaction', transaction: entry.transaction })
    } else if (entry.kind === 'unbooked') {
      batch.push({ kind: 'warning', message: entry.message, position: `line ${record.line}` })
    } else {
      batch.push(entry)
    }
  }
  for await (const record of records) {
    if (notation !== undefined) take(record, notation)
    else held.push(record)
    if (held.length >= heldMax) {
      notation = inferNotation(held, plan)
      for (const waiting of held) take(waiting, notation)
      held = []
    }
    if (batch.length < STATEMENT_BATCH_EVENTS) continue
    yield batch
    batch = []
  }
  notation ??= inferNotation(held, plan)
  for (const waiting of held) take(waiting, notation)
  if (batch.length > 0) yield batch
}

function keyOf(account: StatementAccount): string {
  return account.iban ?? `number ${account.accountNumber ?? ''}`
}
