import { ThreadPool } from '../snapshot/thread-pool.js'
import { IDLE_IMPORT_THREAD_MS, IMPORTS_AT_ONCE_MAX } from './dashboard-limits.js'
import type { ImportOutcome, ImportTask } from './import-task.js'

/** The threads that import uploaded files into workspaces, each one file at a time. */
export class ImportPool {
  readonly #pool = new ThreadPool('import-file.js', IDLE_IMPORT_THREAD_MS, IMPORTS_AT_ONCE_MAX)

  /**
   * See `importFile` in workers/.
   * @param signal ends the thread; SQLite rolls back its transaction
   * @throws Error when the fault is not in the file, or the thread was ended
   */
  run(task: ImportTask, signal?: AbortSignal): Promise<ImportOutcome> {
    return this.#pool.run('importFile', task, signal)
  }

  /** Ends the threads; SQLite rolls back an import in progress. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
