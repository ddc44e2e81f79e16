import { strict as assert } from 'node:assert'
import { messageOf } from '../errors.js'
import type { FileReading, FileStamp } from '../store/sqlite/file-stamp.js'
import { CHANGES_KEPT_MAX } from '../store/sqlite/workspace-file.js'
import { type Cache, cachedPart } from './cache.js'
import type { Snapshot } from './snapshot.js'
import type { SnapshotTasks } from './snapshot-tasks.js'

/**
 * Changes worth rewriting the cache for: below {@link CHANGES_KEPT_MAX}, half a second to catch up.
 */
export const CACHE_WRITE_CHANGES_MIN = 20_000

/** Pause between two writes of a cache: writing gigabytes wears out disks. */
export const CACHE_WRITE_PAUSE_MS = 300_000

/** Changes after which no pause applies, so that the cache can always be caught up. */
export const CACHE_WRITE_CHANGES_MAX = 100_000

/** Retry interval for writing the cache of a file that is being written to. */
export const CACHE_WRITE_RETRY_MS = 10_000

assert(CACHE_WRITE_CHANGES_MIN <= CACHE_WRITE_CHANGES_MAX)
assert(
  CACHE_WRITE_CHANGES_MAX * 2 <= CHANGES_KEPT_MAX,
  'a copy is written before it is out of reach',
)

/** Dependencies of a copy. */
export interface CachedCopyOptions {
  readonly cache: Cache
  /** Path of the workspace file. */
  readonly path: string
  readonly tasks: SnapshotTasks
  /** Monotonic milliseconds. */
  readonly clock: () => number
}

/** A snapshot as it is followed now, and access to the state of its file. */
export interface FollowedSnapshot {
  readonly snapshot: Snapshot
  readonly reading: FileReading
  /** Whether the file holds the snapshot's rows and has not been touched since they were read. */
  readonly isStill: () => boolean
  /** Truncates the WAL; see ChangeWatch. @returns whether it is empty */
  readonly truncateWal: () => boolean
}

/** Result of an attempt to write a copy. */
export type WriteResult =
  | { readonly kind: 'written' }
  /** Not written: it would not have been better than the existing one. */
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * The cached copy of a snapshot: which version it holds, and when to rewrite it. The cache is a
 * convenience: its failures are logged and have no other effect.
 */
export class CachedCopy {
  /** undefined = nothing worth keeping. */
  #held: { readonly sequence: number; readonly isStamped: boolean } | undefined
  #attemptedMs = Number.NEGATIVE_INFINITY
  #isBusy = false

  /** @param cachedSequence of the version in the cache; undefined = none */
  constructor(
    private readonly options: CachedCopyOptions,
    cachedSequence: number | undefined,
  ) {
    if (cachedSequence !== undefined) this.#held = { sequence: cachedSequence, isStamped: true }
  }

  /** Marks the copy as outdated: catching up from it to the present snapshot is expensive. */
  outdate(): void {
    this.#held = undefined
  }

  /** Removes a copy that is wrong, as far as possible. */
  async discard(): Promise<void> {
    this.#held = undefined
    try {
      await this.options.tasks.discard(this.options.cache.path)
    } catch (error) {
      // A folder that cannot be written holds nothing of this service.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }

  /** Whether the snapshot, which is complete, should be written now. */
  isDue({ version }: Snapshot): boolean {
    if (this.#isBusy) return false
    if (this.#held === undefined) return true
    const { sequence, isStamped } = this.#held
    const restedMs = this.options.clock() - this.#attemptedMs
    const changeCount = version.sequence - sequence
    if (changeCount === 0) return !isStamped && restedMs >= CACHE_WRITE_RETRY_MS
    if (changeCount > CACHE_WRITE_CHANGES_MAX) return true
    return changeCount > CACHE_WRITE_CHANGES_MIN && restedMs >= CACHE_WRITE_PAUSE_MS
  }

  /** Writes the snapshot in place of the former copy. */
  async write(followed: FollowedSnapshot): Promise<WriteResult> {
    this.#isBusy = true
    this.#attemptedMs = this.options.clock()
    const { sequence } = followed.snapshot.version
    // Held until the next outdate(), whatever the result: a full disk is not retried all the time.
    const before = this.#held
    this.#held = { sequence, isStamped: true }
    try {
      const stamp = await this.#stampOf(followed)
      if (stamp === undefined && before?.sequence === sequence) {
        this.#held = before
        return { kind: 'left' }
      }
      await this.#writeCache(followed, stamp)
      return { kind: 'written' }
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) }
    } finally {
      this.#isBusy = false
    }
  }

  async #writeCache(
    { snapshot, reading }: FollowedSnapshot,
    stamp: FileStamp | undefined,
  ): Promise<void> {
    const { tasks, cache, path } = this.options
    const { schemaVersion } = reading
    await tasks.writeCache({ cache, path, cached: cachedPart(snapshot), schemaVersion, stamp })
    const { sequence } = snapshot.version
    if (this.#held?.sequence === sequence) this.#held = { sequence, isStamped: stamp !== undefined }
  }

  /**
   * The file's stamp for this snapshot while the file is left alone, the close of the service's own
   * connections included (store/sqlite/file-stamp.ts); undefined when another connection reads or
   * writes.
   */
  async #stampOf({
    snapshot,
    isStill,
    truncateWal,
  }: FollowedSnapshot): Promise<FileStamp | undefined> {
    const { tasks, path } = this.options
    await tasks.checkpoint(path)
    if (!isStill() || !truncateWal()) return undefined
    const stamped = await tasks.stamp(path)
    const { uid, sequence } = snapshot.version
    const isSame = stamped?.version.uid === uid && stamped.version.sequence === sequence
    return isSame && isStill() ? stamped.stamp : undefined
  }
}
