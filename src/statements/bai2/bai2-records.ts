import { STATEMENT_ENTRY_CHARS_MAX, StatementError } from '../statement.js'
import type { Line } from '../text-lines.js'

/**
 * Codes that begin a record: file header, group header, account, transaction, their trailers; 88
 * continues the record before it.
 */
export type RecordCode = '01' | '02' | '03' | '16' | '49' | '98' | '99'

/** A record with its continuations. */
export interface Bai2Record {
  readonly code: RecordCode
  /** Physical line of its code, from 1. */
  readonly line: number
  /** Text after the code and after each 88, without the end mark `/`. */
  readonly parts: readonly string[]
  /** Number of lines, the 88s included, as the trailers count them. */
  readonly count: number
}

/** Characters of a header of a file or group: its nine fields have some 80. */
const HEADER_CHARS_MAX = 4_096

const BEGIN = /^\s*(01|02|03|16|49|88|98|99),/

// Some files have several records in a line: a code after an end mark and a blank begins a record
// if the fields after it have its shape, since a text may also contain `/ 16, `.
const INNER_BEGIN = new RegExp(
  '/[ \\t]+(?=(?:' +
    [
      '01,[^,/]{0,40},[^,/]{0,40},\\d{6},',
      '02,[^,/]{0,40},[^,/]{0,40},[1-4]?,\\d{6},',
      '03,[^,/]{1,40},',
      '16,\\d{3},[+-]?\\d{0,20},',
      '49,[+-]?\\d{0,25},\\d{1,9}/',
      '88,',
      '9[89],[+-]?\\d{0,25},\\d{0,9},\\d{1,9}/',
    ].join('|') +
    '))',
  'g',
)

/**
 * Joins the lines of a BAI2 file to records: an 88 continues the record before it, and a line
 * without a code the text of the line before it. Holds one record.
 */
export class Bai2RecordReader {
  #open: { code: RecordCode; line: number; parts: string[]; length: number } | undefined

  /** @param takeRecord called with each record once it is complete */
  constructor(private readonly takeRecord: (record: Bai2Record) => void) {}

  /** @throws StatementError for text before the first record, or a record above its limit */
  take({ text, number }: Line): void {
    let from = 0
    for (const { 0: mark, index } of text.matchAll(INNER_BEGIN)) {
      this.#takePiece(text.slice(from, index + 1), number)
      from = index + mark.length
    }
    this.#takePiece(text.slice(from), number)
  }

  /** Completes the last record. */
  end(): void {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return
    const { code, line, parts } = open
    this.takeRecord({ code, line, parts: parts.map(withoutEndMark), count: parts.length })
  }

  #takePiece(text: string, line: number): void {
    if (text.trim() === '') return
    const begin = BEGIN.exec(text)
    const code = begin?.[1]
    const content = text.slice(begin?.[0].length ?? 0)
    const open = this.#open
    if (code !== undefined && code !== '88') {
      this.end()
      this.#open = { code: code as RecordCode, line, parts: [content], length: content.length }
      checkLength(this.#open)
      return
    }
    if (open === undefined) {
      const found = JSON.stringify(text.slice(0, 40))
      const message = `${found} is not a record; expected for example 01,`
      throw new StatementError({ position: `line ${line}`, message })
    }
    if (code === '88') open.parts.push(content)
    else open.parts.push(`${open.parts.pop() ?? ''}\n${content}`)
    open.length += content.length
    checkLength(open)
  }
}

/** Refuses a record above its limit. */
function checkLength(record: { code: RecordCode; line: number; length: number }): void {
  const isHeader = record.code === '01' || record.code === '02'
  const max = isHeader ? HEADER_CHARS_MAX : STATEMENT_ENTRY_CHARS_MAX
  if (record.length <= max) return
  const message = `the record has more than ${max} characters; check that the file is undamaged`
  throw new StatementError({ position: `line ${record.line}`, field: record.code, message })
}

function withoutEndMark(part: string): string {
  const text = part.trimEnd()
  return text.endsWith('/') ? text.slice(0, -1) : text
}

/** Reads the fields of a record from left to right; a continuation goes on with the next field. */
export class FieldReader {
  #part = 0
  #at = 0

  constructor(private readonly parts: readonly string[]) {}

  /** The next field, trimmed; undefined after the last. */
  next(): string | undefined {
    const part = this.parts[this.#part]
    if (part === undefined) return undefined
    const comma = part.indexOf(',', this.#at)
    const field = part.slice(this.#at, comma === -1 ? part.length : comma)
    if (comma === -1) {
      this.#part += 1
      this.#at = 0
    } else {
      this.#at = comma + 1
    }
    return field.trim()
  }

  /** All remaining text, commas included, as lines. */
  rest(): string[] {
    const lines = this.parts.slice(this.#part)
    if (lines[0] !== undefined) lines[0] = lines[0].slice(this.#at)
    this.#part = this.parts.length
    return lines
  }
}
