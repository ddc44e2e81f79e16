import { strict as assert } from 'node:assert'
import type { Output } from './terminal.js'

/**
 * Characters of log lines that wait for a slow reader of stderr, and as many again for warnings and
 * errors: some 4,000 lines of the access log. Further ones are dropped and counted.
 */
export const LOG_BUFFER_CHARS_MAX = 1_048_576

/**
 * Characters that are written at once rather than after a rest: a pipe accepts as many in one
 * write.
 */
export const LOG_WRITE_CHARS = 16_384

/** Rest between two writes of the log, in which the lines of many requests are joined. */
const LOG_REST_MS = 10

assert(LOG_WRITE_CHARS < LOG_BUFFER_CHARS_MAX)

/** The beginning of a line of level info or debug, as JSON and as text. */
const ROUTINE = /^(?:\{"level":"(?:info|debug)"|\d\S* (?!WARN |ERROR ))/

/**
 * Buffers lines for an output that may be read slowly or not at all. One write is in progress at a
 * time; lines that arrive meanwhile, or within some ms after it, are written together. Lines that
 * do not fit into the buffer are dropped and counted: the service neither waits for the reader of
 * its log nor grows for it. Warnings and errors have the same room again for themselves.
 */
export class LogBuffer {
  #pending = ''
  #droppedCount = 0
  #writing: Promise<void> | undefined
  #rest: NodeJS.Timeout | undefined

  /** @param onDropped called with the count once there is room again; may write */
  constructor(
    private readonly output: Output,
    private readonly onDropped: (count: number) => void,
  ) {}

  /** @param line ends with a line feed */
  write(line: string): void {
    const length = this.#pending.length + line.length
    if (length > LOG_BUFFER_CHARS_MAX) {
      if (length > 2 * LOG_BUFFER_CHARS_MAX || ROUTINE.test(line)) {
        this.#droppedCount += 1
        return
      }
    }
    this.#pending += line
    if (this.#writing !== undefined) return
    if (this.#rest === undefined || this.#pending.length >= LOG_WRITE_CHARS) this.flush()
  }

  /** Writes the buffered lines, also while an earlier write is in progress. */
  flush(): void {
    clearTimeout(this.#rest)
    this.#rest = undefined
    if (this.#pending === '') return
    const text = this.#pending
    this.#pending = ''
    const writing = this.output
      .write(text)
      // A missing reader is no reason to stop serving; the next lines are still tried.
      .catch((gone: unknown) => {
        if (!(gone instanceof Error)) throw gone
      })
      .then(() => {
        if (this.#writing === writing) this.#written()
      })
    this.#writing = writing
  }

  /** Resolves when everything is handed over. */
  async end(): Promise<void> {
    while (this.#pending !== '' || this.#writing !== undefined) {
      if (this.#writing === undefined) this.flush()
      await this.#writing
    }
    clearTimeout(this.#rest)
    this.#rest = undefined
  }

  #written(): void {
    this.#writing = undefined
    if (this.#droppedCount > 0) {
      const count = this.#droppedCount
      this.#droppedCount = 0
      this.onDropped(count)
    }
    if (this.#pending.length >= LOG_WRITE_CHARS) this.flush()
    else this.#rest = setTimeout(() => this.flush(), LOG_REST_MS)
  }
}
