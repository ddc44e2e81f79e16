import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { parse as parseWhole } from 'csv-parse/sync'
import { STATEMENT_LINE_CHARS_MAX, StatementError } from '../statement.js'

/** Records before a CSV header; the longest preamble in use (ING) has 13 lines. */
export const CSV_PREAMBLE_RECORDS_MAX = 40

/** The characters that may separate columns, in the order in which they are tried. */
export const CSV_DELIMITERS = [';', ',', '\t'] as const

const PARSE_OPTIONS = {
  record_delimiter: '\n',
  relax_column_count: true,
  max_record_size: STATEMENT_LINE_CHARS_MAX,
} as const

/** One record: its first physical line, 1-based, and its cells, trimmed. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * The text with `\n` as its only line end and without byte order mark.
 * @throws StatementError for a NUL character and for a line above STATEMENT_LINE_CHARS_MAX
 */
export async function* plainLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  let line = 1
  let lineChars = 0
  let begun = false
  for await (const piece of withEnd(text)) {
    let plain = held + (piece ?? '')
    // The last character may be half of a line end or of a surrogate pair.
    const cut =
      piece !== undefined && /[\r\ud800-\udbff]$/u.test(plain) ? plain.length - 1 : undefined
    held = cut === undefined ? '' : plain.slice(cut)
    plain = plain.slice(0, cut).replace(/\r\n?/gu, '\n')
    if (plain === '') continue
    if (!begun && plain.startsWith('\ufeff')) plain = plain.slice(1)
    begun = true
    for (let start = 0; start <= plain.length; line += 1) {
      const found = plain.indexOf('\n', start)
      const end = found < 0 ? plain.length : found
      lineChars += end - start
      refuseLine({ line, lineChars, text: plain, start, end })
      if (found < 0) break
      lineChars = 0
      start = end + 1
    }
    yield plain
  }
}

async function* withEnd(text: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  yield* text
  yield undefined
}

function refuseLine(at: {
  line: number
  lineChars: number
  text: string
  start: number
  end: number
}): void {
  const position = `line ${at.line}`
  if (at.lineChars > STATEMENT_LINE_CHARS_MAX) {
    const message = `longer than the maximum of ${STATEMENT_LINE_CHARS_MAX} characters`
    throw new StatementError({ position, message })
  }
  const nul = at.text.indexOf('\0', at.start)
  if (nul >= 0 && nul < at.end) {
    throw new StatementError({ position, message: 'a NUL character: this is not a text file' })
  }
}

/**
 * Reads the records of a text that has `\n` as its only line end, in constant memory. Records
 * without any text are left out; the number of cells is the caller's concern.
 * @param firstLine the physical line with which the text begins, for messages
 * @throws StatementError when the quoting is broken, naming the line
 */
export async function* readRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  firstLine: number,
): AsyncGenerator<CsvRecord> {
  let lastLine = firstLine - 1
  // The lines of records that the parser has read and the caller has not yet, in order.
  const lines: number[] = []
  const parser = parse({
    ...PARSE_OPTIONS,
    delimiter,
    trim: delimiter !== '\t',
    on_record: (cells, info) => {
      const kept = cells.some((cell) => cell.trim() !== '')
      if (kept) lines.push(lastLine + 1)
      lastLine = firstLine - 1 + info.lines
      return kept ? cells : null
    },
  })
  const source = Readable.from(text)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      yield { line: lines.shift() ?? firstLine, cells: cells.map((cell) => cell.trim()) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw brokenQuoting(error, lastLine + 1, firstLine - 1 + parser.info.lines)
  } finally {
    source.destroy()
  }
}

function brokenQuoting(error: CsvError, recordLine: number, line: number): StatementError {
  const cause = { cause: error }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    const message = 'a quoted field in this record has no closing quote'
    return new StatementError({ position: `line ${recordLine}`, message }, cause)
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    const message = `a record longer than ${STATEMENT_LINE_CHARS_MAX} characters (a missing quote?)`
    return new StatementError({ position: `line ${recordLine}`, message }, cause)
  }
  const message = 'a quote inside a field; within a quoted field it must be doubled ("")'
  return new StatementError({ position: `line ${line}`, message }, cause)
}

/**
 * The first records of a file's head under one delimiter, leniently: a stray quote is text, and
 * text after a quote that the head does not close is left out. Empty records are left out.
 */
export function headRecords(head: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let lastLine = 0
  try {
    parseWhole(head, {
      ...PARSE_OPTIONS,
      delimiter,
      trim: delimiter !== '\t',
      relax_quotes: true,
      to: CSV_PREAMBLE_RECORDS_MAX * 2,
      on_record: (cells, info) => {
        const trimmed = cells.map((cell) => cell.trim())
        const line = lastLine + 1
        if (trimmed.some((cell) => cell !== '')) records.push({ line, cells: trimmed })
        lastLine = info.lines
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return records
}
