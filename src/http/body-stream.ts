import { ApiError } from '../errors.js'
import type { RequestHead } from './request-head.js'

/** What lets a body come, and holds it back; called only while the body is still coming. */
export interface BodyValve {
  pause(): void
  resume(): void
}

/** A request body on its way to somewhere slower than the network: held back while that is busy. */
export class BodyStream {
  /** Resolves when all of it was taken; rejects as the body of an exchange, or as `take` did. */
  readonly whole: Promise<void>
  /** Nothing more is taken: the body is whole, too large or given up. */
  settled = false
  /** The body was read to its end, so the next request begins where it should. */
  complete = false
  private readonly waiting: Uint8Array[] = []
  private isTaking = false
  private byteCount = 0
  private resolve!: () => void
  private reject!: (reason: unknown) => void

  /** @param takePart is called with one part at a time, in order */
  constructor(
    private readonly bytesMax: number,
    head: RequestHead,
    private readonly takePart: (part: Uint8Array) => Promise<void>,
    private readonly valve: BodyValve,
  ) {
    this.whole = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    if (head.contentLength > bytesMax) this.refuse()
    else if (!head.hasBody) this.end()
  }

  /** Copies the next part, which may be reused by whoever sent it. Ignored once settled. */
  take(part: Uint8Array): void {
    if (this.settled) return
    this.byteCount += part.length
    if (this.byteCount > this.bytesMax) {
      this.refuse()
      return
    }
    if (part.length === 0) return
    this.waiting.push(new Uint8Array(part))
    if (this.isTaking) return
    this.isTaking = true
    this.valve.pause()
    this.passOn().catch((error: unknown) => this.giveUp(error))
  }

  /** The last part has come. */
  end(): void {
    if (this.settled) return
    this.complete = true
    if (!this.isTaking) this.finish()
  }

  /** The client has gone; `reason` is what the caller's promise rejects with. */
  abort(reason: unknown): void {
    this.giveUp(reason)
  }

  /** What an engine has read already still comes while it is held back. */
  private async passOn(): Promise<void> {
    for (let part = this.waiting.shift(); part !== undefined; part = this.waiting.shift()) {
      await this.takePart(part)
      if (this.settled) return
    }
    this.isTaking = false
    // Also behind the last part: the next request comes over the same connection.
    this.valve.resume()
    if (this.complete) this.finish()
  }

  private finish(): void {
    this.settled = true
    this.resolve()
  }

  private refuse(): void {
    const message = `The request body is longer than ${this.bytesMax} bytes.`
    this.giveUp(new ApiError('body_too_large', message))
  }

  private giveUp(reason: unknown): void {
    if (this.settled) return
    this.settled = true
    this.waiting.length = 0
    if (this.isTaking) this.valve.resume()
    this.reject(reason)
  }
}
