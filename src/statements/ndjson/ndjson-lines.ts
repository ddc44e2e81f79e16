import { STATEMENT_LINE_CHARS_MAX, StatementError } from '../statement.js'

/** One line of a file that is not empty, without its line end. */
export interface NumberedLine {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/**
 * Splits text in pieces of any size into lines: one batch a piece. Lines end in LF or CR LF. A byte
 * order mark is dropped, and lines of white space are dropped but counted.
 * @throws StatementError when a line is longer than STATEMENT_LINE_CHARS_MAX
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<NumberedLine[]> {
  let rest = ''
  let number = 0
  for await (const piece of pieces) {
    const batch: NumberedLine[] = []
    let from = 0
    for (let to = piece.indexOf('\n'); to !== -1; to = piece.indexOf('\n', from)) {
      number += 1
      keepLine(batch, number, rest + piece.slice(from, to))
      rest = ''
      from = to + 1
    }
    rest += piece.slice(from)
    checkLength(number + 1, rest)
    if (batch.length > 0) yield batch
  }
  const batch: NumberedLine[] = []
  keepLine(batch, number + 1, rest)
  if (batch.length > 0) yield batch
}

function keepLine(batch: NumberedLine[], number: number, line: string): void {
  checkLength(number, line)
  const unmarked = number === 1 && line.startsWith('\uFEFF') ? line.slice(1) : line
  const text = unmarked.endsWith('\r') ? unmarked.slice(0, -1) : unmarked
  if (text.trim() !== '') batch.push({ number, text })
}

function checkLength(number: number, line: string): void {
  if (line.length <= STATEMENT_LINE_CHARS_MAX) return
  throw new StatementError({
    position: `line ${number}`,
    message: `it is longer than ${STATEMENT_LINE_CHARS_MAX} characters; is this NDJSON?`,
  })
}
