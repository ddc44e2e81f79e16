import { existsSync } from 'node:fs'
import type { FileReading, FileStamp } from '../store/sqlite/file-stamp.js'
import type { WorkspaceFile, WorkspaceVersion } from '../store/sqlite/workspace-file.js'
import { buildSegments, Codes } from './build.js'
import { followFile, RELOAD_REASONS, snapshotAfter } from './follow.js'
import { NO_INDEXES, placeOfId, type Snapshot, transactionCount } from './snapshot.js'
import {
  readSnapshotFile,
  removeSnapshotFile,
  verifySnapshotFile,
  writeSnapshotFile,
} from './snapshot-file.js'
import { rowJson, staleFragmentsOf } from './stale-fragments.js'

/**
 * The last changes whose rows a cached snapshot to be caught up must share with the file: some
 * milliseconds, and too many for another history to share by chance.
 */
const CACHE_WITNESSES_MAX = 1_000

/** Location of a workspace's cached snapshot. */
export interface Cache {
  readonly path: string
  /** layoutVersion() of this process, as of its start. */
  readonly layout: string
}

/** The cached part of a snapshot; the rest follows from it. */
type CachedSnapshot = Omit<Snapshot, 'workspaceId' | 'generation' | 'staleFragments'>

/** The state of the file that a cached snapshot is tied to. */
interface CacheTag {
  readonly uid: string
  readonly sequence: number
  /** Schema version of the file as it was read: dropping a trigger, to bypass it, changes that. */
  readonly schemaVersion: number
  /** The file's stamp as long as it holds that version; empty = not known. */
  readonly stamp: FileStamp
  /** Ids that the newest changes up to that version wrote. */
  readonly witnessIds: readonly number[]
}

/** Result of reading the cache. */
export type CacheAnswer =
  | {
      readonly kind: 'valid'
      /** Snapshot of the file's version, whichever version was cached. */
      readonly snapshot: Snapshot
      /** Sequence of the version that is cached. */
      readonly cachedSequence: number
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * The snapshot of the file's present state: as it was cached, or with the changes since applied. To
 * be called inside {@link WorkspaceFile.consistently}.
 *
 * A cached snapshot of the file's version is valid when the file has the same stamp: the file was
 * not touched. One of an earlier version is valid when the file's `changes` lead from that version
 * to the present one, and the rows that were newest then and the number of rows are the file's: a
 * backup that was restored, and has been written to since, has the same uid and may have any
 * sequence.
 * @param reading of that state
 * @throws StoreError
 */
export function snapshotOfCache(
  cache: Cache,
  { workspaceId, reading }: { readonly workspaceId: string; readonly reading: FileReading },
  file: WorkspaceFile,
): CacheAnswer {
  const version = file.version()
  let reason: string | undefined
  // Content with valid checksums was written by the same program, to the byte.
  const isWanted = (tag: unknown): boolean => {
    reason = reasonAgainst(tag as CacheTag, { ...version, ...reading })
    return reason === undefined
  }
  const read = readSnapshotFile(cache.path, cache.layout, isWanted)
  if (read.kind === 'missing') return read
  if (read.kind === 'refused') return { kind: 'refused', reason: reason ?? read.reason }
  const tag = read.tag as CacheTag
  const cached = read.value as CachedSnapshot
  const staleFragments = staleFragmentsOf(cached.segments, cached.fragments)
  const snapshot: Snapshot = { workspaceId, generation: 0, ...cached, staleFragments }
  const cachedSequence = tag.sequence
  if (cachedSequence === version.sequence) return { kind: 'valid', snapshot, cachedSequence }
  const step = followFile(snapshot, file, 0)
  if (step.kind === 'lost') return { kind: 'refused', reason: RELOAD_REASONS[step.reason] }
  const next = snapshotAfter(snapshot, step.next, 0)
  if (!isConfirmed(next, file, tag)) {
    return { kind: 'refused', reason: 'the history of the workspace file differs' }
  }
  return { kind: 'valid', snapshot: next, cachedSequence }
}

/**
 * Why a cache is useless for a workspace file, whatever was written since, or undefined. Reads all
 * of it, takes almost no memory, and changes nothing.
 * @param uid of the workspace file
 */
export function cacheFault({ path, layout }: Cache, uid: string): string | undefined {
  const examined = verifySnapshotFile(path, layout)
  if (examined.kind === 'missing') return undefined
  if (examined.kind === 'refused') return examined.reason
  return (examined.tag as CacheTag).uid === uid ? undefined : 'it belongs to another workspace file'
}

/** Why a tag does not fit the file, or undefined. */
function reasonAgainst(tag: CacheTag, file: WorkspaceVersion & FileReading): string | undefined {
  if (tag.uid !== file.uid) return 'it belongs to another workspace file'
  if (tag.sequence > file.sequence) return 'the workspace file is older than the cache'
  if (tag.schemaVersion !== file.schemaVersion) return 'the tables or triggers were changed'
  if (tag.sequence === file.sequence && (tag.stamp === '' || tag.stamp !== file.stamp)) {
    return 'the workspace file was modified without logged changes'
  }
  return undefined
}

/**
 * Whether the snapshot, caught up from a cached one, agrees with the file in the older part: in the
 * rows that the last changes up to then wrote, as the cache has them and as the file has them now,
 * and in the number of all rows.
 */
function isConfirmed(snapshot: Snapshot, file: WorkspaceFile, tag: CacheTag): boolean {
  if (transactionCount(snapshot) !== file.transactionCount()) return false
  const writtenIds = file.transactionIdsWritten(tag.sequence, CACHE_WITNESSES_MAX)
  if (writtenIds.length === 0) return false
  const ids = Array.from(new Set([...writtenIds, ...tag.witnessIds])).sort((a, b) => b - a)
  const rows = ids.flatMap((id) => file.transaction(id) ?? [])
  const shared = { accounts: file.accounts(), categories: file.categories() }
  const source = { transactionCount: rows.length, transactions: rows }
  const built = buildSegments(source, shared, new Codes(snapshot.idDictionary))
  const witnesses = {
    segments: built.map((segment) => ({ segment, alive: undefined, ...NO_INDEXES })),
  }
  return ids.every((id) => {
    const witness = placeOfId(witnesses, id)
    const place = placeOfId(snapshot, id)
    if (witness === undefined || place === undefined) return witness === place
    const held = rowJson(place.segment, place.ordinal, snapshot.staleFragments.get(place.segment))
    return Buffer.compare(held, rowJson(witness.segment, witness.ordinal, undefined)) === 0
  })
}

/** A snapshot that is to be cached. */
export interface CacheTask {
  readonly cache: Cache
  /** Path of the workspace file. */
  readonly path: string
  readonly cached: CachedSnapshot
  /** Schema version of the file, as it was read. */
  readonly schemaVersion: number
  /** The file's stamp as long as it holds this version; undefined = not known. */
  readonly stamp: FileStamp | undefined
}

/** The part of a snapshot that is cached. */
export function cachedPart(snapshot: Snapshot): CachedSnapshot {
  const { version, accounts, categories, idDictionary, fragments, segments, log } = snapshot
  return { version, accounts, categories, idDictionary, fragments, segments, log }
}

/**
 * Replaces the cache of a snapshot; leaves none when the workspace file is deleted meanwhile.
 * @param file of the snapshot, which may have been written to since
 * @throws StoreError; the file system's error, see {@link writeSnapshotFile}
 */
export function writeCacheFile(task: CacheTask, file: WorkspaceFile): void {
  const { cache, path, cached, schemaVersion, stamp } = task
  const { version } = cached
  const witnessIds = file.transactionIdsWritten(version.sequence, CACHE_WITNESSES_MAX)
  const tag: CacheTag = { ...version, schemaVersion, stamp: stamp ?? '', witnessIds }
  writeSnapshotFile(cache.path, { layout: cache.layout, tag, value: cached })
  // The cache is bank data: deleting a workspace deletes its cache, after the file.
  if (!existsSync(path)) removeSnapshotFile(cache.path)
}
