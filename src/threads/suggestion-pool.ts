import type { SuggestionCandidate } from '../suggestions/suggestion-index.js'
import type {
  FindTextsTask,
  LearnNamesTask,
  LearnTask,
  SettledIndex,
  SuggestionTasks,
} from '../suggestions/suggestion-tasks.js'
import { type PoolLoad, ThreadPool } from './thread-pool.js'

/** Idle life of the thread that suggests: its indexes end with it, and take seconds to make. */
const IDLE_SUGGESTION_THREAD_MS = 600_000

/** The thread that holds the texts which suggestions are made of. */
export class SuggestionPool implements SuggestionTasks {
  readonly #pool = new ThreadPool('suggest-words.js', IDLE_SUGGESTION_THREAD_MS)

  /** Queries submitted so far. */
  taskCount = 0

  get load(): PoolLoad {
    return this.#pool.load
  }

  learn(task: LearnTask): Promise<void> {
    return this.#pool.run('learn', task)
  }

  learnNames(task: LearnNamesTask): Promise<void> {
    return this.#pool.run('learnNames', task)
  }

  settle(indexId: number): Promise<SettledIndex | undefined> {
    return this.#pool.run('settle', indexId)
  }

  find(task: FindTextsTask): Promise<SuggestionCandidate[] | undefined> {
    this.taskCount += 1
    return this.#pool.run('find', task)
  }

  drop(indexIds: readonly number[]): Promise<void> {
    return this.#pool.run('drop', indexIds)
  }

  /** Ends the thread; tasks under way are rejected. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
