import { Piscina } from 'piscina'
import { BUILD_THREADS_MAX, IDLE_THREAD_MS } from '../limits.js'
import type { Snapshot } from './snapshot.js'

/** What a builder thread is asked for. */
export interface BuildTask {
  readonly workspaceId: string
  readonly path: string
}

/** Threads that build snapshots, which come back as handles to shared memory, not as copies. */
export class BuildPool {
  readonly #piscina = new Piscina<BuildTask, Snapshot>({
    filename: new URL('../../workers/build-snapshot.js', import.meta.url).href,
    name: 'buildSnapshotOf',
    minThreads: 0,
    maxThreads: BUILD_THREADS_MAX,
    // A builder's heap holds maps of every distinct value: it goes soon after the work is done.
    idleTimeout: IDLE_THREAD_MS,
    // Atomics.wait in an idle thread would keep the process from noticing the thread's end.
    atomics: 'disabled',
  })

  /** @throws StoreError's message as an Error when the file cannot be read */
  build(task: BuildTask): Promise<Snapshot> {
    return this.#piscina.run(task)
  }

  /** Ends all threads; work under way is rejected. */
  async close(): Promise<void> {
    await this.#piscina.destroy()
  }
}
