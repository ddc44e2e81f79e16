import type { BarChart } from '../charts/bar-chart.js'
import type { GroupSum } from '../query/group-sums.js'
import type { ChartPool } from '../snapshot/chart-pool.js'
import type { Snapshot } from '../snapshot/snapshot.js'
import { GROUPED_KEPT_MAX } from './dashboard-limits.js'

/** What the transactions of a question add up to in one currency. */
export interface GroupedSums {
  readonly months: readonly GroupSum<string | null>[]
  readonly categories: readonly GroupSum<number | null>[]
}

/**
 * Where charts are made: a page waits a moment for them, and the next one finds what has been made
 * meanwhile.
 */
export class ChartRoom {
  readonly #grouped = new WeakMap<Snapshot, Map<string, Promise<GroupedSums>>>()

  constructor(private readonly pool: Pick<ChartPool, 'find' | 'draw'>) {}

  /**
   * What `add` resolves with, asked once for a snapshot and a key, however many wait for it.
   * Rejects as it does, and asks anew then.
   */
  grouped(snapshot: Snapshot, key: string, add: () => Promise<GroupedSums>): Promise<GroupedSums> {
    const cache = this.#grouped.get(snapshot) ?? new Map<string, Promise<GroupedSums>>()
    this.#grouped.set(snapshot, cache)
    const known = cache.get(key)
    if (known !== undefined) return known
    const adding = add()
    cache.set(key, adding)
    adding.catch(() => cache.delete(key))
    for (const oldest of cache.keys()) {
      if (cache.size <= GROUPED_KEPT_MAX) break
      cache.delete(oldest)
    }
    return adding
  }

  /** The charts as SVG, see `drawChart`. */
  async drawn(charts: readonly BarChart[]): Promise<string[]> {
    return Promise.all(charts.map((chart) => this.pool.find(chart) ?? this.pool.draw(chart)))
  }
}
