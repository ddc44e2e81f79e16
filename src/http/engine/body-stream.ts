import { ApiError } from '../../errors.js'
import type { RequestHead } from './request-head.js'

/** Pauses and resumes a body; called only while the body is still arriving. */
export interface BodyValve {
  pause(): void
  resume(): void
}

/** A request body passed on to a consumer slower than the network: paused while that is busy. */
export class BodyStream {
  /** Resolves when all parts were taken; rejects as the body of an exchange, or as `take` did. */
  readonly whole: Promise<void>
  /** Further parts are ignored: the body is complete, too large or given up. */
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

  /** Copies the next part, whose memory the sender may reuse. Ignored once settled. */
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

  /** The last part has arrived. */
  end(): void {
    if (this.settled) return
    this.complete = true
    if (!this.isTaking) this.finish()
  }

  /** The client disconnected; `reason` is the value the caller's promise rejects with. */
  abort(reason: unknown): void {
    this.giveUp(reason)
  }

  /** Bytes that an engine had read before the pause still arrive during it. */
  private async passOn(): Promise<void> {
    for (let part = this.waiting.shift(); part !== undefined; part = this.waiting.shift()) {
      await this.takePart(part)
      if (this.settled) return
    }
    this.isTaking = false
    // Also after the last part: the next request arrives over the same connection.
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
