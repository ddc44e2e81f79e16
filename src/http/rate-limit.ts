import type { EpochMs } from '../instant.js'
import type { Exchange, NamedCredential, ResponseFields } from './engine/exchange.js'
import { rateLimited } from './http-errors.js'

/** The window of `--rate-limit`, which counts requests per minute. */
const RATE_WINDOW_MS = 60_000

/** Credentials whose requests are counted at a time: 10 MB; past it the oldest count is dropped. */
export const RATE_CREDENTIALS_MAX = 100_000

/** The remaining requests of a credential after this one. */
export interface Quota {
  /** This request exceeds the limit. */
  readonly isExceeded: boolean
  /** Whole seconds until the next window, 1 to 60. */
  readonly resetSeconds: number
  /** `RateLimit` and `RateLimit-Policy` of the answer (draft-ietf-httpapi-ratelimit-headers). */
  readonly fields: ResponseFields
}

interface Window {
  readonly startMs: EpochMs
  count: number
}

/**
 * Counts requests per credential in fixed windows of a minute. A credential's window begins with
 * its first request, so that the windows do not all restart at once; refused requests are not
 * counted. Two windows meet, so within any one minute at most twice the limit passes.
 */
export class RateLimit {
  /** Oldest window first. */
  readonly #windows = new Map<string, Window>()
  readonly #policy: string

  /** @param requestsMax per minute and credential, at least 1 */
  constructor(
    private readonly requestsMax: number,
    private readonly clock: () => EpochMs,
  ) {
    this.#policy = `"default";q=${requestsMax};w=${RATE_WINDOW_MS / 1000}`
  }

  /** Counts a request. @param credential a text that differs between valid credentials */
  take(credential: string): Quota {
    const nowMs = this.clock()
    const window = this.#windowOf(credential, nowMs)
    const isExceeded = window.count >= this.requestsMax
    if (!isExceeded) window.count += 1
    const remaining = this.requestsMax - window.count
    const resetSeconds = Math.max(1, Math.ceil((window.startMs + RATE_WINDOW_MS - nowMs) / 1000))
    const fields: ResponseFields = [
      ['RateLimit-Policy', this.#policy],
      ['RateLimit', `"default";r=${remaining};t=${resetSeconds}`],
    ]
    return { isExceeded, resetSeconds, fields }
  }

  #windowOf(credential: string, nowMs: EpochMs): Window {
    const known = this.#windows.get(credential)
    if (known !== undefined && isOpen(known, nowMs)) return known
    // Inserting it again makes it the newest, so that expired windows come first.
    this.#windows.delete(credential)
    this.#forget(nowMs)
    const window = { startMs: nowMs, count: 0 }
    this.#windows.set(credential, window)
    return window
  }

  /** Drops the expired windows, and the oldest one when there is no room for another. */
  #forget(nowMs: EpochMs): void {
    for (const [credential, window] of this.#windows) {
      if (isOpen(window, nowMs) && this.#windows.size < RATE_CREDENTIALS_MAX) break
      this.#windows.delete(credential)
    }
  }
}

/**
 * Counts a request of the credential, and adds what is left to the reply.
 * @param rateLimit undefined = requests are not limited   @throws ApiError 429
 */
export function countRequest(
  rateLimit: RateLimit | undefined,
  { credentialId }: NamedCredential,
  exchange: Pick<Exchange, 'addFields'>,
): void {
  if (rateLimit === undefined) return
  const { isExceeded, resetSeconds, fields } = rateLimit.take(credentialId)
  exchange.addFields(fields)
  if (isExceeded) throw rateLimited(resetSeconds)
}

/** A clock that was set back ends a window as well; it would last until the clock caught up. */
function isOpen({ startMs }: Window, nowMs: EpochMs): boolean {
  return nowMs >= startMs && nowMs < startMs + RATE_WINDOW_MS
}
