import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'
import { CommandError } from '../../errors.js'
import { Safepoint } from './safepoint.js'

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
    const probe = new loaded(':memory:')
    const safepoint = DRIVER_PACKAGE === 'better-sqlite3' ? undefined : Safepoint.ofThread()
    if (safepoint !== undefined) return guarded(loaded, probe, safepoint)
    probe.close()
    return loaded
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new CommandError('failed', `SQLite cannot be loaded (${why}): ${REMEDY}`, {
      cause: error,
    })
  }
}

/**
 * Guards the calls of the driver that may fail: none begins while this thread is to halt. `backup`,
 * which no thread uses, is not guarded.
 * @param probe a connection, which is closed
 */
function guarded(
  driver: typeof BetterSqlite3,
  probe: Connection,
  safepoint: Safepoint,
): typeof BetterSqlite3 {
  const statement = probe.prepare('SELECT 1')
  const rows = statement.iterate()
  rows.return?.()
  // Not guarded itself: a pool waits for threads that load this, and may be halting.
  probe.close()
  guardMethods(driver.prototype, ['close', 'exec', 'pragma', 'prepare'], safepoint)
  guardMethods(Object.getPrototypeOf(statement), ['all', 'get', 'iterate', 'run'], safepoint)
  guardMethods(Object.getPrototypeOf(rows), ['next', 'return'], safepoint)
  return new Proxy(driver, {
    construct: (target, parameters, newTarget) => {
      safepoint.beginCall()
      try {
        return Reflect.construct(target, parameters, newTarget)
      } finally {
        safepoint.endCall()
      }
    },
  })
}

/** A method of the driver. */
type DriverMethod = (this: unknown, ...parameters: unknown[]) => unknown

function guardMethods(prototype: object, names: readonly string[], safepoint: Safepoint): void {
  const methods = prototype as Record<string, DriverMethod>
  for (const name of names) {
    const method = methods[name]
    if (method === undefined) throw new Error(`the driver has no method ${name}`)
    methods[name] = function (...parameters) {
      safepoint.beginCall()
      try {
        return method.apply(this, parameters)
      } finally {
        safepoint.endCall()
      }
    }
  }
}
