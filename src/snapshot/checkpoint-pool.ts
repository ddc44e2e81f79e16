import { IDLE_CHECKPOINT_THREAD_MS } from '../credential-limits.js'
import type { WalState } from '../store/checkpoint.js'
import { loadOf, type PoolLoad, poolOf } from './thread-pool.js'

/** The thread that checkpoints control.db, so that no other thread waits for fsync. */
export class CheckpointPool {
  readonly #pool = poolOf('checkpoint.js', IDLE_CHECKPOINT_THREAD_MS)

  get load(): PoolLoad {
    return loadOf(this.#pool)
  }

  /** See `checkpointControl`. @throws Error as there */
  checkpoint(path: string, pagesLeftMax = 0): Promise<WalState> {
    return this.#pool.run({ path, pagesLeftMax }, { name: 'checkpointControl' })
  }

  /** Ends the thread; a checkpoint under way is rejected. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
