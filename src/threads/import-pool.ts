import type { ImportOutcome, ImportTask } from './import-task.js'
import { isOutOfMemory, ThreadPool } from './thread-pool.js'

/**
 * Imports that run at once, each of another workspace and on a thread of its own: a slow file
 * delays the files of its own workspace, and no others.
 */
export const IMPORTS_AT_ONCE_MAX = 2

/** Idle time after which an import thread ends. */
const IDLE_IMPORT_THREAD_MS = 30_000

/**
 * Heap of an import thread: ten times what real files need. Without a limit of its own a thread may
 * take as much as the machine has, and the service with it.
 */
const IMPORT_HEAP_MEGABYTES = 512

/** The threads that import uploaded files into workspaces, each one file at a time. */
export class ImportPool {
  readonly #pool: ThreadPool

  /** @param heapMegabytes of each thread */
  constructor(private readonly heapMegabytes = IMPORT_HEAP_MEGABYTES) {
    const [idleMs, count] = [IDLE_IMPORT_THREAD_MS, IMPORTS_AT_ONCE_MAX]
    this.#pool = new ThreadPool('import-file.js', idleMs, count, heapMegabytes)
  }

  /**
   * See `importFile` in workers/import-file.ts. An import that needs more memory than a thread has
   * has failed; SQLite rolls back its transaction.
   * @param signal ends the thread; SQLite rolls back its transaction
   * @throws Error when the fault is not in the file, or the thread was ended
   */
  async run(task: ImportTask, signal?: AbortSignal): Promise<ImportOutcome> {
    try {
      return await this.#pool.run('importFile', task, signal)
    } catch (error) {
      if (!isOutOfMemory(error)) throw error
      const reason =
        `the import needs more than ${this.heapMegabytes} MB of memory; ` +
        'split the file, or check whether it is the file of a bank'
      return { kind: 'failed', reason, cause: 'out of memory' }
    }
  }

  /** Ends the threads; SQLite rolls back an import in progress. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
