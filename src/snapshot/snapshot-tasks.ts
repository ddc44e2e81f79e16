import { isBusy } from '../store/database.js'
import {
  type FileReading,
  readStamped,
  type StampedVersion,
  stampedVersion,
} from '../store/file-stamp.js'
import { WorkspaceFile } from '../store/workspace-file.js'
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
import { mergeSegments } from './merge-segments.js'
import { indexesAtOnce, indexesOfSegment, type SegmentIndexes } from './segment-indexes.js'
import type { JsonFragments, LiveSegment, Segment, Snapshot } from './snapshot.js'
import { removeSnapshotFile } from './snapshot-file.js'
import { type PartTask, type VisiblePart, visiblePart } from './visible-rows.js'

// What a builder thread is asked for: each task holds handles to shared memory and small values,
// and so does its answer, so nothing large is copied on the way.

/** A workspace to be read from its file. */
export interface LoadTask {
  readonly workspaceId: string
  readonly path: string
  /** undefined = it is read from the file alone. */
  readonly cache: Cache | undefined
}

/** A workspace that was read. */
export interface LoadedWorkspace {
  readonly snapshot: Snapshot
  readonly reading: FileReading
  /** Sequence of the version that the cache holds; undefined = it holds none that is valid. */
  readonly cachedSequence: number | undefined
  /** Why the cache was rejected, when there is something in it. */
  readonly refusal: string | undefined
}

/** A snapshot whose file has changed since. */
export interface FollowTask {
  readonly path: string
  readonly from: FollowBase
  /** Of the file, when that was read. */
  readonly schemaVersion: number
  /** So many of the first segments are not to be merged. */
  readonly fixedCount: number
}

/** Segments to be made one. */
export interface MergeTask {
  readonly segments: readonly LiveSegment[]
  readonly fragments: JsonFragments
}

/** A segment, and ids of transactions that were written after it was made. */
export interface ApplyDeletesTask {
  readonly live: LiveSegment
  readonly ids: readonly Float64Array[]
}

/** What has happened to a file, if anything is known yet: `busy` = somebody holds a lock. */
export type FollowResult =
  | (FileStep & { readonly reading: FileReading })
  | { readonly kind: 'busy' }

/** Work on snapshots that runs off the request thread, in a pool or, in tests, inline. */
export interface SnapshotTasks {
  /** @throws Error when the file is missing, damaged, locked or too large */
  load(task: LoadTask): Promise<LoadedWorkspace>
  /** @throws Error as above, but for a lock */
  follow(task: FollowTask): Promise<FollowResult>
  merge(task: MergeTask): Promise<LiveSegment>
  applyDeletes(task: ApplyDeletesTask): Promise<LiveSegment>
  index(segment: Segment): Promise<SegmentIndexes>
  /** @throws Error as above */
  checkpoint(path: string): Promise<void>
  /** @throws Error as above */
  stamp(path: string): Promise<StampedVersion | undefined>
  /** @throws Error of the file or of the file system */
  writeCache(task: CacheTask): Promise<void>
  /** @throws Error of the file system */
  discard(cachePath: string): Promise<void>
}

/**
 * Reads a workspace from its cache as far as that is to be believed, or else from the file.
 * @throws StoreError when the file is missing, damaged, locked or too large
 */
export function load({ workspaceId, path, cache }: LoadTask): LoadedWorkspace {
  return withFile(path, (file) => {
    return readStamped(file, (reading) => {
      const answer: CacheAnswer =
        cache === undefined
          ? { kind: 'missing' }
          : snapshotOfCache(cache, { workspaceId, reading }, file)
      if (answer.kind === 'valid') return { ...answer, reading, refusal: undefined }
      const refusal = answer.kind === 'refused' ? answer.reason : undefined
      const snapshot = withSmallIndexes(snapshotOfFile(workspaceId, file))
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

/** What has happened to the file since. @throws StoreError as above, but for a lock */
export function follow({ path, from, schemaVersion, fixedCount }: FollowTask): FollowResult {
  try {
    const read = (file: WorkspaceFile): FollowResult =>
      readStamped(file, (reading): FollowResult => {
        // A write without triggers, then one with them: the sequence grows as if all were told.
        if (reading.schemaVersion !== schemaVersion) {
          return { kind: 'lost', reason: 'schema', reading }
        }
        return { ...followFile(from, file, fixedCount), reading }
      })
    // A lock is not waited for here, where all other workspaces would wait for it too.
    return withFile(path, read, 0)
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' }
    throw error
  }
}

/** One segment of several. */
export function merge({ segments, fragments }: MergeTask): LiveSegment {
  return packArrays(mergeSegments(segments, fragments))
}

/** The segment without rows that were written after it was made. */
export function applyDeletes({ live, ids }: ApplyDeletesTask): LiveSegment {
  return ids.reduce(withoutIds, live)
}

/** The indexes of a segment that has none yet. */
export function index(segment: Segment): SegmentIndexes {
  return packArrays(indexesOfSegment(segment))
}

/** The texts of some accounts' rows. */
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
