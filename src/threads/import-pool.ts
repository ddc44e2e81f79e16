import type { ImportOutcome, ImportTask } from './import-task.js'
import { ThreadPool } from './thread-pool.js'

/**
 * Imports that run at once, each of another workspace and on a thread of its own: a slow file
 * delays the files of its own workspace, and no others.
 */
export const IMPORTS_AT_ONCE_MAX = 2

/** Idle time after which an import thread ends. */
const IDLE_IMPORT_THREAD_MS = 30_000

/** The threads that import uploaded files into workspaces, each one file at a time. */
export class ImportPool {
  readonly #pool = new ThreadPool('import-file.js', IDLE_IMPORT_THREAD_MS, IMPORTS_AT_ONCE_MAX)

  /**
   * See `importFile` in workers/import-file.ts.
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
