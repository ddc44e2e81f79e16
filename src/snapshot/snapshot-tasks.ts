import { isBusy } from '../store/sqlite/database.js'
import {
  type FileReading,
  readStamped,
  type StampedVersion,
  stampedVersion,
} from '../store/sqlite/file-stamp.js'
import { WorkspaceFile } from '../store/sqlite/workspace-file.js'
import { packArrays } from './array-arena.js'
import { snapshotOfFile } from './build.js'
import {
  type Cache,
  type CacheAnswer,
  type CacheTask,
  snapshotOfCache,
  writeCacheFile,
} from './cache.js'
import { type FileStep, type FollowBase, followFile, withoutIds } from './follow.js'
import { checkRowCount, type MemoryBudget } from './memory-budget.js'
import { mergeSegments } from './merge-segments.js'
import { indexesAtOnce, indexesOfSegment, type SegmentIndexes } from './segment-indexes.js'
import { SEGMENT_LIMITS } from './segment-size.js'
import type { JsonFragments, LiveSegment, Segment, Snapshot } from './snapshot.js'
import { removeSnapshotFile } from './snapshot-file.js'
import { type PartTask, type VisiblePart, visiblePart } from './visible-rows.js'

// The tasks of a builder thread: a task and its result hold handles to shared memory and small
// values, so nothing large is copied.

/** A workspace to be read from its file. */
export interface LoadTask {
  readonly workspaceId: string
  readonly path: string
  /** undefined = read from the file alone. */
  readonly cache: Cache | undefined
  /** undefined = any size. */
  readonly budget?: MemoryBudget
}

/** Result of a load. */
export interface LoadedWorkspace {
  readonly snapshot: Snapshot
  readonly reading: FileReading
  /** Sequence of the version in the cache; undefined = no valid one. */
  readonly cachedSequence: number | undefined
  /** Why the cache was rejected, if it held anything. */
  readonly refusal: string | undefined
}

/** A snapshot whose file has changed since. */
export interface FollowTask {
  readonly path: string
  readonly from: FollowBase
  /** Schema version of the file, as it was read. */
  readonly schemaVersion: number
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

/** Changes of a file, if it could be read: `busy` = another connection holds a lock. */
export type FollowResult =
  | (FileStep & { readonly reading: FileReading })
  | { readonly kind: 'busy' }

/** Work on snapshots off the request thread, in a pool or, in tests, inline. */
export interface SnapshotTasks {
  /** @throws Error when the file is missing, damaged, locked or beyond the budget */
  load(task: LoadTask): Promise<LoadedWorkspace>
  /** @throws Error as `load`, but for a lock */
  follow(task: FollowTask): Promise<FollowResult>
  merge(task: MergeTask): Promise<LiveSegment[]>
  applyDeletes(task: ApplyDeletesTask): Promise<LiveSegment>
  index(segment: Segment): Promise<SegmentIndexes>
  /** @throws Error as `load` */
  checkpoint(path: string): Promise<void>
  /** @throws Error as `load` */
  stamp(path: string): Promise<StampedVersion | undefined>
  /** @throws Error of the file or of the file system */
  writeCache(task: CacheTask): Promise<void>
  /** @throws Error of the file system */
  discard(cachePath: string): Promise<void>
}

/**
 * Reads a workspace from its cache as far as that is valid, or else from the file.
 * @throws StoreError when the file is missing, damaged, locked or beyond the budget
 */
export function load(
  { workspaceId, path, cache, budget }: LoadTask,
  limits = SEGMENT_LIMITS,
): LoadedWorkspace {
  return withFile(path, (file) => {
    return readStamped(file, (reading) => {
      if (budget !== undefined) checkRowCount(file.transactionCount(), budget)
      const answer: CacheAnswer =
        cache === undefined
          ? { kind: 'missing' }
          : snapshotOfCache(cache, { workspaceId, reading }, file)
      if (answer.kind === 'valid') return { ...answer, reading, refusal: undefined }
      const refusal = answer.kind === 'refused' ? answer.reason : undefined
      const snapshot = withSmallIndexes(snapshotOfFile(workspaceId, file, limits, budget))
      return { snapshot, reading, cachedSequence: undefined, refusal }
    })
  })
}

function withSmallIndexes(snapshot: Snapshot): Snapshot {
  const segments = snapshot.segments.map((live) =>
    packArrays({ ...live, ...indexesAtOnce(live.segment) }),
  )
  return { ...snapshot, segments }
}

/** Reads the changes of the file. @throws StoreError as {@link load}, but for a lock */
export function follow(
  { path, from, schemaVersion, fixedCount }: FollowTask,
  limits = SEGMENT_LIMITS,
): FollowResult {
  try {
    const read = (file: WorkspaceFile): FollowResult =>
      readStamped(file, (reading): FollowResult => {
        // A write without triggers, then one with them: the sequence grows as if all were logged.
        if (reading.schemaVersion !== schemaVersion) {
          return { kind: 'lost', reason: 'schema', reading }
        }
        return { ...followFile(from, file, fixedCount, limits), reading }
      })
    // Waiting for a lock in this thread would block all other workspaces.
    return withFile(path, read, 0)
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' }
    throw error
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

/** Checkpoints the WAL of the file. @throws StoreError */
export function checkpoint(path: string): void {
  withFile(path, (file) => file.checkpoint())
}

/** See {@link stampedVersion}. @throws StoreError */
export function stamp(path: string): Promise<StampedVersion | undefined> {
  return stampedVersion(path)
}

/** See {@link writeCacheFile}. @throws StoreError; the file system's error */
export function writeCache(task: CacheTask): void {
  withFile(task.path, (file) => writeCacheFile(task, file))
}

/** See {@link removeSnapshotFile}. @throws the file system's error */
export function discard(cachePath: string): void {
  removeSnapshotFile(cachePath)
}

function withFile<T>(path: string, use: (file: WorkspaceFile) => T, busyTimeoutMs?: number): T {
  const file = WorkspaceFile.openForReading(path, busyTimeoutMs)
  try {
    return use(file)
  } finally {
    file.close()
  }
}
