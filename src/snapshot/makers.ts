import type { TextIndex } from '../free-text/text-index.js'
import { TEXT_AT_ONCE_ROWS_MAX } from '../limits.js'
import { isBusy } from '../store/database.js'
import { WorkspaceFile } from '../store/workspace-file.js'
import { snapshotOfFile } from './build.js'
import { type Step as FileStep, type Followed, followFile, withoutIds } from './follow.js'
import { mergeSegments } from './merge-segments.js'
import { textOfSegment } from './segment-text.js'
import type { LiveSegment, Pieces, Segment, Snapshot } from './snapshot.js'

// What a builder thread is asked for: each task holds handles to shared memory and small values,
// and so does its answer, so nothing large is copied on the way.

/** A workspace to be read from its file. */
export interface LoadTask {
  readonly workspaceId: string
  readonly path: string
}

/** A snapshot whose file has changed since. */
export interface FollowTask {
  readonly path: string
  readonly from: Followed
  /** So many of the first segments are not to be merged. */
  readonly fixedCount: number
}

/** Segments to be made one. */
export interface MergeTask {
  readonly segments: readonly LiveSegment[]
  readonly pieces: Pieces
}

/** A segment, and ids of transactions that were written after it was made. */
export interface ThinTask {
  readonly live: LiveSegment
  readonly ids: readonly Float64Array[]
}

/** What has happened to a file, if anything is known yet: `busy` = somebody holds a lock. */
export type Step = FileStep | { readonly kind: 'busy' }

/** The work that is done beside the answering of requests, wherever that is. */
export interface Makers {
  /** @throws Error when the file is missing, damaged, locked or too large */
  load(task: LoadTask): Promise<Snapshot>
  /** @throws Error as above, but for a lock */
  follow(task: FollowTask): Promise<Step>
  merge(task: MergeTask): Promise<LiveSegment>
  thin(task: ThinTask): Promise<LiveSegment>
  index(segment: Segment): Promise<TextIndex>
}

/** @throws StoreError when the file is missing, damaged, locked or too large */
export function load({ workspaceId, path }: LoadTask): Snapshot {
  const snapshot = withFile(path, (file) => snapshotOfFile(workspaceId, file))
  const segments = snapshot.segments.map((live) =>
    live.segment.rowCount > TEXT_AT_ONCE_ROWS_MAX
      ? live
      : { ...live, text: textOfSegment(live.segment) },
  )
  return { ...snapshot, segments }
}

/** What has happened to the file since. @throws StoreError as above, but for a lock */
export function follow({ path, from, fixedCount }: FollowTask): Step {
  try {
    // A lock is not waited for here, where all other workspaces would wait for it too.
    return withFile(path, (file) => followFile(from, file, fixedCount), 0)
  } catch (error) {
    if (isBusy(error)) return { kind: 'busy' }
    throw error
  }
}

/** One segment of several. */
export function merge({ segments, pieces }: MergeTask): LiveSegment {
  return mergeSegments(segments, pieces)
}

/** The segment without rows that were written after it was made. */
export function thin({ live, ids }: ThinTask): LiveSegment {
  return ids.reduce(withoutIds, live)
}

/** The text index of a segment that has none yet. */
export function index(segment: Segment): TextIndex {
  return textOfSegment(segment)
}

function withFile<T>(path: string, use: (file: WorkspaceFile) => T, busyTimeoutMs?: number): T {
  const file = WorkspaceFile.openForReading(path, busyTimeoutMs)
  try {
    return use(file)
  } finally {
    file.close()
  }
}
