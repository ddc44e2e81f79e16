import { messageOf } from '../errors.js'
import {
  type ReadingOptions,
  readWorkspace,
  sealWorkspace,
  settleWorkspace,
} from '../store/open-workspace.js'
import { isBusy, StoreUnavailableError } from '../store/store-error.js'
import type { Seal, SealedVersion, WorkspaceAddress, WorkspaceState } from '../store/workspace.js'
import { packArrays } from './array-arena.js'
import { snapshotOfState } from './build.js'
import {
  type Cache,
  type CacheAnswer,
  type CacheTask,
  snapshotOfCache,
  writeCacheFile,
} from './cache.js'
import { type FollowBase, followState, type WorkspaceStep, withoutIds } from './follow.js'
import { checkRowCount, type MemoryBudget } from './memory-budget.js'
import { mergeSegments } from './merge-segments.js'
import { indexesAtOnce, indexesOfSegment, type SegmentIndexes } from './segment-indexes.js'
import { SEGMENT_LIMITS } from './segment-size.js'
import type { JsonFragments, LiveSegment, Segment, Snapshot } from './snapshot.js'
import { removeSnapshotFile } from './snapshot-file.js'
import { type PartTask, type VisiblePart, visiblePart } from './visible-rows.js'

// The tasks of a builder thread: a task and its result hold handles to shared memory and small
// values, so nothing large is copied.

/** A workspace to load. */
export interface LoadTask {
  readonly workspaceId: string
  readonly address: WorkspaceAddress
  /** undefined = read from the store only. */
  readonly cache: Cache | undefined
  /** undefined = any size. */
  readonly budget?: MemoryBudget
}

/** Result of a load. */
export interface LoadedWorkspace {
  readonly snapshot: Snapshot
  /** Seal of the workspace when it was read. */
  readonly seal: Seal
  /** Sequence of the version in the cache; undefined = no valid one. */
  readonly cachedSequence: number | undefined
  /** Why the cache was rejected, if it held anything. */
  readonly refusal: string | undefined
}

/** A snapshot whose workspace has changed. */
export interface FollowTask {
  readonly address: WorkspaceAddress
  readonly from: FollowBase
  /** Seal of the workspace when it was read. */
  readonly seal: Seal
  /** Number of first segments that are not to be merged. */
  readonly fixedCount: number
}

/** Segments to be merged. */
export interface MergeTask {
  readonly segments: readonly LiveSegment[]
  readonly fragments: JsonFragments
}

/** A segment, and ids of transactions that were written after it was built. */
export interface ApplyDeletesTask {
  readonly live: LiveSegment
  readonly ids: readonly Float64Array[]
}

/**
 * A workspace that cannot be read now: another connection holds a lock, or the database is
 * unavailable. The snapshot in memory is still served.
 */
interface BusyWorkspace {
  readonly kind: 'busy'
  readonly reason: string
}

/** Changes of a workspace, if it could be read. */
export type FollowResult = (WorkspaceStep & { readonly seal: Seal }) | BusyWorkspace

/** A workspace that is in memory, read again as a whole, if it could be read. */
export type ReloadResult = (LoadedWorkspace & { readonly kind: 'loaded' }) | BusyWorkspace

/** Work on snapshots off the request thread, in a pool or, in tests, inline. */
export interface SnapshotTasks {
  /** @throws Error when the file is missing, damaged, locked or beyond the budget */
  load(task: LoadTask): Promise<LoadedWorkspace>
  /** @throws Error as `load`, except that a busy workspace is a result */
  reload(task: LoadTask): Promise<ReloadResult>
  /** @throws Error as `load`, except that a busy workspace is a result */
  follow(task: FollowTask): Promise<FollowResult>
  merge(task: MergeTask): Promise<LiveSegment[]>
  applyDeletes(task: ApplyDeletesTask): Promise<LiveSegment>
  index(segment: Segment): Promise<SegmentIndexes>
  /** @throws Error as `load` */
  settle(address: WorkspaceAddress): Promise<void>
  /** @throws Error as `load` */
  seal(address: WorkspaceAddress): Promise<SealedVersion | undefined>
  /** @throws Error of the store or of the file system */
  writeCache(task: CacheTask): Promise<void>
  /** @throws Error of the file system */
  discard(cachePath: string): Promise<void>
}

/**
 * Reads a workspace from its cache if that is valid, or else from the store.
 * @throws StoreError when the workspace is missing, damaged, locked or beyond the budget
 */
export function load(
  { workspaceId, address, cache, budget }: LoadTask,
  limits = SEGMENT_LIMITS,
  options: ReadingOptions = {},
): Promise<LoadedWorkspace> {
  const read = async (state: WorkspaceState): Promise<LoadedWorkspace> => {
    if (budget !== undefined) checkRowCount(await state.transactionCount(), budget)
    const seal = await state.seal()
    const answer: CacheAnswer =
      cache === undefined ? { kind: 'missing' } : await snapshotOfCache(cache, workspaceId, state)
    if (answer.kind === 'valid') return { ...answer, seal, refusal: undefined }
    const refusal = answer.kind === 'refused' ? answer.reason : undefined
    const snapshot = withSmallIndexes(await snapshotOfState(workspaceId, state, limits, budget))
    return { snapshot, seal, cachedSequence: undefined, refusal }
  }
  return readWorkspace(address, read, options)
}

function withSmallIndexes(snapshot: Snapshot): Snapshot {
  const segments = snapshot.segments.map((live) =>
    packArrays({ ...live, ...indexesAtOnce(live.segment) }),
  )
  return { ...snapshot, segments }
}

/** Waiting for a lock in this thread would block all other workspaces. */
const NO_WAIT: ReadingOptions = { busyTimeoutMs: 0 }

/** Loads the workspace again. @throws StoreError as {@link load}, if it is not `busy` */
export function reload(task: LoadTask, limits = SEGMENT_LIMITS): Promise<ReloadResult> {
  return unlessBusy(async () => ({ kind: 'loaded', ...(await load(task, limits, NO_WAIT)) }))
}

/** Reads the changes of the workspace. @throws StoreError as {@link load}, if it is not `busy` */
export function follow(
  { address, from, seal, fixedCount }: FollowTask,
  limits = SEGMENT_LIMITS,
): Promise<FollowResult> {
  const read = (): Promise<FollowResult> =>
    readWorkspace(
      address,
      async (state) => {
        const step = await followState(from, state, { seal, fixedCount }, limits)
        return { ...step, seal: await state.seal() }
      },
      NO_WAIT,
    )
  return unlessBusy(read)
}

/** Decided in the thread that reads: an error that leaves a thread loses its class. */
async function unlessBusy<Result>(read: () => Promise<Result>): Promise<Result | BusyWorkspace> {
  try {
    return await read()
  } catch (error) {
    if (!isBusy(error) && !(error instanceof StoreUnavailableError)) throw error
    return { kind: 'busy', reason: messageOf(error) }
  }
}

/** Merges segments. */
export function merge({ segments, fragments }: MergeTask, limits = SEGMENT_LIMITS): LiveSegment[] {
  return mergeSegments(segments, fragments, limits).map((live) => packArrays(live))
}

/** Deletes the rows of the segment that were rewritten after it was built. */
export function applyDeletes({ live, ids }: ApplyDeletesTask): LiveSegment {
  return ids.reduce(withoutIds, live)
}

/** Builds the indexes of a segment. */
export function index(segment: Segment): SegmentIndexes {
  return packArrays(indexesOfSegment(segment))
}

/** Builds the texts of some accounts' rows. */
export function part(task: PartTask): VisiblePart {
  return packArrays(visiblePart(task))
}

/** See {@link settleWorkspace}. @throws StoreError */
export function settle(address: WorkspaceAddress): Promise<void> {
  return settleWorkspace(address)
}

/** See {@link sealWorkspace}. @throws StoreError */
export function seal(address: WorkspaceAddress): Promise<SealedVersion | undefined> {
  return sealWorkspace(address)
}

/** See {@link writeCacheFile}. @throws StoreError; the file system's error */
export function writeCache(task: CacheTask): Promise<void> {
  return writeCacheFile(task)
}

/** See {@link removeSnapshotFile}. @throws the file system's error */
export function discard(cachePath: string): void {
  removeSnapshotFile(cachePath)
}
