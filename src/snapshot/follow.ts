import { type BitSet, bitAt, bitSetOf, fullWords, removeRows } from '../ordinals/bit-set.js'
import { sharedUint32 } from '../ordinals/shared-memory.js'
import type { ReloadReason, Seal, WorkspaceState, WorkspaceVersion } from '../store/workspace.js'
import { packArrays } from './array-arena.js'
import { Codes, SegmentBuilder, type SharedRows, sharedEntries, sharedRowsOf } from './build.js'
import {
  beginLog,
  type ChangeLog,
  extendLog,
  forgetChanges,
  LOG_CHANGES_MIN,
} from './change-log.js'
import { MERGED_ROWS_MAX } from './compaction.js'
import { mergeSegments } from './merge-segments.js'
import { codeCountOf, postingOf } from './postings.js'
import { indexesAtOnce } from './segment-indexes.js'
import { SEGMENT_LIMITS, type SegmentLimits } from './segment-size.js'
import {
  accountOfId,
  aliveCount,
  type LiveSegment,
  ordinalOfId,
  type Segment,
  type Snapshot,
} from './snapshot.js'
import { staleFragmentsOf } from './stale-fragments.js'

/**
 * Changes that are followed one by one; past it, reloading the file is about as fast, and the ids
 * alone take 16 MB.
 */
const CHANGES_FOLLOWED_MAX = 1_000_000

/** The parts of a snapshot that the next one is derived from. */
export type FollowBase = Pick<
  Snapshot,
  'version' | 'idDictionary' | 'fragments' | 'segments' | 'log'
>

/** Why a file that is in memory is reloaded; the texts are also reasons to reject a cache. */
export const RELOAD_REASONS = {
  other_file: 'it was replaced by another file',
  unlogged: 'it was modified without logged changes',
  too_many_changes: 'too many rows changed',
  schema: 'the tables or triggers were changed',
} as const satisfies Readonly<Record<ReloadReason, string>>

/** Result of reading the changes of a workspace since a snapshot. */
export type WorkspaceStep =
  | { readonly kind: 'next'; readonly next: NextSnapshot }
  /** The log is incomplete, so the workspace has to be reloaded. */
  | { readonly kind: 'lost'; readonly reason: ReloadReason }

/** A later snapshot, as differences. */
export interface NextSnapshot
  extends Pick<
    Snapshot,
    'version' | 'accounts' | 'categories' | 'idDictionary' | 'fragments' | 'log'
  > {
  /** In the order of the snapshot's segments, new ones last. */
  readonly segments: readonly NextSegment[]
  /** Ids of transactions that were written, descending. */
  readonly touchedIds: Float64Array
}

/** A segment of the later snapshot. */
type NextSegment =
  /** The segment at this position, unchanged. */
  | { readonly kind: 'kept'; readonly place: number }
  /** The segment at this position, with fewer live rows. */
  | { readonly kind: 'withDeletes'; readonly place: number; readonly alive: BitSet }
  | { readonly kind: 'new'; readonly live: LiveSegment }

/** The start of a follow task: a snapshot without its rows. */
interface FollowStart {
  /** Seal of the workspace when the snapshot was read. */
  readonly seal: Seal
  /** Number of first segments that are not merged; only their rows may be deleted. */
  readonly fixedCount: number
}

/**
 * Reads the changes of the workspace since the snapshot. Small later segments are merged with the
 * new rows, so that there are never many.
 * @throws StoreError
 */
export async function followState(
  from: FollowBase,
  state: WorkspaceState,
  { seal, fixedCount }: FollowStart,
  limits = SEGMENT_LIMITS,
): Promise<WorkspaceStep> {
  const written = await state.writtenSince({ version: from.version, seal }, CHANGES_FOLLOWED_MAX)
  if (written.kind === 'lost') return written
  const { version, ids } = written
  const shared = await sharedRowsOf(state)
  const codes = new Codes(from.idDictionary)
  const builder = new SegmentBuilder(shared, codes, { rowCount: ids.length, limits })
  await builder.appendAll(written.transactions)
  const segments = builder.finish()
  const log = await logUntil(version.sequence, from, state)
  const change = { version, shared, codes, segments, ids, fixedCount, log }
  return { kind: 'next', next: nextOf(from, change, limits) }
}

/** The log with the changes since the snapshot. */
async function logUntil(
  sequence: number,
  { version, log }: FollowBase,
  state: WorkspaceState,
): Promise<ChangeLog> {
  const after = Math.max(version.sequence, sequence - LOG_CHANGES_MIN)
  const base = after === version.sequence ? log : forgetChanges(log, after)
  return extendLog(base, await state.loggedChanges(after))
}

/** The writes since a snapshot. */
interface Change {
  readonly version: WorkspaceVersion
  readonly shared: SharedRows
  readonly codes: Codes
  /** The rows that were inserted or updated. */
  readonly segments: readonly Segment[]
  /** Ids of all transactions that were written, descending. */
  readonly ids: Float64Array
  readonly fixedCount: number
  readonly log: ChangeLog
}

function nextOf(from: FollowBase, change: Change, limits: SegmentLimits): NextSnapshot {
  const { version, shared, codes, ids } = change
  const written = change.segments.map(
    (segment): LiveSegment => ({ segment, alive: undefined, ...indexesAtOnce(segment) }),
  )
  const entries = sharedEntries(shared, codes)
  const afterDeletes = from.segments.map((live) => withoutIds(live, ids))
  const writtenCount = written.reduce((sum, { segment }) => sum + segment.rowCount, 0)
  const mergedFrom = firstMerged(afterDeletes, writtenCount, change.fixedCount)
  const earlier = afterDeletes.slice(mergedFrom)
  const added =
    earlier.length === 0
      ? written
      : mergeSegments([...earlier, ...written], entries.fragments, limits)
  const segments = afterDeletes.slice(0, mergedFrom).flatMap((live, place): NextSegment[] => {
    if (aliveCount(live) === 0 && place >= change.fixedCount) return []
    if (live.alive === undefined || live === from.segments[place]) return [{ kind: 'kept', place }]
    return [{ kind: 'withDeletes', place, alive: live.alive }]
  })
  for (const live of added) segments.push({ kind: 'new', live: packArrays(live) })
  return { version, ...entries, segments, touchedIds: ids, log: change.log }
}

/**
 * Position of the first segment that is merged with the new rows: the last ones that are not much
 * larger, so that a row is copied a logarithmic number of times.
 */
function firstMerged(
  segments: readonly LiveSegment[],
  writtenCount: number,
  fixedCount: number,
): number {
  let first = segments.length
  let rowCount = writtenCount
  while (first > fixedCount) {
    const before = segments[first - 1]
    const count = before === undefined ? 0 : aliveCount(before)
    if (count > rowCount * 2 || rowCount + count > MERGED_ROWS_MAX) break
    rowCount += count
    first -= 1
  }
  return first
}

/** The segment with these rows deleted; the same object when it holds none of them. */
export function withoutIds(live: LiveSegment, ids: Float64Array): LiveSegment {
  const { segment, alive } = live
  const rows = rowsOfIds(segment, ids)
  const dying = alive === undefined ? rows : rows.filter((row) => bitAt(alive.words, row) === 1)
  if (dying.length === 0) return live
  const words = sharedUint32((segment.rowCount + 31) >>> 5)
  words.set(alive?.words ?? fullWords(segment.rowCount))
  removeRows(words, dying)
  return { ...live, alive: bitSetOf(words) }
}

function rowsOfIds(segment: Segment, ids: Float64Array): Uint32Array {
  const rows = new Uint32Array(ids.length)
  let count = 0
  for (let i = 0; i < ids.length; i++) {
    const ordinal = ordinalOfId(segment, ids[i]!)
    if (ordinal !== undefined) rows[count++] = ordinal
  }
  return rows.subarray(0, count)
}

/** The snapshot after a step; segments that were kept are the same objects. */
export function snapshotAfter(before: Snapshot, next: NextSnapshot, generation: number): Snapshot {
  const { version, accounts, categories, idDictionary, fragments, log } = next
  const segments = next.segments.map((segment): LiveSegment => {
    if (segment.kind === 'new') return segment.live
    const live = before.segments[segment.place]
    if (live === undefined) throw new Error(`no segment at place ${segment.place}`)
    return segment.kind === 'kept' ? live : { ...live, alive: segment.alive }
  })
  const staleFragments = staleFragmentsOf(segments, fragments)
  const { workspaceId } = before
  const shared = { accounts, categories, idDictionary, fragments }
  const after = { workspaceId, version, generation, ...shared, segments, staleFragments, log }
  return isAdopting(before, after) ? { ...after, log: beginLog(version.sequence) } : after
}

/**
 * Whether rows were there before their account, or outlive it, as a program leaves them that writes
 * without `PRAGMA foreign_keys`: other credentials then see them, though no change names them.
 */
function isAdopting(before: Snapshot, after: Snapshot): boolean {
  return (
    idsOnlyIn(before, after).some((id) => hasRowOf(after, id)) ||
    idsOnlyIn(after, before).some((id) => hasRowOf(before, id))
  )
}

function idsOnlyIn({ accounts }: Snapshot, other: Snapshot): number[] {
  // Mostly the accounts are the same, in the same places.
  const differing = accounts.filter(({ id }, place) => other.accounts[place]?.id !== id)
  return differing.map(({ id }) => id).filter((id) => accountOfId(other, id) === undefined)
}

function hasRowOf({ idDictionary, segments }: Snapshot, accountId: number): boolean {
  const code = idDictionary.accountIds.indexOf(accountId)
  return segments.some(({ segment: { accountPostings }, alive }) => {
    if (code === -1 || code >= codeCountOf(accountPostings)) return false
    const rows = postingOf(accountPostings, code)
    return rows.some((row) => alive === undefined || bitAt(alive.words, row) === 1)
  })
}
