import { IDLE_FOLLOWER_MS, IDLE_THREAD_MS } from '../limits.js'
import type { StampedVersion } from '../store/file-stamp.js'
import type { FreezeTask } from './cache.js'
import type { FollowTask, Loaded, LoadTask, Makers, MergeTask, Step, ThinTask } from './makers.js'
import type { SegmentIndexes } from './segment-indexes.js'
import type { LiveSegment, Segment } from './snapshot.js'
import { loadOf, type PoolLoad, poolOf } from './thread-pool.js'
import type { PartTask, VisiblePart } from './visible-rows.js'

/**
 * Threads that make snapshots, which come back as handles to shared memory, not as copies. One does
 * what takes seconds; its heap holds maps of every distinct value, so it goes soon after the work
 * is done. The other does what is waited for by whoever has just written to a file: it stays for
 * the next change, and holds nothing meanwhile.
 */
export class MakerPool implements Makers {
  readonly #long = poolOf('build-snapshot.js', IDLE_THREAD_MS)
  readonly #short = poolOf('build-snapshot.js', IDLE_FOLLOWER_MS)

  /** Of the thread that loads, merges, indexes and freezes, and of the one that follows. */
  get loads(): Readonly<Record<'build' | 'follow', PoolLoad>> {
    return { build: loadOf(this.#long), follow: loadOf(this.#short) }
  }

  load(task: LoadTask): Promise<Loaded> {
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

  index(segment: Segment): Promise<SegmentIndexes> {
    return this.#long.run(segment, { name: 'index' })
  }

  /** The texts of some accounts' rows; for whoever searches, not for what is served. */
  part(task: PartTask): Promise<VisiblePart> {
    return this.#long.run(task, { name: 'part' })
  }

  moveLog(path: string): Promise<void> {
    return this.#long.run(path, { name: 'moveLog' })
  }

  stamp(path: string): Promise<StampedVersion | undefined> {
    return this.#long.run(path, { name: 'stamp' })
  }

  freeze(task: FreezeTask): Promise<void> {
    return this.#long.run(task, { name: 'freeze' })
  }

  discard(frozenPath: string): Promise<void> {
    return this.#long.run(frozenPath, { name: 'discard' })
  }

  /** Ends all threads; work under way is rejected. */
  async close(): Promise<void> {
    this.#long.on('error', throwUnlessUnawaited)
    this.#short.on('error', throwUnlessUnawaited)
    await Promise.all([this.#long.destroy(), this.#short.destroy()])
  }
}

/** A task that is done at the moment of the end has an answer that nobody waits for any more. */
function throwUnlessUnawaited(error: unknown): void {
  if (error instanceof Error && error.message.startsWith('Unexpected message from Worker')) return
  throw error
}
