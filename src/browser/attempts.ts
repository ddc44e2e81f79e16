import {
  SIGN_IN_ADDRESS_FAILURES_FREE,
  SIGN_IN_DELAY_MS_MAX,
  SIGN_IN_KEYS_MAX,
  SIGN_IN_MEMORY_MS,
  SIGN_IN_NAME_FAILURES_FREE,
} from '../credential-limits.js'
import type { EpochMs } from '../instant.js'

interface Failures {
  count: number
  lastMs: EpochMs
}

/**
 * How long a name or an address has to wait after so many failures: nothing for the first ones,
 * then a second, and twice as long each time.
 */
export function delayAfter(failures: number, free: number): number {
  if (failures < free) return 0
  return Math.min(1000 * 2 ** Math.min(failures - free, 20), SIGN_IN_DELAY_MS_MAX)
}

/**
 * Attempts to sign in: of strangers by name and by address, of known browsers by browser alone, so
 * that neither has to wait for what the other failed. One counts as failed from its beginning on
 * until it has succeeded, so that many at a time gain nothing.
 */
export class Attempts {
  readonly #byName = new Map<string, Failures>()
  readonly #byAddress = new Map<string, Failures>()
  readonly #byBrowser = new Map<string, Failures>()

  constructor(private readonly clock: () => EpochMs) {}

  /**
   * Begins an attempt of a stranger, unless it is too early for one.
   * @returns 0, or the whole seconds after which the next attempt may begin
   */
  begin(name: string, address: string): number {
    const nowMs = this.clock()
    const waitMs = Math.max(
      waitOf(this.#byName.get(name), nowMs, SIGN_IN_NAME_FAILURES_FREE),
      waitOf(this.#byAddress.get(address), nowMs, SIGN_IN_ADDRESS_FAILURES_FREE),
    )
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    count(this.#byName, name, nowMs)
    count(this.#byAddress, address, nowMs)
    return 0
  }

  /** The attempt begun was right. What the address failed before stays: it may try other names. */
  succeed(name: string, address: string): void {
    this.#byName.delete(name)
    const failures = this.#byAddress.get(address)
    if (failures !== undefined) failures.count -= 1
  }

  /** As {@link begin}, of a known browser. @param browser what it alone is called */
  beginKnown(browser: string): number {
    const nowMs = this.clock()
    const waitMs = waitOf(this.#byBrowser.get(browser), nowMs, SIGN_IN_NAME_FAILURES_FREE)
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    count(this.#byBrowser, browser, nowMs)
    return 0
  }

  /** The attempt of a known browser was right. What strangers failed with the name stays. */
  succeedKnown(browser: string): void {
    this.#byBrowser.delete(browser)
  }
}

function waitOf(failures: Failures | undefined, nowMs: EpochMs, free: number): number {
  if (failures === undefined || isForgotten(failures, nowMs)) return 0
  return failures.lastMs + delayAfter(failures.count, free) - nowMs
}

/** A clock that was set back forgets as well, or the wait would last until it has caught up. */
function isForgotten({ lastMs }: Failures, nowMs: EpochMs): boolean {
  return nowMs < lastMs || nowMs >= lastMs + SIGN_IN_MEMORY_MS
}

function count(all: Map<string, Failures>, key: string, nowMs: EpochMs): void {
  const known = all.get(key)
  const before = known === undefined || isForgotten(known, nowMs) ? 0 : known.count
  // Entering again makes it the newest, so that those to be forgotten stand in front.
  all.delete(key)
  for (const [oldest, failures] of all) {
    if (!isForgotten(failures, nowMs) && all.size < SIGN_IN_KEYS_MAX) break
    all.delete(oldest)
  }
  all.set(key, { count: before + 1, lastMs: nowMs })
}
