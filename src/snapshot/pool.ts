import type { TextIndex } from '../free-text/text-index.js'
import { IDLE_THREAD_MS } from '../limits.js'
import type { FollowTask, LoadTask, Makers, MergeTask, Step, ThinTask } from './makers.js'
import type { LiveSegment, Segment, Snapshot } from './snapshot.js'
import { poolOf } from './thread-pool.js'

/**
 * Threads that make snapshots, which come back as handles to shared memory, not as copies. One does
 * what takes seconds, the other what is waited for by whoever has just written to a file. A
 * builder's heap holds maps of every distinct value: it goes soon after the work is done.
 */
export class MakerPool implements Makers {
  readonly #long = poolOf('build-snapshot.js', IDLE_THREAD_MS)
  readonly #short = poolOf('build-snapshot.js', IDLE_THREAD_MS)

  load(task: LoadTask): Promise<Snapshot> {
    return this.#long.run(task, { name: 'load' })
  }

  follow(task: FollowTask): Promise<Step> {
    return this.#short.run(task, { name: 'follow' })
  }

  merge(task: MergeTask): Promise<LiveSegment> {
    return this.#long.run(task, { name: 'merge' })
  }

  thin(task: ThinTask): Promise<LiveSegment> {
    return this.#short.run(task, { name: 'thin' })
  }

  index(segment: Segment): Promise<TextIndex> {
    return this.#long.run(segment, { name: 'index' })
  }

  /** Ends all threads; work under way is rejected. */
  async close(): Promise<void> {
    await Promise.all([this.#long.destroy(), this.#short.destroy()])
  }
}
