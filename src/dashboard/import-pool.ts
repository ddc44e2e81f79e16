import { poolOf } from '../snapshot/thread-pool.js'
import { IDLE_IMPORT_THREAD_MS } from './dashboard-limits.js'
import type { ImportOutcome, ImportTask } from './import-task.js'

/** The thread that brings uploaded files into workspaces, one at a time. */
export class ImportPool {
  readonly #pool = poolOf('import-file.js', IDLE_IMPORT_THREAD_MS)

  /** See `importFile` in workers/. @throws Error when something is wrong that is not the file */
  run(task: ImportTask): Promise<ImportOutcome> {
    return this.#pool.run(task, { name: 'importFile' })
  }

  /** Ends the thread; an import under way is undone by SQLite. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
