import { strict as assert } from 'node:assert'
import type { EpochMs } from '../instant.js'

/** Failed sign-ins with one name before the next is delayed: a person's typing errors. */
export const SIGN_IN_NAME_FAILURES_FREE = 5

/** The same from one address, which all callers share behind a proxy. */
export const SIGN_IN_ADDRESS_FAILURES_FREE = 20

/**
 * The longest delay: some thousand guesses a day. The first request after it has the next attempt,
 * so an attacker that keeps asking can lock the owner of a name out, but not from a browser in
 * which the owner has signed in.
 */
export const SIGN_IN_DELAY_MS_MAX = 60_000

/** How long a failed sign-in is remembered. */
export const SIGN_IN_MEMORY_MS = 3_600_000

/** Names and addresses whose failures are remembered, of each; past it the oldest is dropped. */
export const SIGN_IN_KEYS_MAX = 10_000

assert(SIGN_IN_DELAY_MS_MAX < SIGN_IN_MEMORY_MS, 'a failure is remembered while a sign-in waits')

interface Failures {
  count: number
  lastMs: EpochMs
}

/**
 * The delay of a name or an address after a number of failures: none for the first ones, then a
 * second, doubled each time.
 */
export function delayAfter(failures: number, free: number): number {
  if (failures < free) return 0
  return Math.min(1000 * 2 ** Math.min(failures - free, 20), SIGN_IN_DELAY_MS_MAX)
}

/**
 * Attempts to sign in: counted by name and by address for unknown browsers, and by browser alone
 * for known ones, so that neither kind waits for failures of the other. An attempt counts as failed
 * from its beginning until it has succeeded, so that parallel attempts gain nothing.
 */
export class Attempts {
  readonly #byName = new Map<string, Failures>()
  readonly #byAddress = new Map<string, Failures>()
  readonly #byBrowser = new Map<string, Failures>()

  constructor(private readonly clock: () => EpochMs) {}

  /**
   * Begins an attempt from an unknown browser, unless it is too early for one.
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

  /** The attempt has succeeded. Failures of the address stay: it may try other names. */
  succeed(name: string, address: string): void {
    this.#byName.delete(name)
    const failures = this.#byAddress.get(address)
    if (failures !== undefined) failures.count -= 1
  }

  /** As {@link begin}, from a known browser. @param browser its id, which no other browser has */
  beginKnown(browser: string): number {
    const nowMs = this.clock()
    const waitMs = waitOf(this.#byBrowser.get(browser), nowMs, SIGN_IN_NAME_FAILURES_FREE)
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    count(this.#byBrowser, browser, nowMs)
    return 0
  }

  /** The attempt of a known browser has succeeded. Failures of unknown ones with the name stay. */
  succeedKnown(browser: string): void {
    this.#byBrowser.delete(browser)
  }
}

function waitOf(failures: Failures | undefined, nowMs: EpochMs, free: number): number {
  if (failures === undefined || isForgotten(failures, nowMs)) return 0
  return failures.lastMs + delayAfter(failures.count, free) - nowMs
}

/** A clock that was set back forgets as well; the delay would last until the clock caught up. */
function isForgotten({ lastMs }: Failures, nowMs: EpochMs): boolean {
  return nowMs < lastMs || nowMs >= lastMs + SIGN_IN_MEMORY_MS
}

function count(all: Map<string, Failures>, key: string, nowMs: EpochMs): void {
  const known = all.get(key)
  const before = known === undefined || isForgotten(known, nowMs) ? 0 : known.count
  // Inserting it again makes it the newest, so that entries to be forgotten come first.
  all.delete(key)
  for (const [oldest, failures] of all) {
    if (!isForgotten(failures, nowMs) && all.size < SIGN_IN_KEYS_MAX) break
    all.delete(oldest)
  }
  all.set(key, { count: before + 1, lastMs: nowMs })
}
