import type { RowSet } from '../free-text/row-set.js'
import type { SearchTask } from '../free-text/search-task.js'
import { type PoolLoad, ThreadPool } from './thread-pool.js'

/** Idle life of a thread that searches or scores: a person reads one result before the next. */
export const IDLE_SEARCH_THREAD_MS = 60_000

/** The thread of long searches; it holds no state, and stays alive for a while. */
export class SearchPool {
  readonly #pool = new ThreadPool('find-rows.js', IDLE_SEARCH_THREAD_MS)

  /** Searches submitted so far. */
  taskCount = 0

  get load(): PoolLoad {
    return this.#pool.load
  }

  find(task: SearchTask): Promise<RowSet> {
    this.taskCount += 1
    return this.#pool.run('findRows', task)
  }

  /** Ends the thread; a search under way is rejected. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
