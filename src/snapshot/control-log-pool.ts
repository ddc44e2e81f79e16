import { IDLE_CONTROL_LOG_THREAD_MS } from '../credential-limits.js'
import type { LogState } from '../store/control-log.js'
import { loadOf, type PoolLoad, poolOf } from './thread-pool.js'

/** The thread that waits for the disk when control.db was written. */
export class ControlLogPool {
  readonly #pool = poolOf('move-control-log.js', IDLE_CONTROL_LOG_THREAD_MS)

  get load(): PoolLoad {
    return loadOf(this.#pool)
  }

  /** See `moveControlLog`. @throws Error as there */
  move(path: string, pagesLeftMax = 0): Promise<LogState> {
    return this.#pool.run({ path, pagesLeftMax }, { name: 'moveControlLog' })
  }

  /** Ends the thread; work under way is rejected. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
