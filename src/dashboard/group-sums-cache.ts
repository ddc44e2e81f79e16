import type { Snapshot } from '../snapshot/snapshot.js'
import type { GroupSum } from './pages/explorer/chart-groups.js'

/** Requests of a workspace whose sums by month and category are cached, some 10 kB each. */
export const GROUP_SUMS_MAX = 32

/** Sums of the transactions of a request, in one currency. */
export interface GroupedSums {
  readonly months: readonly GroupSum<string | null>[]
  readonly categories: readonly GroupSum<number | null>[]
}

/**
 * Sums by snapshot and request: a page waits briefly for them, and the next one finds the sums that
 * are complete by then.
 */
export class GroupSumsCache {
  readonly #sums = new WeakMap<Snapshot, Map<string, Promise<GroupedSums>>>()

  /**
   * The result of `add`, which is called once for a snapshot and a key, however many callers wait.
   * Rejects as it does; the next caller then calls it again.
   */
  find(snapshot: Snapshot, key: string, add: () => Promise<GroupedSums>): Promise<GroupedSums> {
    const sums = this.#sums.get(snapshot) ?? new Map<string, Promise<GroupedSums>>()
    this.#sums.set(snapshot, sums)
    const known = sums.get(key)
    if (known !== undefined) return known
    const adding = add()
    sums.set(key, adding)
    adding.catch(() => sums.delete(key))
    for (const oldest of sums.keys()) {
      if (sums.size <= GROUP_SUMS_MAX) break
      sums.delete(oldest)
    }
    return adding
  }
}
