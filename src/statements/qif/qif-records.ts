import { STATEMENT_ENTRY_CHARS_MAX, StatementError } from '../statement.js'
import type { Line } from '../text-lines.js'

/** One line of a record: a letter, and the text after it. */
export interface QifField {
  /** `D`, `T`, `$`, … */
  readonly letter: string
  /** Trimmed; may be empty. */
  readonly text: string
}

/** The fields up to a `^`. */
export interface QifRecord {
  /** Physical line of the first field, from 1. */
  readonly line: number
  /** In the order of the file. */
  readonly fields: readonly QifField[]
  /** Characters of its lines. */
  readonly length: number
}

/** A line that begins with `!`, or a record. */
export type QifPart =
  | { readonly kind: 'header'; readonly line: number; readonly text: string }
  | { readonly kind: 'record'; readonly record: QifRecord }

/** Joins the lines of a QIF file to headers and records. Holds one record. */
export class QifRecordReader {
  #fields: QifField[] = []
  #line = 0
  #length = 0

  constructor(private readonly takePart: (part: QifPart) => void) {}

  /** @throws StatementError for a record above its limit */
  take({ text, number }: Line): void {
    const line = text.trimStart()
    if (line.trim() === '') return
    const letter = line.charAt(0)
    if (letter === '^') {
      this.end()
    } else if (letter === '!') {
      this.end()
      this.takePart({ kind: 'header', line: number, text: line.slice(1).trim() })
    } else {
      if (this.#fields.length === 0) this.#line = number
      this.#fields.push({ letter, text: line.slice(1).trim() })
      this.#length += line.length
      if (this.#length <= STATEMENT_ENTRY_CHARS_MAX) return
      const message = `the record has more than ${STATEMENT_ENTRY_CHARS_MAX} characters without a ^`
      throw new StatementError({ position: `line ${this.#line}`, message })
    }
  }

  /** Completes the record: its `^` may be missing before a header and at the end of the file. */
  end(): void {
    const record = { line: this.#line, fields: this.#fields, length: this.#length }
    this.#fields = []
    this.#length = 0
    if (record.fields.length > 0) this.takePart({ kind: 'record', record })
  }
}

/** The text of the first field of the letter; undefined if absent or empty. */
export function textOf({ fields }: QifRecord, letter: string): string | undefined {
  return fields.find((field) => field.letter === letter && field.text !== '')?.text
}
