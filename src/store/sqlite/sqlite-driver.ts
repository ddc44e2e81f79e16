import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'
import { CommandError } from '../../errors.js'

/**
 * better-sqlite3 13 is compiled against Node-API and carries its binaries, but crashes Node.js 20
 * with a segmentation fault; 12 is compiled for one version of V8, and aborts on Node.js 24.19 and
 * later (WiseLibs/better-sqlite3 #1515). Both are optional dependencies: npm leaves out the one
 * that does not fit this Node.js.
 */
export const DRIVER_PACKAGE =
  Number.parseInt(process.versions.node, 10) >= 22 ? 'better-sqlite3' : 'better-sqlite3-node20'

const REMEDY =
  DRIVER_PACKAGE === 'better-sqlite3'
    ? 'reinstall kontor without --omit=optional'
    : 'reinstall kontor without --omit=optional, with make, g++ and python3 installed; or use ' +
      'Node.js 22.13 or newer, which does not need a compiler'

/** The SQLite binding of this Node.js. */
export const Database = loadDriver()

/** An open SQLite connection; only this folder uses its methods. */
export type Connection = BetterSqlite3.Database

export type PreparedStatement = BetterSqlite3.Statement

export type DriverBackupOptions = BetterSqlite3.BackupOptions

/** Version of the binding's package, such as `13.2.0`. */
export function driverVersion(): string {
  const { version } = createRequire(import.meta.url)(`${DRIVER_PACKAGE}/package.json`)
  return String(version)
}

/** @throws CommandError when the package is not installed, or has no binary for this machine */
function loadDriver(): typeof BetterSqlite3 {
  const require = createRequire(import.meta.url)
  try {
    const loaded: typeof BetterSqlite3 = require(DRIVER_PACKAGE)
    // The package loads its binary when the first database is opened, and not before.
    new loaded(':memory:').close()
    return loaded
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new CommandError('failed', `SQLite cannot be loaded (${why}): ${REMEDY}`, {
      cause: error,
    })
  }
}
