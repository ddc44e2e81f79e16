import { ThreadPool } from '../snapshot/thread-pool.js'
import { IDLE_IMPORT_THREAD_MS, IMPORTS_AT_ONCE_MAX } from './dashboard-limits.js'
import type { ImportOutcome, ImportTask } from './import-task.js'

/** The threads that bring uploaded files into workspaces, each one file at a time. */
export class ImportPool {
  readonly #pool = new ThreadPool('import-file.js', IDLE_IMPORT_THREAD_MS, IMPORTS_AT_ONCE_MAX)

  /**
   * See `importFile` in workers/.
   * @param signal ends the thread; SQLite undoes what it has written
   * @throws Error when something is wrong that is not the file, or the thread was ended
   */
  run(task: ImportTask, signal?: AbortSignal): Promise<ImportOutcome> {
    return this.#pool.run('importFile', task, signal)
  }

  /** Ends the threads; an import under way is undone by SQLite. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
