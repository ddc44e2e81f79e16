import { LimitedBody } from './limited-body.js'
import type { RequestHead } from './request-head.js'

/** Pauses and resumes a body; called only while the body is still arriving. */
export interface BodyValve {
  pause(): void
  resume(): void
}

/**
 * A request body passed on to a consumer slower than the network: paused while that is busy.
 * Resolves when all parts were taken; rejects also as `takePart` did.
 */
export class BodyStream extends LimitedBody<void> {
  private readonly waiting: Uint8Array[] = []
  private isTaking = false

  /** @param takePart is called with one part at a time, in order */
  constructor(
    bytesMax: number,
    head: RequestHead,
    private readonly takePart: (part: Uint8Array) => Promise<void>,
    private readonly valve: BodyValve,
  ) {
    super(bytesMax)
    this.begin(head)
  }

  protected keep(part: Uint8Array): void {
    if (part.length === 0) return
    this.waiting.push(new Uint8Array(part))
    if (this.isTaking) return
    this.isTaking = true
    this.valve.pause()
    this.passOn().catch((error: unknown) => this.giveUp(error))
  }

  end(): void {
    if (this.settled) return
    this.complete = true
    if (!this.isTaking) this.finish()
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

  protected giveUp(reason: unknown): void {
    if (this.settled) return
    this.settled = true
    this.waiting.length = 0
    if (this.isTaking) this.valve.resume()
    this.reject(reason)
  }
}
