import { strict as assert } from 'node:assert'
import { messageOf } from '../errors.js'
import { type Seal, unsealed, type WorkspaceAddress } from '../store/workspace.js'
import { CHANGES_KEPT_MAX } from '../store/workspace-writer.js'
import { type Cache, cachedPart } from './cache.js'
import type { Snapshot } from './snapshot.js'
import type { SnapshotTasks } from './snapshot-tasks.js'

/**
 * Changes worth rewriting the cache for: below {@link CHANGES_KEPT_MAX}, half a second to catch up.
 */
export const CACHE_WRITE_CHANGES_MIN = 20_000

/** Pause between two writes of a cache, and after a failure: writing gigabytes wears out disks. */
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
  readonly address: WorkspaceAddress
  readonly tasks: SnapshotTasks
  /** Monotonic milliseconds. */
  readonly clock: () => number
}

/** The present snapshot of an updater, and the state of its workspace. */
export interface FollowedSnapshot {
  readonly snapshot: Snapshot
  /** Seal of the workspace when the snapshot was read. */
  readonly seal: Seal
  /** Whether the workspace has not been written to since the snapshot was read. */
  readonly isStill: () => boolean
  /** See WorkspaceWatch. */
  readonly settle: () => boolean
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
  #held: { readonly sequence: number; readonly isSealed: boolean } | undefined
  #attemptedMs = Number.NEGATIVE_INFINITY
  #hasFailed = false
  #isBusy = false

  /** @param cachedSequence of the version in the cache; undefined = none */
  constructor(
    private readonly options: CachedCopyOptions,
    cachedSequence: number | undefined,
  ) {
    if (cachedSequence !== undefined) this.#held = { sequence: cachedSequence, isSealed: true }
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
    const restedMs = this.options.clock() - this.#attemptedMs
    // A full disk is not retried all the time.
    if (this.#hasFailed && restedMs < CACHE_WRITE_PAUSE_MS) return false
    if (this.#held === undefined) return true
    const { sequence, isSealed } = this.#held
    const changeCount = version.sequence - sequence
    if (changeCount === 0) return !isSealed && restedMs >= CACHE_WRITE_RETRY_MS
    if (changeCount > CACHE_WRITE_CHANGES_MAX) return true
    return changeCount > CACHE_WRITE_CHANGES_MIN && restedMs >= CACHE_WRITE_PAUSE_MS
  }

  /** Writes the snapshot in place of the former copy. */
  async write(followed: FollowedSnapshot): Promise<WriteResult> {
    this.#isBusy = true
    this.#hasFailed = false
    this.#attemptedMs = this.options.clock()
    const { sequence } = followed.snapshot.version
    const before = this.#held
    this.#held = { sequence, isSealed: true }
    try {
      const seal = await this.#lastingSeal(followed)
      if (seal === undefined && before?.sequence === sequence) {
        this.#held = before
        return { kind: 'left' }
      }
      await this.#writeCache(followed, seal)
      return { kind: 'written' }
    } catch (error) {
      this.#hasFailed = true
      // Unless outdate() or discard() was called meanwhile, the former copy is still there.
      if (this.#held?.sequence === sequence) this.#held = before
      return { kind: 'failed', reason: messageOf(error) }
    } finally {
      this.#isBusy = false
    }
  }

  async #writeCache(
    { snapshot, seal }: FollowedSnapshot,
    lasting: Seal | undefined,
  ): Promise<void> {
    const { tasks, cache, address } = this.options
    const cached = cachedPart(snapshot)
    await tasks.writeCache({ cache, address, cached, seal: lasting ?? unsealed(seal) })
    const { sequence } = snapshot.version
    if (this.#held?.sequence === sequence)
      this.#held = { sequence, isSealed: lasting !== undefined }
  }

  /**
   * The seal of the workspace for this snapshot, valid until the next write, and also after the
   * service has closed its connections (store/sqlite/file-stamp.ts); undefined while another
   * connection reads or writes.
   */
  async #lastingSeal({
    snapshot,
    seal,
    isStill,
    settle,
  }: FollowedSnapshot): Promise<Seal | undefined> {
    const { tasks, address } = this.options
    await tasks.settle(address)
    if (!isStill() || !settle()) return undefined
    const sealed = await tasks.seal(address)
    const { uid, sequence } = snapshot.version
    const isSame = sealed?.version.uid === uid && sealed.version.sequence === sequence
    return isSame && sealed.seal.schema === seal.schema && isStill() ? sealed.seal : undefined
  }
}
