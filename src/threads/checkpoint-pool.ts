import { strict as assert } from 'node:assert'
import type { WalState } from '../store/sqlite/checkpoint.js'
import { CHECKPOINT_INTERVAL_MS } from '../store/sqlite/checkpoint-scheduler.js'
import { type PoolLoad, ThreadPool } from './thread-pool.js'

/** Idle life of the thread: outlasts the pauses between occasional token requests. */
const IDLE_CHECKPOINT_THREAD_MS = 10_000

assert(CHECKPOINT_INTERVAL_MS < IDLE_CHECKPOINT_THREAD_MS, 'a busy service starts no threads')

/** The thread that checkpoints control.db, so that no other thread waits for fsync. */
export class CheckpointPool {
  readonly #pool = new ThreadPool('checkpoint.js', IDLE_CHECKPOINT_THREAD_MS)

  get load(): PoolLoad {
    return this.#pool.load
  }

  /** See `checkpointControl`. @throws Error as there */
  checkpoint(path: string, pagesLeftMax = 0): Promise<WalState> {
    return this.#pool.run('checkpointControl', { path, pagesLeftMax })
  }

  /** Ends the thread; a checkpoint under way is rejected. */
  async close(): Promise<void> {
    await this.#pool.end()
  }
}
