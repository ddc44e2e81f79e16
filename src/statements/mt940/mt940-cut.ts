import { STATEMENT_LINE_CHARS_MAX, StatementError } from '../statement.js'
import type { Line } from '../text-lines.js'

/** Receives the fields of a file, and the ends of its messages. */
export interface FieldSink {
  takeField(field: Field): void
  endMessage(lineNumber: number): void
}

/** One field: its tag, its lines without the tag, and the line it begins in. */
export interface Field {
  readonly tag: string
  readonly lines: string[]
  readonly number: number
}

const TAG = /^:(20|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|13D?|34F|90[CD]|NS):(.*)$/s
/** Any other tag ends the field before it, except free text, which may look like a tag. */
const OTHER_TAG = /^:(\d{2,3}[A-Z]?|[A-Z]{2}):/
/** `-`, `-}`, and the letter in place of `}` in the Swedish seven-bit alphabet. */
const MESSAGE_END = /^-(?:\}(.*)|å?\s{0,9})$/s
/** A line that ends the message, or belongs to the text before it. */
const LONE_DASH = /^-\s{0,9}$/
/** Fields that continue the current message. */
const CONTINUING = /^(61|62[FM]|64|65|86|90[CD]|NS)$/
/** SOH, STX, ETX and other control characters of a transmission; a tab may be text. */
const CONTROL = /[^\P{Cc}\t]/gu

/** A lone dash inside field 86 and the lines after it, until a tag decides what it is. */
interface LoneDash {
  readonly number: number
  readonly lines: string[]
  length: number
}

/** Collects the lines of one message into fields. */
class FieldLines {
  #field: Field | undefined
  #length = 0
  #hasClosingBalance = false

  constructor(private readonly sink: FieldSink) {}

  /** Whether a lone dash may be text: inside field 86, before the closing balance. */
  mayHoldDash(): boolean {
    return this.#field?.tag === '86' && !this.#hasClosingBalance
  }

  take(text: string, number: number): void {
    const tag = TAG.exec(text)
    if (tag !== null) {
      this.#begin(tag[1] ?? '', tag[2] ?? '', number)
    } else if (this.#field !== undefined && (this.#field.tag === '86' || !OTHER_TAG.test(text))) {
      this.#add(this.#field, text)
    } else {
      this.release()
    }
  }

  release(): void {
    if (this.#field !== undefined) this.sink.takeField(this.#field)
    this.#field = undefined
  }

  #begin(tag: string, text: string, number: number): void {
    this.release()
    this.#field = { tag, lines: [text], number }
    this.#length = tag.length + text.length
    if (tag.startsWith('62')) this.#hasClosingBalance = true
    else if (tag === '20' || tag.startsWith('60')) this.#hasClosingBalance = false
  }

  #add({ tag, lines, number }: Field, text: string): void {
    lines.push(text)
    this.#length += text.length + 1
    if (this.#length <= STATEMENT_LINE_CHARS_MAX) return
    const message = `has more than ${STATEMENT_LINE_CHARS_MAX} characters`
    throw new StatementError({ position: `line ${number}`, field: `:${tag}:`, message })
  }
}

/**
 * Splits lines into fields, and strips the SWIFT envelope `{1:…}{2:…}{4:` … `-}{5:…}`. Lines
 * outside a field do not belong to the statement. A lone `-` before the closing balance is text if
 * the message continues after it.
 * @param sink receives each field when it is complete, and each end of a message with its line
 */
export function createFieldCutter(sink: FieldSink): { take(line: Line): void; end(): void } {
  const fields = new FieldLines(sink)
  let dash: LoneDash | undefined

  const endMessage = (number: number): void => {
    dash = undefined
    fields.release()
    sink.endMessage(number)
  }
  /** @returns whether the line waits for a tag, like the dash */
  const waitsWithDash = (waiting: LoneDash, text: string): boolean => {
    const tag = TAG.exec(text)?.[1]
    const isEnd = text.startsWith('{') || text.startsWith('-}')
    waiting.length += text.length + 1
    if (tag === undefined && !isEnd && waiting.length <= STATEMENT_LINE_CHARS_MAX) {
      waiting.lines.push(text)
      return true
    }
    if (tag === undefined || !CONTINUING.test(tag)) {
      endMessage(waiting.number)
      return false
    }
    dash = undefined
    for (const line of waiting.lines) fields.take(line, waiting.number)
    return false
  }
  return {
    take({ text, number }) {
      let rest = text.replace(CONTROL, '')
      if (dash !== undefined && waitsWithDash(dash, rest)) return
      if (LONE_DASH.test(rest) && fields.mayHoldDash()) {
        dash = { number, lines: [rest], length: rest.length }
        return
      }
      const end = MESSAGE_END.exec(rest)
      if (end !== null) {
        endMessage(number)
        rest = end[1] ?? ''
      }
      if (end === null && !rest.startsWith('{')) {
        fields.take(rest, number)
        return
      }
      // `{1:…}{2:…}{4:` opens a message; the rest of the line is already its text.
      const block = rest.indexOf('{4:')
      if (block !== -1) fields.take(rest.slice(block + 3), number)
    },
    end() {
      if (dash !== undefined) endMessage(dash.number)
      fields.release()
    },
  }
}
