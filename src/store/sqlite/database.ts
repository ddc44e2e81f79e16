import { existsSync, statSync } from 'node:fs'
import { messageOf } from '../../errors.js'
import { StoreError } from '../store-error.js'
import { type Connection, Database } from './sqlite-driver.js'

/** How long an open or a write waits for another SQLite writer before it gives up. */
export const BUSY_TIMEOUT_MS = 5_000

/** An empty file older than this is not being created. */
const CREATION_MS_MAX = 10_000

/**
 * Page cache of a connection that reads a whole file: each page is read once, so a larger cache
 * would be garbage between the arrays that a loading thread leaves behind, 14 MB of it for a
 * million rows.
 */
export const READ_CACHE_KIB = 1_000

/**
 * Page cache of a connection that writes: half of SQLite's default costs an import of a million
 * rows 2 % of its time and saves the memory that is left when everything else is constant.
 */
const WRITE_CACHE_KIB = 8_000

/**
 * Runs `use` and turns SQLite's expected errors (corrupt, locked, full, read-only, not a database)
 * into a {@link StoreError} that names the file; other errors are rethrown.
 */
export function explainFaults<T>(path: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw explained(path, error)
  }
}

/** The error that {@link explainFaults} throws for one: a StoreError, or the error itself. */
export function explained(path: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const message = `${path}: ${explanationOf(error.code, error.message)}`
  return new StoreError(message, { cause: error, isBusy: isLocked(error.code) })
}

/** Message of the CHECK of ids (workspace-schema.ts); ids of callers are checked earlier. */
const ID_CHECK_FAILED = /: id BETWEEN 1 AND /

function isLocked(code: string): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(code)
}

function explanationOf(code: string, message: string): string {
  if (isLocked(code)) {
    return 'the file is locked by another program; try again later'
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return 'the file is damaged or is not a SQLite database; restore it from a backup'
  }
  if (code === 'SQLITE_CONSTRAINT_CHECK' && ID_CHECK_FAILED.test(message)) {
    return 'no ids are left: a row already has the largest possible id'
  }
  if (code === 'SQLITE_FULL') return 'the disk is full'
  if (code.startsWith('SQLITE_READONLY')) return 'the file or its folder is not writable'
  if (code.startsWith('SQLITE_CANTOPEN')) return 'the file cannot be opened; check its permissions'
  return message
}

/**
 * Opens a file for reading and writing, makes it when it is missing, and migrates its schema.
 * @param migrations entry n brings `user_version` n to n + 1
 * @throws StoreError when the file cannot be opened, or was written by a newer program
 */
export function openDatabase(path: string, migrations: readonly string[]): Connection {
  return explainFaults(path, () => {
    const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS })
    try {
      connection.pragma('journal_mode = WAL')
      connection.pragma('synchronous = NORMAL')
      connection.pragma(`cache_size = ${-WRITE_CACHE_KIB}`)
      connection.pragma('foreign_keys = ON')
      migrate(path, connection, migrations)
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  })
}

/**
 * Opens an existing file for reading alone.
 * @param busyTimeoutMs how long to wait for a lock; the wait blocks the thread
 * @throws StoreError when it is missing or empty, cannot be read, or has another schema than this
 * program's
 */
export function openDatabaseForReading(
  path: string,
  migrations: readonly string[],
  busyTimeoutMs = BUSY_TIMEOUT_MS,
): Connection {
  // A folder that cannot be entered has no files; one may be deleted between the two calls.
  const found = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined
  if (found === undefined) throw new StoreError(`${path}: there is no such file`)
  if (found.size === 0) {
    // Not migrated: the content is lost, and an empty workspace would hide that.
    const cause = 'the file is empty: another program is creating it, or its content is lost'
    const isBusy = Date.now() - found.mtimeMs < CREATION_MS_MAX
    throw new StoreError(`${path}: ${cause}; restore it from a backup`, { isBusy })
  }
  return explainFaults(path, () => {
    // Not SQLite's read-only mode: the WAL of a killed writer needs recovery.
    const connection = new Database(path, { fileMustExist: true, timeout: busyTimeoutMs })
    try {
      migrate(path, connection, migrations)
      connection.pragma('query_only = ON')
      connection.pragma(`cache_size = ${-READ_CACHE_KIB}`)
    } catch (error) {
      connection.close()
      throw error
    }
    return connection
  })
}

function migrate(path: string, connection: Connection, migrations: readonly string[]): void {
  const version = (): number => Number(connection.pragma('user_version', { simple: true }))
  if (version() > migrations.length) {
    throw new StoreError(
      `${path}: its schema version ${version()} is newer than the newest supported one ` +
        `(${migrations.length}); use a newer version of kontor`,
    )
  }
  if (version() === migrations.length) return
  const applyMigrations = connection.transaction(() => {
    // Re-read inside the transaction: two processes may open a new file at the same moment.
    for (let from = version(); from < migrations.length; from++) {
      connection.exec(migrations[from] ?? '')
      connection.pragma(`user_version = ${from + 1}`)
    }
  })
  applyMigrations.immediate()
}

/** @param found in SQLite's words, over several lines */
function damaged(found: string): string {
  const words = found.trim().replace(/\s+/g, ' ')
  return `the file is damaged (SQLite: ${words}); restore it from a backup`
}

/** Fault that SQLite's quick check finds in the content, in one line, or undefined. */
export function faultOf(connection: Connection): string | undefined {
  try {
    const answer = String(connection.pragma('quick_check(1)', { simple: true }))
    return answer === 'ok' ? undefined : damaged(answer)
  } catch (error) {
    return messageOf(error)
  }
}
