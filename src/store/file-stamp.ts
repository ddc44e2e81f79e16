import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { STAMP_SETTLED_MS } from '../limits.js'
import { StoreError } from './store-error.js'
import { WorkspaceFile, type WorkspaceVersion } from './workspace-file.js'

/**
 * Tells whether a SQLite file was touched: inode, size and time of the last write (ns) of the file,
 * size and time of its write-ahead log; `-` stands for a log that is empty or not there. Equal
 * stamps compare equal as texts; nothing else is to be read from one.
 *
 * What changes it in WAL mode, and what does not (test/store/file-stamp.ts):
 * - Opening, reading and closing changes nothing while the log is empty, for a connection that may
 *   write as well. An empty log comes and goes beside it.
 * - A commit changes it: the log grows or is written anew.
 * - The last connection that closes, of any process, moves what the log holds into the file and
 *   deletes the log: that changes it though no row changed. A reader's close does it too, when
 *   a writer left before it or was killed; `query_only` does not keep it from that. Only SQLite's
 *   own read-only mode, which kontor does not use, leaves the log.
 * - Opening a file whose log was left by a killed writer changes nothing until that close.
 *
 * So a stamp is worth keeping once the log is empty: whoever closes then, or is killed, leaves it.
 * A server that writes the cache of a snapshot while it runs (snapshot/cached-copy.ts) does:
 * 1. checkpoint the WAL (`WorkspaceFile.checkpoint`) and truncate it (`ChangeWatch.truncateWal`);
 * 2. `stampedVersion(path)`, and go on only if its version is the snapshot's;
 * 3. ask the ChangeWatch: without news since the snapshot was read, the stamp is of its very rows.
 *    Equal versions alone do not say that: a writer that bypasses the triggers leaves them equal.
 * A start does:
 * 1. open the ChangeWatch, and keep it: a commit after the next step is news to it;
 * 2. `fileStamp(path)`; equal to the cached one, the file holds what it held.
 */
export type FileStamp = string

/** The stamp of the file as it is now. @throws StoreError when there is no such file */
export function fileStamp(path: string): FileStamp {
  const { file, log } = statusOf(path)
  const logged = log === undefined ? '-' : `${log.size} ${log.mtimeNs}`
  return `${file.ino} ${file.size} ${file.mtimeNs} ${logged}`
}

/** A version and the stamp that the file has as long as it holds that version and is left alone. */
export interface StampedVersion {
  readonly version: WorkspaceVersion
  readonly stamp: FileStamp
}

/**
 * Opens a workspace file, reads its version and closes it, until its stamp is the same before and
 * after and old enough: file clocks tick in milliseconds, so that a second write in one tick could
 * leave size and time as they were. Usually takes some milliseconds, and {@link STAMP_SETTLED_MS}
 * after a write. The stamp outlives all connections only if the log is empty (above).
 * @returns undefined when the file does not come to rest, or its time lies in the future
 * @throws StoreError when the file cannot be read
 */
export async function stampedVersion(path: string): Promise<StampedVersion | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const stamp = fileStamp(path)
    if (!isSettled(path)) {
      await pause(STAMP_SETTLED_MS)
      continue
    }
    const file = WorkspaceFile.openForReading(path)
    let version: WorkspaceVersion
    try {
      version = file.consistently(() => file.version())
    } finally {
      file.close()
    }
    if (fileStamp(path) === stamp) return { version, stamp }
  }
  return undefined
}

/** What was known of a file when a state of it was read. */
export interface FileReading {
  /** Of the very state; undefined = the file was written all the time. */
  readonly stamp: FileStamp | undefined
  readonly schemaVersion: number
}

/** Reads one state of the file. @throws StoreError, and what `read` throws */
export function readStamped<T>(file: WorkspaceFile, read: (reading: FileReading) => T): T {
  for (let tries = 1; ; tries++) {
    const stamp = fileStamp(file.path)
    const answer = file.consistently(() => {
      // The state is the one at the first read: the stamp is its own when it has not changed since.
      const schemaVersion = file.schemaVersion()
      const isStill = fileStamp(file.path) === stamp
      if (!isStill && tries < TRIES_MAX) return undefined
      return { read: read({ stamp: isStill ? stamp : undefined, schemaVersion }) }
    })
    if (answer !== undefined) return answer.read
  }
}

/** Twice: a pause for a fresh write, and the close that moves a left log into the file. */
const TRIES_MAX = 6

/**
 * Between a stamp and the next one that equals it the file was not written, so it is enough that it
 * was settled at any moment in between.
 */
function isSettled(path: string): boolean {
  const { file, log } = statusOf(path)
  const newestNs = log !== undefined && log.mtimeNs > file.mtimeNs ? log.mtimeNs : file.mtimeNs
  return Date.now() - Number(newestNs / 1_000_000n) >= STAMP_SETTLED_MS
}

function statusOf(path: string): { file: BigIntStats; log: BigIntStats | undefined } {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (file === undefined) throw new StoreError(`${path}: there is no such file`)
  // SQLite keeps the log beside the file itself, wherever a link to it lies.
  const log = statSync(`${realpathSync(path)}-wal`, { bigint: true, throwIfNoEntry: false })
  return { file, log: log === undefined || log.size === 0n ? undefined : log }
}
