import { IDLE_SEARCH_THREAD_MS } from '../limits.js'
import type { ScanPart, ScanTask } from '../match/scan.js'
import { loadOf, type PoolLoad, poolOf } from './thread-pool.js'

/** Threads that score matches; they hold nothing, and stay for the next one for a while. */
export class MatchPool {
  readonly #pool
  /** Matches that were given to it so far; each is a task of every thread that takes part. */
  taskCount = 0

  /** @param threadCount 1 or more */
  constructor(readonly threadCount: number) {
    this.#pool = poolOf('score-matches.js', IDLE_SEARCH_THREAD_MS, threadCount)
  }

  /**
   * Has as many threads score the rows as there are blocks for. Resolves with the share of each,
   * undefined of one that has run out of time. It takes whatever it is given, in that order: how
   * many it is given at once is decided where it is known who asks.
   */
  async scan(task: ScanTask): Promise<(ScanPart | undefined)[]> {
    this.taskCount += 1
    const blockCount = Math.ceil(task.rows.ordinals.length / task.blockRows)
    const shares = Array.from(
      { length: Math.max(1, Math.min(this.threadCount, blockCount)) },
      () => this.#pool.run(task, { name: 'score' }) as Promise<ScanPart | undefined>,
    )
    return Promise.all(shares)
  }

  get load(): PoolLoad {
    return loadOf(this.#pool)
  }

  /** Ends the threads; a match under way is rejected. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
