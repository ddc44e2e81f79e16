import { STATEMENT_LINE_CHARS_MAX, StatementError } from '../statement.js'
import type { Line } from './mt940-lines.js'

/** One field: its tag, its lines without the tag, and the line it begins in. */
export interface Field {
  readonly tag: string
  readonly lines: string[]
  readonly number: number
}

const TAG = /^:(20|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|13D?|34F|90[CD]|NS):(.*)$/s
/** Any other tag ends the field before it, unless that is free text, which may look like one. */
const OTHER_TAG = /^:(\d{2,3}[A-Z]?|[A-Z]{2}):/
/** `-`, `-}`, and the letter in place of `}` in the Swedish seven-bit alphabet. */
const MESSAGE_END = /^-(?:\}(.*)|å?\s{0,9})$/s
/** SOH, STX, ETX and the like of a transmission; the tab may be text. */
const CONTROL = /[^\P{Cc}\t]/gu

/**
 * Splits lines into fields, and strips the SWIFT envelope `{1:…}{2:…}{4:` … `-}{5:…}`. Lines
 * outside a field do not belong to the statement.
 * @param sink receives each field when it is complete, and each end of a message with its line
 */
export function createFieldCutter(sink: {
  takeField(field: Field): void
  endMessage(lineNumber: number): void
}): { take(line: Line): void; end(): void } {
  let field: Field | undefined
  let fieldLength = 0

  const release = (): void => {
    if (field !== undefined) sink.takeField(field)
    field = undefined
  }
  const takeText = (text: string, number: number): void => {
    const tag = TAG.exec(text)
    if (tag !== null) {
      release()
      field = { tag: tag[1] ?? '', lines: [tag[2] ?? ''], number }
      fieldLength = text.length
    } else if (field !== undefined && (field.tag === '86' || !OTHER_TAG.test(text))) {
      field.lines.push(text)
      fieldLength += text.length + 1
      if (fieldLength > STATEMENT_LINE_CHARS_MAX) {
        const message = `has more than ${STATEMENT_LINE_CHARS_MAX} characters`
        const { tag: name, number: first } = field
        throw new StatementError({ position: `line ${first}`, field: `:${name}:`, message })
      }
    } else {
      release()
    }
  }
  return {
    take({ text, number }) {
      let rest = text.replace(CONTROL, '')
      const end = MESSAGE_END.exec(rest)
      if (end !== null) {
        release()
        sink.endMessage(number)
        rest = end[1] ?? ''
      }
      if (end === null && !rest.startsWith('{')) {
        takeText(rest, number)
        return
      }
      // `{1:…}{2:…}{4:` opens a message; the rest of the line is its text already.
      const block = rest.indexOf('{4:')
      if (block !== -1) takeText(rest.slice(block + 3), number)
    },
    end: release,
  }
}
