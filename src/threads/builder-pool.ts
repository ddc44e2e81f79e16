import type { CacheTask } from '../snapshot/cache.js'
import type { SegmentIndexes } from '../snapshot/segment-indexes.js'
import type { LiveSegment, Segment } from '../snapshot/snapshot.js'
import type {
  ApplyDeletesTask,
  FollowResult,
  FollowTask,
  LoadedWorkspace,
  LoadTask,
  MergeTask,
  ReloadResult,
  SnapshotTasks,
} from '../snapshot/snapshot-tasks.js'
import type { PartTask, VisiblePart } from '../snapshot/visible-rows.js'
import type { SealedVersion, WorkspaceAddress } from '../store/workspace.js'
import { type PoolLoad, ThreadPool } from './thread-pool.js'

/** Idle life of a builder thread; its heap is freed when it ends. */
const IDLE_THREAD_MS = 1_000

/** The same of the thread that follows changes: the code that V8 has compiled ends with it. */
const IDLE_FOLLOWER_MS = 600_000

/**
 * Threads for tasks that take seconds. With a second one, a workspace that loads for minutes delays
 * no other workspace; more would only take cores from requests.
 */
const BUILD_THREADS = 2

/**
 * Threads that make snapshots; results are handles to shared memory, not copies. Two build them;
 * their heaps hold maps of every distinct value, so they end soon after the work is done. One
 * writes caches, which no caller waits for. One applies changes after a commit: it stays for the
 * next change, and holds nothing meanwhile.
 */
export class BuilderPool implements SnapshotTasks {
  readonly #long = new ThreadPool('build-snapshot.js', IDLE_THREAD_MS, BUILD_THREADS)
  readonly #cacheWriter = new ThreadPool('build-snapshot.js', IDLE_THREAD_MS)
  readonly #short = new ThreadPool('build-snapshot.js', IDLE_FOLLOWER_MS)

  /** Load of the threads that load, merge and index, of the cache writer, and of the follower. */
  get loads(): Readonly<Record<'build' | 'cacheWriter' | 'follow', PoolLoad>> {
    return {
      build: this.#long.load,
      cacheWriter: this.#cacheWriter.load,
      follow: this.#short.load,
    }
  }

  load(task: LoadTask): Promise<LoadedWorkspace> {
    return this.#long.run('load', task)
  }

  reload(task: LoadTask): Promise<ReloadResult> {
    return this.#long.run('reload', task)
  }

  follow(task: FollowTask): Promise<FollowResult> {
    return this.#short.run('follow', task)
  }

  merge(task: MergeTask): Promise<LiveSegment[]> {
    return this.#long.run('merge', task)
  }

  applyDeletes(task: ApplyDeletesTask): Promise<LiveSegment> {
    return this.#short.run('applyDeletes', task)
  }

  index(segment: Segment): Promise<SegmentIndexes> {
    return this.#long.run('index', segment)
  }

  /** The texts of some accounts' rows; needed by searches, not by other queries. */
  part(task: PartTask): Promise<VisiblePart> {
    return this.#long.run('part', task)
  }

  settle(address: WorkspaceAddress): Promise<void> {
    return this.#long.run('settle', address)
  }

  seal(address: WorkspaceAddress): Promise<SealedVersion | undefined> {
    return this.#long.run('seal', address)
  }

  writeCache(task: CacheTask): Promise<void> {
    return this.#cacheWriter.run('writeCache', task)
  }

  discard(cachePath: string): Promise<void> {
    return this.#cacheWriter.run('discard', cachePath)
  }

  /** Ends all threads; tasks under way are rejected. */
  async close(): Promise<void> {
    const pools = [this.#long, this.#cacheWriter, this.#short]
    await Promise.all(pools.map((pool) => pool.end()))
  }
}
