import { ApiError } from '../../errors.js'
import type { ArrivingBody, BodyBudget } from './body-budget.js'
import { LimitedBody } from './limited-body.js'
import type { RequestHead } from './request-head.js'

/**
 * An arriving request body: collects the parts and returns them as one. Rejects with ApiError
 * `budget_exceeded` when too many bodies arrive at once.
 */
export class BodyParts extends LimitedBody<Uint8Array> implements ArrivingBody {
  private parts: Uint8Array[] = []

  constructor(
    bytesMax: number,
    head: RequestHead,
    private readonly budget: BodyBudget,
  ) {
    super(bytesMax)
    this.begin(head)
  }

  protected keep(part: Uint8Array): void {
    if (!this.budget.take(this, part.length)) this.evict()
    else if (part.length > 0) this.parts.push(new Uint8Array(part))
  }

  end(): void {
    if (this.settled) return
    this.settled = true
    this.complete = true
    this.budget.release(this)
    const { parts } = this
    this.resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts))
    this.parts = []
  }

  /** Rejects with ApiError `budget_exceeded`: other bodies need the room. */
  evict(): void {
    const message = 'Too many request bodies are in transit; try again in a moment.'
    this.giveUp(new ApiError('budget_exceeded', message))
  }

  protected giveUp(reason: unknown): void {
    this.settled = true
    this.budget.release(this)
    this.parts = []
    this.reject(reason)
  }
}
