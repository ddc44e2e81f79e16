import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { STATEMENT_LINE_CHARS_MAX, StatementError, type StatementFault } from '../statement.js'

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
 * Reads the records of a text that has `\n` as its only line end, in constant memory: as many as a
 * piece of the text completes at once. Records without any text are left out; the number of cells
 * is not checked. A record with broken quoting is `broken`, and reading continues with its second
 * line: a stray quote costs one record, not the file.
 * @param firstLine the physical line with which the text begins, for messages
 * @param enclosed undefined = no character but `"` encloses cells
 */
export async function* readRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  firstLine: number,
  enclosed?: EnclosedCells,
): AsyncGenerator<readonly (CsvRecord | BrokenRecord)[]> {
  const parser = new RecordParser(delimiter, firstLine, enclosed)
  for await (const piece of withEnd(text)) {
    const records = parser.take(piece)
    if (records.length > 0) yield records
  }
}

/** The records of a text as {@link readRecords} reads them, from line 1 on. */
export function recordsIn(text: string, delimiter: string): (CsvRecord | BrokenRecord)[] {
  const parser = new RecordParser(delimiter, 1)
  return [...parser.take(text), ...parser.take(undefined)]
}

/** Cells that a character other than `"` encloses, and that may contain the delimiter. */
export interface EnclosedCells {
  readonly quote: string
  /** The character only matters in a record with more cells than these. */
  readonly widthMax: number
}

/** A record with broken quoting: nothing of it is read. */
export interface BrokenRecord {
  readonly fault: StatementFault
}

const QUOTE = '"'

/** Cuts a text in pieces into records (RFC 4180, with blanks around quoted cells). */
class RecordParser {
  /** The text of the record that is not complete yet. */
  #text = ''
  #start = 0
  #line: number
  #isWhole = false

  constructor(
    private readonly delimiter: string,
    firstLine: number,
    private readonly enclosed?: EnclosedCells,
  ) {
    this.#line = firstLine
  }

  /** The records that the piece completes; undefined = the end of the text. */
  take(piece: string | undefined): (CsvRecord | BrokenRecord)[] {
    this.#isWhole = piece === undefined
    this.#text = this.#text.slice(this.#start) + (piece ?? '')
    this.#start = 0
    const records: (CsvRecord | BrokenRecord)[] = []
    while (this.#start < this.#text.length) {
      const lineEnd = this.#lineEnd(this.#start)
      if (lineEnd === undefined) break
      const line = this.#line
      const record = this.#text.slice(this.#start, lineEnd)
      const isQuoted = record.includes(QUOTE)
      const cells = isQuoted ? this.#quotedCells(lineEnd) : this.#cells(record, lineEnd)
      if (cells === undefined) break
      if ('fault' in cells) records.push(cells)
      else if (cells.some((cell) => cell !== '')) records.push({ line, cells })
    }
    return records
  }

  /** The end of the line; undefined = not known yet. */
  #lineEnd(start: number): number | undefined {
    const found = this.#text.indexOf('\n', start)
    return found >= 0 ? found : this.#isWhole ? this.#text.length : undefined
  }

  #cells(record: string, lineEnd: number): string[] {
    this.#start = lineEnd + 1
    this.#line += 1
    const cells = record.split(this.delimiter)
    const { quote, widthMax = 0 } = this.enclosed ?? {}
    const whole =
      quote === undefined || cells.length <= widthMax
        ? cells
        : joinEnclosed(cells, this.delimiter, quote)
    return whole.map((cell) => cell.trim())
  }

  /** The cells of a record with quotes, which may span lines; undefined = incomplete so far. */
  #quotedCells(firstLineEnd: number): string[] | BrokenRecord | undefined {
    const text = this.#text
    const cells: string[] = []
    let lineEnd = firstLineEnd
    let at = this.#start
    for (;;) {
      const begin = this.#afterBlanks(at)
      if (text[begin] === QUOTE) {
        const end = this.#closingQuote(begin)
        if (end === undefined) return this.#unclosed(firstLineEnd)
        if (end - this.#start > STATEMENT_LINE_CHARS_MAX) return this.#tooLong(firstLineEnd)
        cells.push(
          text
            .slice(begin + 1, end)
            .replaceAll('""', QUOTE)
            .trim(),
        )
        at = this.#afterBlanks(end + 1)
        if (at === text.length && !this.#isWhole) return undefined
        if (at > lineEnd) {
          const found = this.#lineEnd(at)
          if (found === undefined) return this.#unclosed(firstLineEnd)
          lineEnd = found
        }
        if (at < lineEnd && text[at] !== this.delimiter) return this.#strayQuote(end, firstLineEnd)
      } else {
        const rest = text.slice(at, lineEnd)
        const found = rest.indexOf(this.delimiter)
        const cell = found < 0 ? rest : rest.slice(0, found)
        const stray = cell.indexOf(QUOTE)
        if (stray >= 0) return this.#strayQuote(at + stray, firstLineEnd)
        cells.push(cell.trim())
        at += cell.length
      }
      if (at >= lineEnd) break
      at += 1
    }
    if (lineEnd - this.#start > STATEMENT_LINE_CHARS_MAX) return this.#tooLong(firstLineEnd)
    this.#line += linesIn(text, this.#start, lineEnd) + 1
    this.#start = lineEnd + 1
    return cells
  }

  #afterBlanks(start: number): number {
    let at = start
    while (BLANKS.has(this.#text[at] ?? '') && this.#text[at] !== this.delimiter) at += 1
    return at
  }

  /** The place of the quote that closes the cell; undefined = not in the text so far. */
  #closingQuote(opening: number): number | undefined {
    let at = this.#text.indexOf(QUOTE, opening + 1)
    while (at >= 0 && this.#text[at + 1] === QUOTE) at = this.#text.indexOf(QUOTE, at + 2)
    // The next piece may begin with the second half of a doubled quote.
    return at < 0 || (at + 1 === this.#text.length && !this.#isWhole) ? undefined : at
  }

  #unclosed(firstLineEnd: number): BrokenRecord | undefined {
    if (this.#text.length - this.#start > STATEMENT_LINE_CHARS_MAX) {
      return this.#tooLong(firstLineEnd)
    }
    if (!this.#isWhole) return undefined
    const message = 'a quoted field in this record has no closing quote'
    return this.#broken(this.#line, firstLineEnd, message)
  }

  #tooLong(firstLineEnd: number): BrokenRecord {
    const message = `a record longer than ${STATEMENT_LINE_CHARS_MAX} characters (a missing quote?)`
    return this.#broken(this.#line, firstLineEnd, message)
  }

  #strayQuote(at: number, firstLineEnd: number): BrokenRecord {
    const line = this.#line + linesIn(this.#text, this.#start, at)
    const message = 'a quote inside a field; within a quoted field it must be doubled ("")'
    return this.#broken(line, firstLineEnd, message)
  }

  #broken(line: number, firstLineEnd: number, message: string): BrokenRecord {
    this.#start = firstLineEnd + 1
    this.#line += 1
    return { fault: { position: `line ${line}`, message } }
  }
}

/** Joins the pieces of each cell that begins and ends with the character. */
function joinEnclosed(pieces: readonly string[], delimiter: string, quote: string): string[] {
  const isClosed = (piece = ''): boolean => piece.trimEnd().endsWith(quote)
  const lastClosing = pieces.findLastIndex(isClosed)
  const cells: string[] = []
  let at = 0
  while (at < pieces.length) {
    const opening = pieces[at]?.trim() ?? ''
    const isWhole = opening.length > 1 && isClosed(opening)
    let closing = at
    if (opening.startsWith(quote) && !isWhole && at < lastClosing) {
      do closing += 1
      while (!isClosed(pieces[closing]))
    }
    cells.push(pieces.slice(at, closing + 1).join(delimiter))
    at = closing + 1
  }
  return cells
}

const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\u00a0'])

/** The number of line ends in a part of the text. */
function linesIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

/**
 * The first records of a file's head under one delimiter, leniently: a stray quote is text, and
 * text after a quote that the head does not close is left out. Empty records are left out.
 */
export function headRecords(head: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let lastLine = 0
  try {
    parse(head, {
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
