import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '../store-error.js'
import { type Seal, type SealedVersion, unsealed } from '../workspace.js'
import { WorkspaceFile } from './workspace-file.js'
import type { WorkspaceQueries } from './workspace-queries.js'

/**
 * Age of a file's newest time stamp from which on another write is sure to leave another one: some
 * times the 4 to 10 ms in which the clocks of file systems tick.
 */
const STAMP_SETTLED_MS = 50

/**
 * Identifies the state of a SQLite file: inode, size and time of the last write (ns) of the file,
 * size and time of its WAL; `-` stands for a WAL that is empty or missing. Equal stamps are equal
 * texts; they have no other meaning.
 *
 * Effects on it in WAL mode (test/store/sqlite/file-stamp.ts):
 * - Opening, reading and closing changes nothing while the WAL is empty, also for a connection that
 *   may write. An empty WAL comes and goes next to the file.
 * - A commit changes it: the WAL grows or is reset.
 * - The last close of a connection, of any process, checkpoints the WAL and deletes it: that
 *   changes the stamp though no row changed. A reader's close does it too, when a writer left
 *   before it or was killed; `query_only` does not prevent that. Only SQLite's own read-only mode,
 *   which kontor does not use, leaves the WAL.
 * - Opening a file with the WAL of a killed writer changes nothing until that close.
 *
 * So a stamp is worth keeping once the WAL is empty: then it outlives a close and a killed process.
 * A server that writes the cache of a snapshot while it runs (snapshot/cached-copy.ts) does: 1.
 * checkpoint the WAL (`WorkspaceFile.checkpoint`) and truncate it (`ChangeWatch.settle`); 2.
 * `sealedVersion(path)`, and continue only if its version is the snapshot's; 3. poll the
 * ChangeWatch: without a change since the snapshot was read, the stamp is of its very rows. Equal
 * versions alone do not prove that: a writer that bypasses the triggers leaves them equal. A start
 * does: 1. open the ChangeWatch, and keep it: it reports a commit after the next step; 2.
 * `fileStamp(path)`; if it equals the cached one, the file has the same content.
 */
export type FileStamp = string

/** The stamp of the file as it is now. @throws StoreError when there is no such file */
export function fileStamp(path: string): FileStamp {
  const { file, log } = statusOf(path)
  const logged = log === undefined ? '-' : `${log.size} ${log.mtimeNs}`
  return `${file.ino} ${file.size} ${file.mtimeNs} ${logged}`
}

/**
 * Opens a workspace file, reads its version and closes it, until its stamp is the same before and
 * after and old enough: file clocks tick in milliseconds, so that a second write in one tick could
 * leave size and time as they were. Usually takes some milliseconds, and {@link STAMP_SETTLED_MS}
 * after a write. The stamp outlives all connections only if the WAL is empty (above).
 * @returns undefined when the file does not come to rest, or its time lies in the future
 * @throws StoreError when the file cannot be read
 */
export async function sealedVersion(path: string): Promise<SealedVersion | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const stamp = fileStamp(path)
    if (!isSettled(path)) {
      await pause(STAMP_SETTLED_MS)
      continue
    }
    const file = WorkspaceFile.openForReading(path)
    let sealed: SealedVersion
    try {
      sealed = file.consistently(() => ({ version: file.version(), seal: sealOf(file, stamp) }))
    } finally {
      file.close()
    }
    if (fileStamp(path) === stamp) return sealed
  }
  return undefined
}

/**
 * Reads a state of the file together with its stamp. Retries if the file was written meanwhile;
 * after some attempts, the state has no stamp.
 * @throws StoreError, and any error of `read`
 */
export async function readStamped<T>(
  file: WorkspaceQueries,
  read: (seal: Seal) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const stamp = fileStamp(file.path)
    file.beginReading()
    try {
      // The first read fixes the state: the stamp belongs to it when it has not changed since.
      const seal = sealOf(file, stamp)
      const isStill = fileStamp(file.path) === stamp
      if (isStill || tries === TRIES_MAX) return await read(isStill ? seal : unsealed(seal))
    } finally {
      file.endReading()
    }
  }
}

function sealOf(file: WorkspaceQueries, stamp: FileStamp): Seal {
  return { schema: `${file.schemaVersion()}`, content: stamp }
}

/** Twice: a pause for a fresh write, and the close that checkpoints a left WAL. */
const TRIES_MAX = 6

/**
 * The file was not written between two equal stamps, so it is enough that it was settled at any
 * moment in between.
 */
function isSettled(path: string): boolean {
  const { file, log } = statusOf(path)
  const newestNs = log !== undefined && log.mtimeNs > file.mtimeNs ? log.mtimeNs : file.mtimeNs
  return Date.now() - Number(newestNs / 1_000_000n) >= STAMP_SETTLED_MS
}

function statusOf(path: string): { file: BigIntStats; log: BigIntStats | undefined } {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (file === undefined) throw new StoreError(`${path}: there is no such file`)
  // SQLite keeps the WAL next to the file itself, wherever a link to it lies.
  const log = statSync(`${realpathSync(path)}-wal`, { bigint: true, throwIfNoEntry: false })
  return { file, log: log === undefined || log.size === 0n ? undefined : log }
}
