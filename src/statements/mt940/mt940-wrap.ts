// Widths of the lines of field 86, and the blanks lost where they wrap.
//
// SWIFT wraps at 65 characters, at any place. Some banks count the tag `:86:` in the first line,
// which then has 61 of text; some drop a blank that fell on the last column. Such a line is one
// character short of the width, in a file whose other lines are full. A file without longer lines
// has another width.
import type { Field, FieldSink } from './mt940-cut.js'

/** Characters of a full line of field 86. */
export const LINE_LENGTH = 65

/** Characters of a full first line where the bank counts the tag. */
const FIRST_LINE_LENGTH = LINE_LENGTH - ':86:'.length

/** Characters that wait for the first full line of the file: some thousand entries. */
const WAITING_CHARS_MAX = 100_000

/** A blank that a wrap has probably lost. Lines of a file never contain it. */
export const LOST_BLANK = '\0'

/** The text with blanks in place of its lost blanks. */
export function withBlanks(text: string): string {
  return text.replaceAll(LOST_BLANK, ' ')
}

/** Lengths of the longest wrapped lines: first lines of a field, and later ones. */
interface Widths {
  first: number
  later: number
}

/** A separator and at most one digit, which the next line completes to a sub-field number. */
const OPEN_SUB_FIELD = /[?<>^~]\d?$/

/** A punctuation mark without a blank before it; a row of points is text. */
const CLOSING_MARK = /^[.,:;!)](?![.,:;!)])/

/** Digits of a number that is unlikely to occur twice by chance. */
const NUMBER_LENGTH_MIN = 6

/** Lines of a field whose numbers are compared; the standard allows six. */
const COMPARED_LINES_MAX = 60

/** The digits at the end of a line, without those of a sub-field number. */
function lastDigitsOf(line: string): string {
  let begin = line.length
  while (begin > 0 && /\d/.test(line[begin - 1] ?? '')) begin -= 1
  return line.slice(/[?<>^~]/.test(line[begin - 1] ?? '') ? begin + 2 : begin)
}

/** Whether the digits around a wrap are one number, because the field repeats it. */
function splitsKnownNumber(line: string, next: string, lines: readonly string[]): boolean {
  const head = lastDigitsOf(line)
  const [, tail = ''] = /^(\d+)/.exec(next) ?? []
  if (head === '' || tail === '' || head.length + tail.length < NUMBER_LENGTH_MIN) return false
  if (lines.length > COMPARED_LINES_MAX) return false
  const whole = lines.join('')
  const number = `${head}${tail}`
  return whole.indexOf(number) !== whole.lastIndexOf(number)
}

/** Whether a line that is one character short has lost a blank. */
function hasLostBlank(line: string, next: string, lines: readonly string[]): boolean {
  if (next.trim() === '' || line.endsWith(' ') || CLOSING_MARK.test(next)) return false
  if (OPEN_SUB_FIELD.test(line) && /^\d/.test(next)) return false
  return !splitsKnownNumber(line, next, lines)
}

/** Adds a {@link LOST_BLANK} to each line that is one character short. */
function restoredLines(lines: string[], widths: Widths): string[] {
  const isFirstKnown = widths.first === LINE_LENGTH || widths.first === FIRST_LINE_LENGTH
  const first = isFirstKnown ? widths.first - 1 : -1
  const later = widths.later === LINE_LENGTH ? LINE_LENGTH - 1 : -1
  const isShort = (line: string, i: number): boolean => line.length === (i === 0 ? first : later)
  if (!lines.some(isShort)) return lines
  return lines.map((line, i) => {
    const next = lines[i + 1]
    if (next === undefined || !isShort(line, i)) return line
    return hasLostBlank(line, next, lines) ? `${line}${LOST_BLANK}` : line
  })
}

/** A width that is still unknown, and that a later line of the file can prove. */
type OpenWidth = 'first, with the tag' | 'first' | 'later'

/** How a wrapped line is ambiguous; undefined = it is not. @param i its number in the field */
function openWidthOf({ length }: string, i: number, widths: Widths): OpenWidth | undefined {
  if (i > 0) return length === LINE_LENGTH - 1 && widths.later < LINE_LENGTH ? 'later' : undefined
  if (length === FIRST_LINE_LENGTH - 1 && widths.first < FIRST_LINE_LENGTH) {
    return 'first, with the tag'
  }
  return length === LINE_LENGTH - 1 && widths.first < LINE_LENGTH ? 'first' : undefined
}

function measureLines(lines: readonly string[], widths: Widths): void {
  for (let i = 0; i < lines.length - 1; i++) {
    const length = lines[i]?.length ?? 0
    if (length > LINE_LENGTH) continue
    if (i === 0) widths.first = Math.max(widths.first, length)
    else widths.later = Math.max(widths.later, length)
  }
}

/**
 * Restores the blanks at the wraps of field 86. From the first line that is one character short,
 * fields wait in order for the first full line of the file. After {@link WAITING_CHARS_MAX}
 * characters, the lines so far decide.
 * @returns `release` passes on all waiting fields, at the end of the file and before a fault
 */
export function createBlankRestorer(sink: FieldSink): FieldSink & { release(): void } {
  const widths: Widths = { first: 0, later: 0 }
  const openWidths = new Set<OpenWidth>()
  let waiting: (() => void)[] = []
  let waitingChars = 0
  let hasWaitedLongEnough = false

  const release = (): void => {
    const passes = waiting
    waiting = []
    waitingChars = 0
    openWidths.clear()
    for (const each of passes) each()
  }
  const isWaiting = (): boolean => waiting.length > 0 || openWidths.size > 0
  const wait = (pass: () => void, chars: number): void => {
    waiting.push(pass)
    waitingChars += chars
    if (waitingChars > WAITING_CHARS_MAX) hasWaitedLongEnough = true
    if (openWidths.size === 0 || hasWaitedLongEnough) release()
  }
  const measure = (lines: readonly string[]): void => {
    measureLines(lines, widths)
    if (widths.first >= FIRST_LINE_LENGTH) openWidths.delete('first, with the tag')
    if (widths.first === LINE_LENGTH) openWidths.delete('first')
    if (widths.later === LINE_LENGTH) openWidths.delete('later')
    if (hasWaitedLongEnough) return
    for (let i = 0; i < lines.length - 1; i++) {
      const openWidth = openWidthOf(lines[i] ?? '', i, widths)
      if (openWidth !== undefined) openWidths.add(openWidth)
    }
  }
  const pass = (field: Field): void => {
    const isWrapped = field.tag === '86' && field.lines.length > 1
    sink.takeField(isWrapped ? { ...field, lines: restoredLines(field.lines, widths) } : field)
  }
  return {
    takeField(field) {
      if (field.tag === '86') measure(field.lines)
      if (!isWaiting()) {
        pass(field)
        return
      }
      const chars = field.lines.reduce((sum, line) => sum + line.length, 1)
      wait(() => pass(field), chars)
    },
    endMessage(lineNumber) {
      if (isWaiting()) wait(() => sink.endMessage(lineNumber), 1)
      else sink.endMessage(lineNumber)
    },
    release,
  }
}
