import { strict as assert } from 'node:assert'
import { messageOf } from '../errors.js'
import { isThere } from '../store/open-workspace.js'
import { StoreError } from '../store/store-error.js'
import { addressText, type WorkspaceAddress, type WorkspaceWatch } from '../store/workspace.js'
import type { Cache } from './cache.js'
import { LoadFailures } from './load-failures.js'
import { beyondBudget } from './memory-budget.js'
import { isIndexed, type Snapshot, transactionCount } from './snapshot.js'
import { snapshotBytes } from './snapshot-bytes.js'
import { SnapshotCounts } from './snapshot-counts.js'
import type { LoadedWorkspace, SnapshotTasks } from './snapshot-tasks.js'
import { FOLLOW_REST_MS_MAX, SnapshotUpdater } from './snapshot-updater.js'

/** How often loaded workspace files are checked for writes. */
const WATCH_INTERVAL_MS = 100

assert(WATCH_INTERVAL_MS + FOLLOW_REST_MS_MAX <= 250, 'a change is shown within 300 ms')

/** Files that are checked at one time: two milliseconds; further files are checked later. */
const FILES_CHECKED_MAX = 400

/** An event of a workspace's snapshot, for the log. */
export interface SnapshotEvent {
  readonly kind:
    | ('loaded' | 'indexed' | 'reloaded' | 'compacted' | 'cached')
    | ('dropped' | 'evicted' | 'failed' | 'cache-failed')
    | ('behind' | 'caught-up')
  readonly workspaceId: string
  /** Source of a loaded snapshot. */
  readonly from?: 'file' | 'cache'
  readonly transactionCount?: number
  readonly durationMs?: number
  /** Why the cache was rejected, if it held anything. */
  readonly reason?: string
  /** Why a snapshot cannot be loaded; its message is the reason. */
  readonly error?: Error
}

/** Source of snapshots, receiver of their events, and memory that they may take. */
export interface WorkspaceCacheOptions {
  /** Address of a workspace; undefined = there is none. */
  readonly find: (workspaceId: string) => Promise<WorkspaceAddress | undefined>
  /** Watches a workspace. Rejects with StoreError. */
  readonly openWatch: (address: WorkspaceAddress) => Promise<WorkspaceWatch>
  /** Location of a workspace's cached snapshot; absent = no cache. */
  readonly cacheOf?: (workspaceId: string) => Cache
  readonly tasks: SnapshotTasks
  readonly onEvent: (event: SnapshotEvent) => void
  /** A snapshot was replaced by one with other content. */
  readonly onPublished: (before: Snapshot, after: Snapshot) => void
  /** Monotonic milliseconds. */
  readonly clock: () => number
  /** Bytes of all snapshots together. */
  readonly memoryBudgetBytes: number
  /** Memory that belongs to a workspace besides its snapshot; absent = none. */
  readonly attached?: AttachedMemory
  /** Called with the bytes of each snapshot that is replaced, evicted or dropped. */
  readonly onReleased: (byteCount: number) => void
}

/** Memory that goes with a workspace: it is made on demand, and dropped before the workspace is. */
export interface AttachedMemory {
  bytesOf(workspaceId: string): number
  drop(workspaceId: string): void
}

/** State of a workspace's snapshot. */
export type SnapshotState =
  | { readonly kind: 'loaded'; readonly snapshot: Snapshot; readonly bytes: number }
  | { readonly kind: 'loading' }
  /** The last load failed a moment ago. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Never requested, or evicted. */
  | { readonly kind: 'absent' }

interface LocatedWorkspace {
  readonly workspaceId: string
  readonly address: WorkspaceAddress
}

interface ResidentWorkspace {
  readonly updater: SnapshotUpdater
  /** Number of its last use; the lowest one is evicted first. */
  lastUsed: number
  /** The last measured snapshot, and its bytes. */
  counted?: { readonly snapshot: Snapshot; readonly bytes: number }
}

/**
 * The current snapshot of each workspace in memory. Past the memory budget, the least recently
 * requested workspaces are evicted, and loaded again on demand; one that alone takes more is
 * refused.
 */
export class WorkspaceCache {
  /** Counts of events since the service started, for metrics. */
  readonly counts = new SnapshotCounts()
  readonly #residents = new Map<string, ResidentWorkspace>()
  readonly #loading = new Map<string, Promise<Snapshot>>()
  /** Workspaces that are not evicted, and how many times each is pinned. */
  readonly #pins = new Map<string, number>()
  readonly #failures: LoadFailures
  readonly #timer: NodeJS.Timeout
  #generation = 0
  #useCount = 0
  #nextPolled = 0
  #closed = false

  constructor(private readonly options: WorkspaceCacheOptions) {
    this.#failures = new LoadFailures(options.clock)
    this.#timer = setInterval(() => this.#poll(), WATCH_INTERVAL_MS)
    this.#timer.unref()
  }

  /** The snapshot, when it is in memory. */
  find(workspaceId: string): Snapshot | undefined {
    const resident = this.#residents.get(workspaceId)
    if (resident === undefined) return undefined
    this.#useCount += 1
    resident.lastUsed = this.#useCount
    return resident.updater.snapshot
  }

  /** State of a workspace's snapshot. Does not count as a request, and loads nothing. */
  stateOf(workspaceId: string): SnapshotState {
    const resident = this.#residents.get(workspaceId)
    if (resident !== undefined) {
      return { kind: 'loaded', snapshot: resident.updater.snapshot, bytes: bytesOf(resident) }
    }
    if (this.#loading.has(workspaceId)) return { kind: 'loading' }
    const failed = this.#failures.recent(workspaceId)
    return failed === undefined ? { kind: 'absent' } : { kind: 'failed', reason: failed.message }
  }

  /**
   * The snapshot, loaded when it is not in memory; concurrent callers share one load.
   * @throws Error with the reason when the file cannot be read; for a while, without another
   *   attempt
   */
  load(workspaceId: string): Promise<Snapshot> {
    const snapshot = this.find(workspaceId)
    if (snapshot !== undefined) return Promise.resolve(snapshot)
    const failed = this.#failures.recent(workspaceId)
    if (failed !== undefined) return Promise.reject(failed)
    let loading = this.#loading.get(workspaceId)
    if (loading === undefined) {
      loading = this.#load(workspaceId).finally(() => this.#loading.delete(workspaceId))
      this.#loading.set(workspaceId, loading)
    }
    return loading
  }

  /** As {@link load}, with indexes of every segment. @throws Error likewise */
  async loadIndexed(workspaceId: string): Promise<Snapshot> {
    for (;;) {
      const snapshot = await this.load(workspaceId)
      if (isIndexed(snapshot)) return snapshot
      await this.#residents.get(workspaceId)?.updater.indexed()
    }
  }

  /** Keeps the workspace from being evicted, once it is in memory. @returns ends that */
  pin(workspaceId: string): () => void {
    this.#pins.set(workspaceId, (this.#pins.get(workspaceId) ?? 0) + 1)
    let isPinned = true
    return () => {
      if (!isPinned) return
      isPinned = false
      const count = (this.#pins.get(workspaceId) ?? 1) - 1
      if (count === 0) this.#pins.delete(workspaceId)
      else this.#pins.set(workspaceId, count)
    }
  }

  /** The store is available again: failed loads are retried at the next request. */
  retry(): void {
    this.#failures.endPauses()
  }

  /** Number of workspaces whose last load failed. */
  get failingCount(): number {
    return this.#failures.count
  }

  /** Number of snapshots in memory whose commits have been unreadable for seconds. */
  get behindCount(): number {
    return [...this.#residents.values()].filter(({ updater }) => updater.isBehind).length
  }

  /** Number of snapshots in memory. */
  get residentCount(): number {
    return this.#residents.size
  }

  /** Bytes of the snapshots in memory, and of what is attached to them. */
  get residentBytes(): number {
    let total = 0
    for (const [workspaceId, resident] of this.#residents) {
      total += bytesOf(resident) + this.#attachedBytes(workspaceId)
    }
    return total
  }

  /** Evicts other workspaces when the memory attached to one has grown. */
  makeRoomFor(workspaceId: string): void {
    if (this.#residents.has(workspaceId)) this.#evict(workspaceId)
    else this.options.attached?.drop(workspaceId)
  }

  /** Stops following and forgets everything; loads under way are rejected without a log line. */
  close(): void {
    this.#closed = true
    clearInterval(this.#timer)
    for (const { updater } of this.#residents.values()) updater.close()
    this.#residents.clear()
  }

  async #load(workspaceId: string): Promise<Snapshot> {
    const startedMs = this.options.clock()
    let watch: WorkspaceWatch | undefined
    let bytesPerRow = this.#failures.bytesPerRow(workspaceId)
    try {
      const address = await this.options.find(workspaceId)
      if (address === undefined) throw new StoreError(`there is no workspace ${workspaceId}`)
      // The watch is opened before the file is read: the next poll finds a change during the build.
      watch = await this.options.openWatch(address)
      const cache = this.options.cacheOf?.(workspaceId)
      const budget = { bytes: this.options.memoryBudgetBytes, bytesPerRow }
      const loaded = await this.options.tasks.load({ workspaceId, address, cache, budget })
      if (this.#closed) throw new StoreError(`${addressText(address)}: the service has stopped`)
      const { snapshot } = loaded
      if (snapshotBytes(snapshot) > budget.bytes) {
        bytesPerRow = bytesPerRowOf(snapshot)
        throw beyondBudget(transactionCount(snapshot), budget.bytes)
      }
      const updater = this.#updaterOf({ workspaceId, address }, loaded, watch)
      this.#useCount += 1
      this.#residents.set(workspaceId, { updater, lastUsed: this.#useCount })
      this.#failures.delete(workspaceId)
      const from = loaded.cachedSequence === undefined ? 'file' : 'cache'
      const reason = loaded.refusal === undefined ? {} : { reason: loaded.refusal }
      this.counts.loads[from].add(this.options.clock() - startedMs)
      this.#report(workspaceId, { kind: 'loaded', from, ...reason }, startedMs)
      this.#evict(workspaceId)
      return updater.snapshot
    } catch (error) {
      watch?.close()
      if (this.#closed) throw error
      const reason = error instanceof Error ? error : new Error(messageOf(error))
      this.#failures.add(workspaceId, reason, bytesPerRow)
      this.counts.failureCount += 1
      const event = { workspaceId, reason: reason.message, error: reason }
      this.options.onEvent({ kind: 'failed', ...event })
      void this.#discardIfGone(workspaceId)
      throw reason
    }
  }

  #updaterOf(
    { workspaceId, address }: LocatedWorkspace,
    loaded: LoadedWorkspace,
    watch: WorkspaceWatch,
  ): SnapshotUpdater {
    const { tasks, clock } = this.options
    return new SnapshotUpdater(loaded, watch, {
      address,
      cache: this.options.cacheOf?.(workspaceId),
      tasks,
      clock,
      nextGeneration: () => {
        this.#generation += 1
        return this.#generation
      },
      onMade: (kind, startedMs, leftBytes) => {
        this.#report(workspaceId, { kind }, startedMs)
        this.options.onReleased(leftBytes)
        this.#evict(workspaceId)
      },
      onPublished: this.options.onPublished,
      onFollowed: (tookMs) => this.counts.follows.add(tookMs),
      onReload: (reason) => {
        this.counts.reloads[reason] += 1
      },
      onBehind: (reason) => this.options.onEvent({ kind: 'behind', workspaceId, reason }),
      onCaughtUp: (busyMs) => {
        const durationMs = Math.round(busyMs)
        this.options.onEvent({ kind: 'caught-up', workspaceId, durationMs })
      },
      onCacheFailed: (reason) =>
        this.options.onEvent({ kind: 'cache-failed', workspaceId, reason }),
      onLost: (reason) => {
        const resident = this.#residents.get(workspaceId)
        this.#residents.delete(workspaceId)
        this.options.attached?.drop(workspaceId)
        if (this.#closed) return
        if (resident !== undefined) this.options.onReleased(bytesOf(resident))
        this.counts.dropCount += 1
        this.options.onEvent({ kind: 'dropped', workspaceId, reason })
        void this.#discardIfGone(workspaceId)
      },
    })
  }

  /** Deletes the cache of a deleted workspace, because it contains bank data. */
  async #discardIfGone(workspaceId: string): Promise<void> {
    const { find, cacheOf, tasks, onEvent } = this.options
    try {
      if (cacheOf === undefined) return
      const address = await find(workspaceId)
      if (address !== undefined && (await isThere(address))) return
      await tasks.discard(cacheOf(workspaceId).path)
    } catch (error) {
      if (!this.#closed) onEvent({ kind: 'cache-failed', workspaceId, reason: messageOf(error) })
    }
  }

  /** Polls some of the files, and the next ones the next time, so that no call takes long. */
  #poll(): void {
    const round = Array.from(this.#residents.values())
    const count = Math.min(round.length, FILES_CHECKED_MAX)
    for (let i = 0; i < count; i++) round[(this.#nextPolled + i) % round.length]?.updater.poll()
    this.#nextPolled = round.length === 0 ? 0 : (this.#nextPolled + count) % round.length
  }

  /** Evicts the least recently requested snapshots until the rest is within the budget. */
  #evict(kept: string): void {
    let total = this.residentBytes
    while (total > this.options.memoryBudgetBytes) {
      const oldest = this.#leastRecent(kept)
      if (oldest === undefined) {
        const attachedBytes = this.#attachedBytes(kept)
        if (attachedBytes === 0) {
          this.#refuse(kept)
          return
        }
        this.options.attached?.drop(kept)
        total -= attachedBytes
        continue
      }
      const { updater } = oldest.resident
      const byteCount = bytesOf(oldest.resident)
      total -= byteCount + this.#attachedBytes(oldest.workspaceId)
      updater.close()
      this.options.attached?.drop(oldest.workspaceId)
      this.#residents.delete(oldest.workspaceId)
      this.options.onReleased(byteCount)
      this.counts.evictionCount += 1
      const reason = 'the memory budget is used up'
      this.options.onEvent({ kind: 'evicted', workspaceId: oldest.workspaceId, reason })
    }
  }

  #attachedBytes(workspaceId: string): number {
    return this.options.attached?.bytesOf(workspaceId) ?? 0
  }

  /** Drops a workspace that takes more than the budget alone, until it has fewer rows. */
  #refuse(workspaceId: string): void {
    const resident = this.#residents.get(workspaceId)
    if (resident === undefined) return
    const { updater } = resident
    const { snapshot } = updater
    updater.close()
    this.#residents.delete(workspaceId)
    this.options.onReleased(bytesOf(resident))
    const rowCount = transactionCount(snapshot)
    const error = beyondBudget(rowCount, this.options.memoryBudgetBytes)
    this.#failures.add(workspaceId, error, bytesPerRowOf(snapshot))
    this.counts.failureCount += 1
    this.options.onEvent({ kind: 'failed', workspaceId, reason: error.message, error })
  }

  #leastRecent(kept: string): { workspaceId: string; resident: ResidentWorkspace } | undefined {
    let oldest: { workspaceId: string; resident: ResidentWorkspace } | undefined
    for (const [workspaceId, resident] of this.#residents) {
      if (workspaceId === kept || this.#pins.has(workspaceId)) continue
      if (oldest !== undefined && oldest.resident.lastUsed <= resident.lastUsed) continue
      oldest = { workspaceId, resident }
    }
    return oldest
  }

  #report(
    workspaceId: string,
    event: Pick<SnapshotEvent, 'kind' | 'from' | 'reason'>,
    startedMs: number,
  ): void {
    const snapshot = this.#residents.get(workspaceId)?.updater.snapshot
    if (snapshot === undefined) return
    this.options.onEvent({
      ...event,
      workspaceId,
      transactionCount: transactionCount(snapshot),
      durationMs: Math.round(this.options.clock() - startedMs),
    })
  }
}

function bytesOf(resident: ResidentWorkspace): number {
  const { snapshot } = resident.updater
  if (resident.counted?.snapshot !== snapshot) {
    resident.counted = { snapshot, bytes: snapshotBytes(snapshot) }
  }
  return resident.counted.bytes
}

function bytesPerRowOf(snapshot: Snapshot): number {
  return snapshotBytes(snapshot) / Math.max(transactionCount(snapshot), 1)
}
