import { setTimeout as pause } from 'node:timers/promises'
import type { Snapshot } from '../snapshot/snapshot.js'

/** Time a page waits for sums in computation: most of the time budget of a page. */
const SUMS_WAIT_MS = 12

/** Seconds after which a page without its sums reloads itself. */
export const SUMS_REFRESH_SECONDS = 1

/**
 * Sums that are being computed, by snapshot and request: a page waits briefly for them, and the
 * next one joins the computation. The results are kept by the operation that sums.
 */
export class PendingSums<Sums> {
  readonly #pending = new WeakMap<Snapshot, Map<string, Promise<Sums>>>()

  /**
   * The result of `add`, which is called once for a snapshot and a key until it has settled,
   * however many callers wait; undefined = it takes longer. Rejects as it does.
   */
  async soon(snapshot: Snapshot, key: string, add: () => Promise<Sums>): Promise<Sums | undefined> {
    return Promise.race([this.#join(snapshot, key, add), pause(SUMS_WAIT_MS, undefined)])
  }

  #join(snapshot: Snapshot, key: string, add: () => Promise<Sums>): Promise<Sums> {
    const pending = this.#pending.get(snapshot) ?? new Map<string, Promise<Sums>>()
    this.#pending.set(snapshot, pending)
    const known = pending.get(key)
    if (known !== undefined) return known
    const adding = add()
    pending.set(key, adding)
    const forget = (): void => void pending.delete(key)
    adding.then(forget, forget)
    return adding
  }
}
