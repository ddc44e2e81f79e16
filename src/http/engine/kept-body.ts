import { ApiError } from '../../errors.js'
import type { ArrivingBody, BodyBudget } from './body-budget.js'

/** Takes the parts of a body as they arrive. */
export interface BodyReceiver {
  /** Copies a part, whose memory the sender may reuse. */
  take(part: Uint8Array): void
  /** The last part has arrived. */
  end(): void
}

/**
 * The beginning of a body that is not read yet: what the engine had read from the socket before the
 * client was paused.
 */
export class KeptBody implements BodyReceiver, ArrivingBody {
  readonly #parts: Uint8Array[] = []
  #isComplete = false
  #isEvicted = false
  #next: (BodyReceiver & { abort(reason: unknown): void }) | undefined

  constructor(private readonly budget: BodyBudget) {}

  take(part: Uint8Array): void {
    if (this.#next !== undefined) this.#next.take(part)
    else if (this.#isEvicted || !this.budget.take(this, part.length)) this.evict()
    else this.#parts.push(new Uint8Array(part))
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

  /** Its bytes are no longer needed: the request is over. */
  release(): void {
    this.#parts.length = 0
    this.budget.release(this)
  }

  /** Passes on the parts that have arrived, and those that will. */
  passTo(next: BodyReceiver & { abort(reason: unknown): void }): void {
    this.#next = next
    const parts = this.#parts.slice()
    this.release()
    if (this.#isEvicted) {
      const message = 'Too many request bodies are in transit; try again in a moment.'
      next.abort(new ApiError('budget_exceeded', message))
      return
    }
    for (const part of parts) next.take(part)
    if (this.#isComplete) next.end()
  }
}
