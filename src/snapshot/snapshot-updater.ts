import { messageOf } from '../errors.js'
import {
  addressText,
  type ReloadReason,
  type Seal,
  type WorkspaceAddress,
  type WorkspaceWatch,
} from '../store/workspace.js'
import type { Cache } from './cache.js'
import { CachedCopy } from './cached-copy.js'
import { type Compaction, compactionOf, fullFirst, GROWN_SHARE } from './compaction.js'
import { type NextSnapshot, snapshotAfter } from './follow.js'
import type { SegmentLimits } from './segment-size.js'
import {
  aliveCount,
  hasIndexes,
  isIndexed,
  type LiveSegment,
  type Snapshot,
  transactionCount,
} from './snapshot.js'
import { arrayBytes, snapshotBytes } from './snapshot-bytes.js'
import type { LoadedWorkspace, SnapshotTasks } from './snapshot-tasks.js'
import { staleFragmentsOf } from './stale-fragments.js'

/**
 * Pause after each refresh of a file, as a multiple of how long the refresh took: a constant writer
 * costs a twentieth of a core as long as {@link FOLLOW_REST_MS_MAX} does not cut the pause.
 */
export const FOLLOW_REST_FACTOR = 20

/** The longest such pause: a write is visible within 300 ms, typically. */
export const FOLLOW_REST_MS_MAX = 150

/** Pause after the first attempt that found the workspace busy; each further one doubles it. */
const BUSY_REST_MS_MIN = 50

/** The longest such pause. */
const BUSY_REST_MS_MAX = 1_000

/**
 * How long a workspace has been busy when the next failed attempt is reported: a database restarts
 * in less.
 */
const BUSY_REPORT_MS = 2_000

/** Dependencies of an updater. */
export interface UpdaterOptions {
  readonly address: WorkspaceAddress
  readonly tasks: SnapshotTasks
  /** undefined = no cache. */
  readonly cache: Cache | undefined
  /** A number greater than any before. */
  readonly nextGeneration: () => number
  /**
   * The file was reloaded, a segment got its indexes, segments were merged, or the cache was
   * written.
   * @param leftBytes size of the replaced objects
   */
  readonly onMade: (
    kind: 'reloaded' | 'indexed' | 'compacted' | 'cached',
    startedMs: number,
    leftBytes: number,
  ) => void
  /** A snapshot with other content was published. */
  readonly onPublished: (before: Snapshot, after: Snapshot) => void
  /** Changes of the file have been read. */
  readonly onFollowed: (tookMs: number) => void
  /** The file is about to be reloaded. */
  readonly onReload: (reason: ReloadReason) => void
  /** Commits have been unreadable for seconds: the snapshot is behind, and still served. */
  readonly onBehind: (reason: string) => void
  /** They have been read. @param busyMs how long they could not be */
  readonly onCaughtUp: (busyMs: number) => void
  /** The cache could not be written, which is harmless. */
  readonly onCacheFailed: (reason: string) => void
  /** The file cannot be followed any more; called once, as the last callback. */
  readonly onLost: (reason: string) => void
  /** Monotonic milliseconds. */
  readonly clock: () => number
  /** Limits that the tasks also have; absent = those of all segments. */
  readonly segmentLimits?: SegmentLimits
}

/** Attempts to read a workspace that is busy. */
interface BusyPeriod {
  readonly sinceMs: number
  attemptCount: number
  isReported: boolean
}

/** Segments that are being merged, and writes since the merge began. */
interface Merging extends Compaction {
  readonly startedMs: number
  readonly touched: Float64Array[]
  merged?: readonly LiveSegment[]
}

/**
 * Keeps the snapshot of one workspace up to date with its file, as Lucene's SearcherManager does: a
 * change publishes another snapshot by one assignment, and readers keep the one they began with.
 * Snapshot tasks do the slow work, one step at a time; only merging and indexing run in parallel.
 */
export class SnapshotUpdater {
  #snapshot: Snapshot
  /** Seal of the workspace when it was last read. */
  #seal: Seal
  readonly #copy: CachedCopy | undefined
  #isStepping = false
  #isUnlogged = false
  #isEnded = false
  /** Why the file has to be reloaded; undefined = it need not be. */
  #reloadReason: ReloadReason | undefined
  #busy: BusyPeriod | undefined
  /** Time of the clock before which the file is not read. */
  #restsUntilMs = 0
  #merging: Merging | undefined
  #indexing: Promise<void> | undefined

  /** @param watch was opened before the file was read */
  constructor(
    { snapshot, seal, cachedSequence }: LoadedWorkspace,
    private readonly watch: WorkspaceWatch,
    private readonly options: UpdaterOptions,
  ) {
    this.#snapshot = { ...snapshot, generation: options.nextGeneration() }
    this.#seal = seal
    const { cache, address, tasks, clock } = options
    if (cache !== undefined) {
      this.#copy = new CachedCopy({ cache, address, tasks, clock }, cachedSequence)
    }
    this.#improve()
  }

  /** The current snapshot. */
  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /** Checks whether the file has changed; to be called at regular intervals. */
  poll(): void {
    if (this.#isStepping || this.#isEnded) return
    try {
      const change = this.watch.poll()
      if (change === 'unlogged') this.#isUnlogged = true
      if (change === 'gone' || change === 'replaced') this.#lose(`the file is ${change}`)
      else if (this.#reloadReason !== undefined) this.#reloadUnlessResting(this.#reloadReason)
      else if (this.#isUnlogged) this.#answerUnlogged()
      else if (this.#hasUnread || this.#isMerged) this.#catchUpUnlessResting()
      else if (this.#isComplete() && this.#copy?.isDue(this.#snapshot))
        void this.#writeCache(this.#copy)
    } catch (error) {
      this.#lose(messageOf(error))
    }
  }

  /** Whether commits have been unreadable for seconds. */
  get isBehind(): boolean {
    return this.#busy?.isReported === true
  }

  #reloadUnlessResting(reason: ReloadReason): void {
    if (this.options.clock() < this.#restsUntilMs) return
    void this.#step(() => this.#reload(reason))
  }

  #catchUpUnlessResting(): void {
    if (this.options.clock() < this.#restsUntilMs) return
    void this.#step(() => this.#catchUp())
  }

  /** Reloads the file after a commit that it does not log, unless that was read already. */
  #answerUnlogged(): void {
    this.#isUnlogged = false
    const { version } = this.#snapshot
    // The watch also reports commits between its last poll and the read.
    if (this.watch.isAt({ version, seal: this.#seal })) this.#endBusyPeriod()
    else if (this.watch.hasMarks && this.#hasUnread) void this.#step(() => this.#catchUp())
    else void this.#step(() => this.#reload('unlogged'))
  }

  /** Resolves when every segment has its indexes. @throws Error when the snapshot is lost */
  async indexed(): Promise<void> {
    while (this.#indexing !== undefined) await this.#indexing
    if (!this.#isEnded) return
    throw new Error(`${addressText(this.options.address)} is no longer followed`)
  }

  /** Stops following; the snapshot stays readable. */
  close(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.watch.close()
  }

  #isComplete(): boolean {
    const isMerging = this.#merging !== undefined
    return !isMerging && isIndexed(this.#snapshot)
  }

  async #writeCache(copy: CachedCopy): Promise<void> {
    const startedMs = this.options.clock()
    const snapshot = this.#snapshot
    const written = await copy.write({
      snapshot,
      seal: this.#seal,
      isStill: () => this.#isStill(snapshot),
      settle: () => this.watch.settle(),
    })
    if (this.#isEnded) return
    if (written.kind === 'written') this.options.onMade('cached', startedMs, 0)
    if (written.kind === 'failed') this.options.onCacheFailed(written.reason)
  }

  /** Whether this is still the snapshot, and no connection has committed since. */
  #isStill({ version }: Snapshot): boolean {
    if (this.#isEnded || this.#isStepping || this.#snapshot.version !== version) return false
    if (this.#reloadReason !== undefined) return false
    const change = this.watch.poll()
    // The watch reports a change once: it is kept for the next poll.
    if (change === 'unlogged') this.#isUnlogged = true
    return change === 'unchanged' && !this.#isUnlogged && !this.#hasUnread
  }

  #lose(reason: string): void {
    if (this.#isEnded) return
    this.close()
    this.options.onLost(reason)
  }

  /** Whether changes are unread; a snapshot may also be newer than the last change found. */
  get #hasUnread(): boolean {
    return this.watch.sequence > this.#snapshot.version.sequence
  }

  get #isMerged(): boolean {
    return this.#merging?.merged !== undefined
  }

  async #step(step: () => Promise<void>): Promise<void> {
    this.#isStepping = true
    try {
      await step()
    } catch (error) {
      this.#lose(messageOf(error))
    }
    this.#isStepping = false
    this.#improve()
  }

  /** Both in one step: a writer that never pauses leaves no time between two steps. */
  async #catchUp(): Promise<void> {
    if (this.#hasUnread) await this.#follow()
    if (this.#isMerged && !this.#isEnded) await this.#adopt()
  }

  async #follow(): Promise<void> {
    const { version, idDictionary, fragments, segments, log } = this.#snapshot
    const fixedCount = this.#merging?.to ?? 0
    const from = { version, idDictionary, fragments, segments, log }
    const { address, tasks, clock } = this.options
    const startedMs = clock()
    const step = await tasks.follow({ address, from, seal: this.#seal, fixedCount })
    if (this.#isEnded) return
    if (step.kind === 'busy') return this.#rest(step.reason, startedMs)
    const endedMs = clock()
    const restMs = (endedMs - startedMs) * FOLLOW_REST_FACTOR
    this.#restsUntilMs = endedMs + Math.min(restMs, FOLLOW_REST_MS_MAX)
    this.#seal = step.seal
    if (step.kind === 'lost') return this.#reload(step.reason)
    this.#endBusyPeriod()
    this.#advance(step.next)
    this.options.onFollowed(endedMs - startedMs)
  }

  #advance(next: NextSnapshot): void {
    const before = this.#snapshot
    this.#snapshot = snapshotAfter(before, next, this.options.nextGeneration())
    this.#merging?.touched.push(next.touchedIds)
    this.options.onPublished(before, this.#snapshot)
  }

  /** Rests after an attempt that found the workspace busy. @param startedMs of the attempt */
  #rest(reason: string, startedMs: number): void {
    const nowMs = this.options.clock()
    this.#busy ??= { sinceMs: startedMs, attemptCount: 0, isReported: false }
    const { sinceMs, attemptCount, isReported } = this.#busy
    const restMs = BUSY_REST_MS_MIN * 2 ** attemptCount
    this.#restsUntilMs = nowMs + Math.min(restMs, BUSY_REST_MS_MAX)
    this.#busy.attemptCount += 1
    if (isReported || nowMs - sinceMs < BUSY_REPORT_MS) return
    this.#busy.isReported = true
    this.options.onBehind(reason)
  }

  #endBusyPeriod(): void {
    const busy = this.#busy
    this.#busy = undefined
    if (busy?.isReported === true) this.options.onCaughtUp(this.options.clock() - busy.sinceMs)
  }

  /** Reads the file as a whole; if it is busy, a later poll does so. */
  async #reload(reason: ReloadReason): Promise<void> {
    if (this.#reloadReason === undefined) this.options.onReload(reason)
    this.#reloadReason = reason
    const startedMs = this.options.clock()
    const { workspaceId } = this.#snapshot
    const { address, tasks } = this.options
    const loaded = await tasks.reload({ workspaceId, address, cache: undefined })
    if (this.#isEnded) return
    if (loaded.kind === 'busy') return this.#rest(loaded.reason, startedMs)
    // A state that cannot be followed cannot be caught up from, either.
    await this.#copy?.discard()
    if (this.#isEnded) return
    this.#reloadReason = undefined
    this.#endBusyPeriod()
    const before = this.#snapshot
    const leftBytes = snapshotBytes(before)
    this.#snapshot = { ...loaded.snapshot, generation: this.options.nextGeneration() }
    this.#seal = loaded.seal
    this.#merging = undefined
    this.options.onPublished(before, this.#snapshot)
    this.options.onMade('reloaded', startedMs, leftBytes)
  }

  /** Starts tasks that improve the snapshot without changing its content. */
  #improve(): void {
    if (this.#isEnded) return
    if (this.#indexing === undefined) {
      const bare = this.#snapshot.segments.find((live) => !hasIndexes(live))
      if (bare !== undefined) this.#indexing = this.#index(bare)
    }
    // A step under way relies on the positions of segments, and calls this again at its end.
    if (this.#merging !== undefined || this.#isStepping) return
    // Their order has no meaning, and only steps and merges rely on it.
    const segments = fullFirst(this.#snapshot.segments, this.options.segmentLimits)
    if (segments !== this.#snapshot.segments) this.#snapshot = { ...this.#snapshot, segments }
    const compaction = compactionOf(this.#snapshot, this.options.segmentLimits)
    if (compaction !== undefined) void this.#merge(compaction)
  }

  async #index({ segment }: LiveSegment): Promise<void> {
    const startedMs = this.options.clock()
    try {
      const indexes = await this.options.tasks.index(segment)
      const isHere = this.#snapshot.segments.some((live) => live.segment === segment)
      if (this.#isEnded || !isHere) return
      const segments = this.#snapshot.segments.map((live) =>
        live.segment === segment ? { ...live, ...indexes } : live,
      )
      // Answers stay the same, so the generation does.
      this.#snapshot = { ...this.#snapshot, segments }
      this.options.onMade('indexed', startedMs, 0)
    } catch (error) {
      this.#lose(messageOf(error))
    } finally {
      this.#indexing = undefined
      this.#improve()
    }
  }

  async #merge(compaction: Compaction): Promise<void> {
    const merging: Merging = { ...compaction, startedMs: this.options.clock(), touched: [] }
    this.#merging = merging
    try {
      const { segments, fragments } = this.#snapshot
      const part = segments.slice(compaction.from, compaction.to)
      merging.merged = await this.options.tasks.merge({ segments: part, fragments })
    } catch (error) {
      this.#lose(messageOf(error))
    }
  }

  /** Replaces the sources of a merge by the merged segment. */
  async #adopt(): Promise<void> {
    const merging = this.#merging
    if (merging?.merged === undefined) return
    const { merged, touched, from, to } = merging
    const withDeletes: LiveSegment[] = []
    for (const live of merged) {
      if (touched.length === 0) withDeletes.push(live)
      else {
        const { alive } = await this.options.tasks.applyDeletes({ live, ids: touched })
        // Objects are copied on the way to a thread and back, so their identity is lost.
        withDeletes.push({ ...live, alive })
      }
    }
    if (this.#isEnded) return
    const kept = this.#snapshot.segments
    const segments = [...kept.slice(0, from), ...withDeletes, ...kept.slice(to)]
    const staleFragments = staleFragmentsOf(segments, this.#snapshot.fragments)
    this.#snapshot = { ...this.#snapshot, segments, staleFragments }
    this.#merging = undefined
    // Merging much takes long enough not to be done again after the next start.
    const mergedCount = withDeletes.reduce((sum, live) => sum + aliveCount(live), 0)
    if (mergedCount * GROWN_SHARE > transactionCount(this.#snapshot)) this.#copy?.outdate()
    this.options.onMade('compacted', merging.startedMs, arrayBytes(kept.slice(from, to)))
  }
}
