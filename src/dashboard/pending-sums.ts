import { setTimeout as pause } from 'node:timers/promises'
import type { Snapshot } from '../snapshot/snapshot.js'

/** Time a page waits for sums in computation: most of the time budget of a page. */
const SUMS_WAIT_MS = 12

/** Seconds after which a page without its sums reloads itself. */
export const SUMS_REFRESH_SECONDS = 1

/** Time for which finished sums are kept for the page that reloads itself. */
const KEPT_MS = 5_000

/**
 * Sums that are being computed, by workspace and request: a page waits briefly for them, and the
 * next one joins the computation or takes what has finished meanwhile, also when a commit came
 * between them. A workspace with a steady writer would otherwise never show sums that take long.
 */
export class PendingSums<Sums> {
  readonly #pending = new Map<string, Promise<Sums>>()

  /**
   * The result of `add`, which is called once for a workspace and a key until its result has been
   * returned, however many callers wait; undefined = it takes longer. Rejects as it does.
   */
  async soon(snapshot: Snapshot, key: string, add: () => Promise<Sums>): Promise<Sums | undefined> {
    const name = `${snapshot.workspaceId}\n${snapshot.version.uid}\n${key}`
    const pending = this.#pending.get(name) ?? this.#begin(name, add)
    const sums = await Promise.race([pending, pause(SUMS_WAIT_MS, undefined)])
    if (sums !== undefined) this.#forget(name, pending)
    return sums
  }

  #begin(name: string, add: () => Promise<Sums>): Promise<Sums> {
    const pending = add()
    this.#pending.set(name, pending)
    const forget = (): void => this.#forget(name, pending)
    pending.then(() => setTimeout(forget, KEPT_MS).unref(), forget)
    return pending
  }

  #forget(name: string, pending: Promise<Sums>): void {
    if (this.#pending.get(name) === pending) this.#pending.delete(name)
  }
}
