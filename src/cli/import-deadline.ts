import { CommandError } from '../errors.js'
import type { EpochMs } from '../instant.js'
import { formatDuration } from './duration.js'

/** The deadline of the import of one file; must be ended after it. */
export class ImportDeadline {
  readonly #timer: NodeJS.Timeout
  readonly #passed: Promise<never>
  readonly #endMs: EpochMs

  constructor(
    private readonly timeoutMs: number,
    private readonly clock: () => EpochMs,
  ) {
    this.#endMs = clock() + timeoutMs
    const { promise, reject } = withReject()
    this.#passed = promise
    // The import polls the time itself; the timer is for a pipe without data.
    this.#timer = setTimeout(() => reject(this.#late()), timeoutMs)
    promise.catch(() => undefined)
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
        const next = await Promise.race([source.next(), this.#passed])
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

  #late(): CommandError {
    const allowed = `the import took longer than ${formatDuration(this.timeoutMs)}`
    const more = formatDuration(this.timeoutMs * 2)
    return new CommandError('late', `${allowed}; allow more with --timeout ${more}`)
  }
}

function withReject(): { promise: Promise<never>; reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise
  })
  return { promise, reject }
}
