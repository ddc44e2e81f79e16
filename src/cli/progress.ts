import type { EpochMs } from '../instant.js'
import { escaped } from '../text/escaped.js'
import { isBrokenPipe, type Output } from './terminal.js'

/**
 * Time between two rewrites of the line: frequent enough to look live, too rare to cost anything.
 */
const REWRITE_MS_MIN = 200

const MEGABYTE_BYTES = 1_000_000

/** One line on a terminal with the progress of a command; nothing without a terminal. */
export class ProgressLine {
  readonly #startedAt: EpochMs
  #writtenAt: EpochMs
  #shownLength = 0

  constructor(
    private readonly output: Output,
    private readonly name: string,
    private readonly clock: () => EpochMs,
  ) {
    this.#startedAt = clock()
    this.#writtenAt = this.#startedAt
  }

  /** Rewrites the line, at most five times a second. */
  show(byteCount: number, rowCount: number): void {
    if (!this.output.isTerminal) return
    const now = this.clock()
    if (now - this.#writtenAt < REWRITE_MS_MIN) return
    this.#writtenAt = now
    const rowsPerSecond = Math.round((rowCount * 1000) / (now - this.#startedAt))
    this.#rewrite(
      `${this.name}: ${megabytesText(byteCount)} MB, ${rowCount} rows, ${rowsPerSecond} rows/s`,
    )
  }

  /** Rewrites the line immediately, at the start of a step that may take long. */
  step(text: string): void {
    if (!this.output.isTerminal) return
    this.#writtenAt = this.clock()
    this.#rewrite(`${this.name}: ${text}`)
  }

  /** Rewrites the line, at most five times a second. */
  showPart(text: string, doneBytes: number, totalBytes: number): void {
    if (!this.output.isTerminal || this.clock() - this.#writtenAt < REWRITE_MS_MIN) return
    this.step(`${text}, ${megabytesText(doneBytes)} of ${megabytesText(totalBytes)} MB`)
  }

  /** Rewrites the line, at most five times a second. */
  showRows(text: string, rowCount: number): void {
    if (!this.output.isTerminal || this.clock() - this.#writtenAt < REWRITE_MS_MIN) return
    this.step(`${text}, ${rowCount} rows`)
  }

  /** Clears the line. */
  clear(): void {
    if (this.#shownLength > 0) this.#rewrite('')
  }

  #rewrite(text: string): void {
    const shown = escaped(text)
    const blanks = ' '.repeat(Math.max(0, this.#shownLength - shown.length))
    this.#shownLength = shown.length
    this.output.write(`\r${shown}${blanks}${text === '' ? '\r' : ''}`).catch((error: unknown) => {
      if (!isBrokenPipe(error)) throw error
    })
  }
}

/** With one decimal at most. */
export function megabytesText(byteCount: number): string {
  return String(Math.round((byteCount * 10) / MEGABYTE_BYTES) / 10)
}
