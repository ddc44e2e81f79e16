import { ApiError } from '../../errors.js'
import type { ArrivingBody, BodyBudget } from './body-budget.js'
import type { BodyValve } from './body-stream.js'

/** Bytes of a body that may arrive before the client is paused: forms and messages as a whole. */
const KEPT_BYTES_MAX = 65_536

/** Takes the parts of a body as they arrive. */
export interface BodySink {
  /** Copies a part, whose memory the sender may reuse. */
  take(part: Uint8Array): void
  /** The last part has arrived. */
  end(): void
}

/** The next sink of a body; it may be given up. */
type NextSink = BodySink & { abort(reason: unknown): void }

/**
 * The beginning of a body that is not read yet. When it is long, the client is paused until it is
 * read; uWS gives a resumed client 10 s to send more, so after the end it is resumed by the reply.
 */
export class KeptBody implements BodySink, ArrivingBody {
  readonly #parts: Uint8Array[] = []
  #bytes = 0
  #isPaused = false
  #isComplete = false
  #isEvicted = false
  #next: NextSink | undefined

  constructor(
    private readonly budget: BodyBudget,
    private readonly valve: BodyValve,
  ) {}

  take(part: Uint8Array): void {
    if (this.#next !== undefined) {
      this.#next.take(part)
      return
    }
    this.#bytes += part.length
    if (this.#isEvicted || !this.budget.take(this, part.length)) this.evict()
    else this.#parts.push(new Uint8Array(part))
    if (this.#isPaused || this.#bytes <= KEPT_BYTES_MAX) return
    this.#isPaused = true
    this.valve.pause()
  }

  end(): void {
    this.#isComplete = true
    this.#next?.end()
  }

  /** Other bodies need the room. */
  evict(): void {
    this.#isEvicted = true
    this.release()
  }

  /** Its bytes are no longer needed. */
  release(): void {
    this.#parts.length = 0
    this.budget.release(this)
  }

  /** Lets a paused client send. */
  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.valve.resume()
  }

  /** Passes on the parts that have arrived, and those that will. */
  passTo(next: NextSink): void {
    this.#next = next
    const parts = this.#parts.slice()
    this.release()
    if (!this.#isComplete) this.resume()
    if (this.#isEvicted) {
      const message = 'Too many request bodies are in transit; try again in a moment.'
      next.abort(new ApiError('budget_exceeded', message))
      return
    }
    for (const part of parts) next.take(part)
    if (this.#isComplete) next.end()
  }
}
