import { STATEMENT_LINE_CHARS_MAX, StatementError } from './statement.js'

/** One physical line without its line end. */
export interface Line {
  readonly text: string
  /** Counted from 1. */
  readonly number: number
}

/**
 * Splits text into lines at CR LF, LF or CR, wherever the pieces of text end; a batch per piece.
 * Every line counts, empty ones too: a line of a field of MT940 may be empty.
 * @throws StatementError for a line of more than {@link STATEMENT_LINE_CHARS_MAX} characters, or
 *   one with a NUL character
 */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly Line[]> {
  let number = 1
  let held: string[] = []
  let heldLength = 0
  let endedInReturn = false

  const hold = (piece: string): void => {
    if (piece === '') return
    held.push(piece)
    heldLength += piece.length
    const position = `line ${number}`
    if (heldLength > STATEMENT_LINE_CHARS_MAX) {
      const message = `has more than ${STATEMENT_LINE_CHARS_MAX} characters`
      throw new StatementError({ position, message })
    }
    if (piece.includes('\0')) throw new StatementError({ position, message: 'contains a NUL' })
  }
  const release = (): Line => {
    const line = { text: held.join(''), number }
    number += 1
    held = []
    heldLength = 0
    return line
  }

  for await (const piece of text) {
    if (piece === '') continue
    const lines: Line[] = []
    try {
      let from = 0
      for (const { 0: end, index } of piece.matchAll(/\r\n|\n|\r/g)) {
        // The LF of a CR LF may arrive with the next piece.
        const isSecondHalf = index === 0 && end === '\n' && endedInReturn
        if (!isSecondHalf) {
          hold(piece.slice(from, index))
          lines.push(release())
        }
        from = index + end.length
      }
      hold(piece.slice(from))
      endedInReturn = piece.endsWith('\r')
    } finally {
      // Lines before a fault are yielded too, however the text was cut in pieces.
      if (lines.length > 0) yield lines
    }
  }
  if (heldLength > 0) yield [release()]
}
