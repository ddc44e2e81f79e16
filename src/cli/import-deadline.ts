import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import { formatDuration } from './duration.js'

/** The deadline of the import of one file; must be ended after it. */
export class ImportDeadline {
  readonly #timer: NodeJS.Timeout
  readonly #endMs: EpochMs
  #isPassed = false
  /** Rejects the wait for the next chunk; undefined before the first one. */
  #rejectWait: (() => void) | undefined

  constructor(
    private readonly timeoutMs: number,
    private readonly clock: () => EpochMs,
  ) {
    this.#endMs = clock() + timeoutMs
    // The import polls the time itself; the timer is for a pipe without data.
    this.#timer = setTimeout(() => {
      this.#isPassed = true
      this.#rejectWait?.()
    }, timeoutMs)
  }

  /** @throws CommandError `late` after the deadline */
  check(): void {
    if (this.clock() >= this.#endMs) throw this.#late()
  }

  /** Passes chunks on. @throws CommandError `late` when the deadline passes before the next one */
  async *through(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const source = chunks[Symbol.asyncIterator]()
    let isWaiting = false
    try {
      for (;;) {
        isWaiting = true
        const next = await this.#beforeDeadline(source.next())
        isWaiting = false
        if (next.done === true) return
        yield next.value
      }
    } finally {
      // A source that waits for its next chunk would not return before it arrives.
      if (!isWaiting) await source.return?.()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  /** One promise a chunk: a race against one for all would keep every chunk until the end. */
  #beforeDeadline<T>(next: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#rejectWait = () => reject(this.#late())
      next.then(resolve, reject)
      if (this.#isPassed) this.#rejectWait()
    })
  }

  #late(): CommandError {
    const allowed = `the import took longer than ${formatDuration(this.timeoutMs)}`
    const more = formatDuration(this.timeoutMs * 2)
    return new CommandError('late', `${allowed}; allow more with --timeout ${more}`)
  }
}
