import { isThere, readWorkspace } from '../store/open-workspace.js'
import type { Seal, SealedVersion, WorkspaceAddress, WorkspaceState } from '../store/workspace.js'
import { Codes, segmentsOf, sharedRowsOf } from './build.js'
import { followState, RELOAD_REASONS, snapshotAfter } from './follow.js'
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

/** The state of the workspace that a cached snapshot belongs to. */
interface CacheTag extends SealedVersion {
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
 * The snapshot of the present state: as it was cached, or with the changes since applied.
 *
 * A cached snapshot of the present version is valid if the workspace has the same seal, and so has
 * not been written to. One of an earlier version is valid if the log leads from that version to the
 * present one, and the row count and the rows that were newest then agree with the state. The uid
 * and sequence are not enough: those of a restored backup with later writes may be the same.
 * @throws StoreError
 */
export async function snapshotOfCache(
  cache: Cache,
  workspaceId: string,
  state: WorkspaceState,
): Promise<CacheAnswer> {
  const present: SealedVersion = { version: await state.version(), seal: await state.seal() }
  let reason: string | undefined
  // Content with valid checksums was written by the same program, to the byte.
  const isWanted = (tag: unknown): boolean => {
    reason = reasonAgainst(tag as CacheTag, present)
    return reason === undefined
  }
  const read = readSnapshotFile(cache.path, cache.layout, isWanted)
  if (read.kind === 'missing') return read
  if (read.kind === 'refused') return { kind: 'refused', reason: reason ?? read.reason }
  const tag = read.tag as CacheTag
  const cached = read.value as CachedSnapshot
  const staleFragments = staleFragmentsOf(cached.segments, cached.fragments)
  const snapshot: Snapshot = { workspaceId, generation: 0, ...cached, staleFragments }
  const cachedSequence = tag.version.sequence
  if (cachedSequence === present.version.sequence) {
    return { kind: 'valid', snapshot, cachedSequence }
  }
  const step = await followState(snapshot, state, { seal: tag.seal, fixedCount: 0 })
  if (step.kind === 'lost') return { kind: 'refused', reason: RELOAD_REASONS[step.reason] }
  const next = snapshotAfter(snapshot, step.next, 0)
  if (!(await isConfirmed(next, state, tag))) {
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
  const { version } = examined.tag as CacheTag
  return version.uid === uid ? undefined : 'it belongs to another workspace file'
}

/** Why a cached snapshot does not belong to the present state, or undefined. */
function reasonAgainst({ version, seal }: CacheTag, present: SealedVersion): string | undefined {
  if (version.uid !== present.version.uid) return 'it belongs to another workspace file'
  if (version.sequence > present.version.sequence) {
    return 'the workspace file is older than the cache'
  }
  if (seal.schema !== present.seal.schema) return 'the tables or triggers were changed'
  if (version.sequence < present.version.sequence) return undefined
  const isSame = version.mark === present.version.mark && seal.content === present.seal.content
  if (seal.content === '' || !isSame) {
    return 'the workspace file was modified without logged changes'
  }
  return undefined
}

/**
 * Whether the snapshot, caught up from a cached one, agrees with the file in the older part: in the
 * rows that the last changes up to then wrote, as the cache has them and as the file has them now,
 * and in the number of all rows.
 */
async function isConfirmed(
  snapshot: Snapshot,
  state: WorkspaceState,
  tag: CacheTag,
): Promise<boolean> {
  if (transactionCount(snapshot) !== (await state.transactionCount())) return false
  const writtenIds = await state.idsWritten(tag.version.sequence, CACHE_WITNESSES_MAX)
  if (writtenIds.length === 0) return false
  const ids = Array.from(new Set([...writtenIds, ...tag.witnessIds])).sort((a, b) => b - a)
  const rows = await state.transactionsOf(ids)
  const built = segmentsOf(rows, await sharedRowsOf(state), new Codes(snapshot.idDictionary))
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
  readonly address: WorkspaceAddress
  readonly cached: CachedSnapshot
  /** The seal of the workspace while it has this version. */
  readonly seal: Seal
}

/** The part of a snapshot that is cached. */
export function cachedPart(snapshot: Snapshot): CachedSnapshot {
  const { version, accounts, categories, idDictionary, fragments, segments, log } = snapshot
  return { version, accounts, categories, idDictionary, fragments, segments, log }
}

/**
 * Replaces the cache by a snapshot; leaves no cache if the workspace is deleted meanwhile. The
 * workspace may have later changes.
 * @throws StoreError; the file system's error, see {@link writeSnapshotFile}
 */
export async function writeCacheFile({ cache, address, cached, seal }: CacheTask): Promise<void> {
  const { version } = cached
  // Read before the cache is written, which takes seconds: a reader prevents truncation of the WAL.
  const witnessIds = await readWorkspace(address, (state) =>
    state.idsWritten(version.sequence, CACHE_WITNESSES_MAX),
  )
  const tag: CacheTag = { version, seal, witnessIds }
  writeSnapshotFile(cache.path, { layout: cache.layout, tag, value: cached })
  // The cache is bank data: deleting a workspace deletes its cache, after the file.
  if (!(await isThere(address))) removeSnapshotFile(cache.path)
}
