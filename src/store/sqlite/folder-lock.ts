import { closeSync, existsSync, openSync } from 'node:fs'
import { isBusy } from '../store-error.js'
import { explainFaults } from './database.js'
import { type Connection, Database } from './sqlite-driver.js'

/** A lock that is held until it is released or its process ends, in any way. */
export interface FolderLock {
  release(): void
}

/**
 * Takes the lock represented by a file; makes the file, empty and for its owner alone (0600), when
 * it is missing. Node.js has no file locks, but SQLite has: the system releases the lock of a
 * killed process, also of one in another container.
 * @returns undefined when another connection holds it
 * @throws StoreError; the file system's error when the file cannot be made
 */
export function lockByFile(path: string): FolderLock | undefined {
  // Closing a file releases the locks of this process on it, so an existing one is not opened.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const connection = explainFaults(path, () => new Database(path, { timeout: 0 }))
  try {
    explainFaults(path, () => lock(connection))
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return { release: () => connection.close() }
}

/** The transaction writes nothing, and stays open until the connection closes. */
function lock(connection: Connection): void {
  connection.exec('BEGIN EXCLUSIVE')
}
