import { ApiError } from '../../errors.js'
import type { RequestHead } from './request-head.js'

/** A request body that arrives in parts, up to a limit. */
export abstract class LimitedBody<Whole> {
  /**
   * Rejects with ApiError `body_too_large` past the limit, with the reason of an abort, or as the
   * kind of body says.
   */
  readonly whole: Promise<Whole>
  /** Further parts are ignored: the body is complete, too large or given up. */
  settled = false
  /** The body was read to its end, so the next request begins where it should. */
  complete = false
  protected resolve!: (whole: Whole) => void
  protected reject!: (reason: unknown) => void
  private byteCount = 0

  /** The body starts with {@link begin}, when the fields of its kind are set. */
  constructor(private readonly bytesMax: number) {
    this.whole = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  protected begin(head: RequestHead): void {
    if (head.contentLength > this.bytesMax) this.refuse()
    else if (!head.hasBody) this.end()
  }

  /** Copies the next part, whose memory the sender may reuse. Ignored once settled. */
  take(part: Uint8Array): void {
    if (this.settled) return
    this.byteCount += part.length
    if (this.byteCount > this.bytesMax) this.refuse()
    else this.keep(part)
  }

  /** The last part has arrived. */
  abstract end(): void

  /** The client disconnected; `reason` is the value the caller's promise rejects with. */
  abort(reason: unknown): void {
    if (!this.settled) this.giveUp(reason)
  }

  /** Copies a part within the limit. */
  protected abstract keep(part: Uint8Array): void

  protected abstract giveUp(reason: unknown): void

  private refuse(): void {
    const message = `The request body is longer than ${this.bytesMax} bytes.`
    this.giveUp(new ApiError('body_too_large', message))
  }
}
