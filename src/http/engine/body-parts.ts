import { ApiError } from '../../errors.js'
import type { ArrivingBody, BodyBudget } from './body-budget.js'
import type { RequestHead } from './request-head.js'

/** An arriving request body: collects parts up to a limit and returns them as one. */
export class BodyParts implements ArrivingBody {
  /**
   * Rejects with ApiError `body_too_large` past the limit, `budget_exceeded` when too many bodies
   * arrive at once, or with the reason of an abort.
   */
  readonly whole: Promise<Uint8Array>
  /** Further parts are ignored: the body is complete, too large or given up. */
  settled = false
  /** The body was read to its end, so the next request begins where it should. */
  complete = false
  private parts: Uint8Array[] = []
  private byteCount = 0
  private resolve!: (bytes: Uint8Array) => void
  private reject!: (reason: unknown) => void

  constructor(
    private readonly bytesMax: number,
    head: RequestHead,
    private readonly budget: BodyBudget,
  ) {
    this.whole = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    if (head.contentLength > bytesMax) this.refuse()
    else if (!head.hasBody) this.end()
  }

  /** Copies the next part, whose memory the sender may reuse. Ignored once settled. */
  take(part: Uint8Array): void {
    if (this.settled) return
    this.byteCount += part.length
    if (this.byteCount > this.bytesMax) this.refuse()
    else if (!this.budget.take(this, part.length)) this.evict()
    else if (part.length > 0) this.parts.push(new Uint8Array(part))
  }

  /** The last part has arrived. */
  end(): void {
    if (this.settled) return
    this.settled = true
    this.complete = true
    this.budget.release(this)
    const { parts } = this
    this.resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts))
    this.parts = []
  }

  /** The client disconnected; `reason` is the value the caller's promise rejects with. */
  abort(reason: unknown): void {
    if (this.settled) return
    this.giveUp(reason)
  }

  private refuse(): void {
    const message = `The request body is longer than ${this.bytesMax} bytes.`
    this.giveUp(new ApiError('body_too_large', message))
  }

  /** Rejects with ApiError `budget_exceeded`: other bodies need the room. */
  evict(): void {
    const message = 'Too many request bodies are in transit; try again in a moment.'
    this.giveUp(new ApiError('budget_exceeded', message))
  }

  private giveUp(reason: unknown): void {
    this.settled = true
    this.budget.release(this)
    this.parts = []
    this.reject(reason)
  }
}
