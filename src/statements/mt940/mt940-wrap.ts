// Where the lines of field 86 wrap, and the blanks that a wrap has lost.
//
// SWIFT wraps at 65 characters, at any place. Some banks count the tag `:86:` in the first line,
// which then has 61 of text; some drop a blank that fell on the last column. Such a line is one
// character short of the width, in a file whose other lines are full. A file in which no line is
// longer has simply another width.
import type { FieldSink } from './mt940-cut.js'

/** Characters of a full line of field 86. */
export const LINE_LENGTH = 65

/** Characters of a full first line where the bank counts the tag. */
const FIRST_LINE_LENGTH = LINE_LENGTH - ':86:'.length

/** Characters that may wait for the first full line of the file: some thousand entries. */
const WAITING_CHARS_MAX = 100_000

/** A blank that a wrap has probably lost. Lines of a file never contain it. */
export const LOST_BLANK = '\0'

/** The text with its lost blanks as blanks. */
export function withBlanks(text: string): string {
  return text.replaceAll(LOST_BLANK, ' ')
}

/** Lengths of the longest lines that another line follows, first and later ones of a field. */
interface Widths {
  first: number
  later: number
}

/** A separator and no or one digit: with the digits that follow, the number of a sub-field. */
const OPEN_SUB_FIELD = /[?<>^~]\d?$/

/** A mark that no blank stands before; a row of points is text. */
const CLOSING_MARK = /^[.,:;!)](?![.,:;!)])/

/** Digits of a number that hardly occurs twice by chance. */
const NUMBER_LENGTH_MIN = 6

/** Characters of a field whose numbers are compared; the standard allows 390. */
const COMPARED_CHARS_MAX = 4_000

/** Whether the digits around the end of a line are one number, because the field repeats it. */
function splitsKnownNumber(line: string, next: string, lines: readonly string[]): boolean {
  // The digits of a sub-field's number are none of the text's.
  const [, head = ''] = /(?:[?<>^~]\d\d)?(\d+)$/.exec(line) ?? []
  const [, tail = ''] = /^(\d+)/.exec(next) ?? []
  if (head === '' || tail === '' || head.length + tail.length < NUMBER_LENGTH_MIN) return false
  const whole = lines.join('')
  if (whole.length > COMPARED_CHARS_MAX) return false
  const number = `${head}${tail}`
  return whole.indexOf(number) !== whole.lastIndexOf(number)
}

/** The lines with a {@link LOST_BLANK} at the end of each that is one character short. */
function restoredLines(lines: readonly string[], widths: Widths): string[] {
  const isFirstKnown = widths.first === LINE_LENGTH || widths.first === FIRST_LINE_LENGTH
  const first = isFirstKnown ? widths.first : Number.NaN
  const later = widths.later === LINE_LENGTH ? LINE_LENGTH : Number.NaN
  return lines.map((line, i) => {
    const next = lines[i + 1]
    const isShort = line.length === (i === 0 ? first : later) - 1
    if (!isShort || next === undefined || next.trim() === '' || line.endsWith(' ')) return line
    if (OPEN_SUB_FIELD.test(line) && /^\d/.test(next)) return line
    if (CLOSING_MARK.test(next)) return line
    return splitsKnownNumber(line, next, lines) ? line : `${line}${LOST_BLANK}`
  })
}

/** A width that the lines so far do not show, but a later line of the file can. */
type Doubt = 'first, with the tag' | 'first' | 'later'

function doubtsOf(lines: readonly string[], widths: Widths): readonly Doubt[] {
  const doubts: Doubt[] = []
  lines.slice(0, -1).forEach(({ length }, i) => {
    if (i > 0) {
      if (length === LINE_LENGTH - 1 && widths.later < LINE_LENGTH) doubts.push('later')
    } else if (length === FIRST_LINE_LENGTH - 1 && widths.first < FIRST_LINE_LENGTH) {
      doubts.push('first, with the tag')
    } else if (length === LINE_LENGTH - 1 && widths.first < LINE_LENGTH) {
      doubts.push('first')
    }
  })
  return doubts
}

function measureLines(lines: readonly string[], widths: Widths): void {
  lines.slice(0, -1).forEach(({ length }, i) => {
    if (length > LINE_LENGTH) return
    if (i === 0) widths.first = Math.max(widths.first, length)
    else widths.later = Math.max(widths.later, length)
  })
}

/**
 * Restores the blanks at the wraps of field 86. From the first line that is one character short,
 * fields wait for the file's first full line, in their order: {@link WAITING_CHARS_MAX} at most,
 * then the lines so far decide.
 * @returns `release` passes on all that waits, at the end of the file and before a fault of it
 */
export function createBlankRestorer(sink: FieldSink): FieldSink & { release(): void } {
  const widths: Widths = { first: 0, later: 0 }
  const doubts = new Set<Doubt>()
  let waiting: (() => void)[] = []
  let waitingChars = 0
  let hasWaitedLongEnough = false

  const release = (): void => {
    const passes = waiting
    waiting = []
    waitingChars = 0
    doubts.clear()
    for (const pass of passes) pass()
  }
  const queue = (pass: () => void, chars: number): void => {
    if (waiting.length === 0 && doubts.size === 0) {
      pass()
      return
    }
    waiting.push(pass)
    waitingChars += chars
    if (waitingChars > WAITING_CHARS_MAX) hasWaitedLongEnough = true
    if (doubts.size === 0 || hasWaitedLongEnough) release()
  }
  return {
    takeField(field) {
      const { tag, lines } = field
      if (tag !== '86' || lines.length === 1) {
        queue(
          () => sink.takeField(field),
          lines.reduce((sum, line) => sum + line.length, 1),
        )
        return
      }
      measureLines(lines, widths)
      if (widths.first >= FIRST_LINE_LENGTH) doubts.delete('first, with the tag')
      if (widths.first === LINE_LENGTH) doubts.delete('first')
      if (widths.later === LINE_LENGTH) doubts.delete('later')
      if (!hasWaitedLongEnough) for (const doubt of doubtsOf(lines, widths)) doubts.add(doubt)
      const chars = lines.reduce((sum, line) => sum + line.length, 1)
      queue(() => sink.takeField({ ...field, lines: restoredLines(lines, widths) }), chars)
    },
    endMessage(lineNumber) {
      queue(() => sink.endMessage(lineNumber), 1)
    },
    release,
  }
}
