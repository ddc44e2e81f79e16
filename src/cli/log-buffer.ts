import { LOG_BUFFER_CHARS_MAX, LOG_REST_MS, LOG_WRITE_CHARS } from './log-limits.js'
import type { Output } from './terminal.js'

/** How a line of level info or debug begins, as JSON and as text. */
const ROUTINE = /^(?:\{"level":"(?:info|debug)"|\d\S* (?!WARN |ERROR ))/

/**
 * Lines on their way to an output that may be read slowly or not at all. One write is under way at
 * a time; lines that come meanwhile, or within some ms after it, are written together. What does
 * not fit into the buffer is dropped and counted: the service waits for no reader of its log, and
 * grows for none. Warnings and errors have as much room again for themselves.
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

  /** Hands over what is buffered, also while an earlier write is under way. */
  flush(): void {
    clearTimeout(this.#rest)
    this.#rest = undefined
    if (this.#pending === '') return
    const text = this.#pending
    this.#pending = ''
    const writing = this.output
      .write(text)
      // The reader has gone, which is no reason to stop serving; the next lines are still tried.
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
