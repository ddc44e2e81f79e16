import { StoreError } from '../store-error.js'
import type { PostgresConnection } from './connect.js'
import { CONTROL_TABLES } from './control-tables.js'
import { STANDBY } from './faults.js'
import { WORKSPACE_TABLES } from './workspace-tables.js'

/** Introduced ON DELETE SET NULL of single columns, and views with privileges of their reader. */
const SERVER_VERSION_MIN = 15

/** Advisory lock of a migration: the letters of "kontor" in ASCII. */
const MIGRATION_LOCK = 0x6b_6f_6e_74_6f_72

/** One step of the schema. A step that has been released is never edited. */
export interface MigrationStep {
  readonly sql: string
  /**
   * The oldest program that works with the schema after this step, as `0.3.0`, because nodes of the
   * previous version run until they are restarted one by one.
   */
  readonly leastProgram: string
}

/** Steps of the schema: step n brings a database from version n to n + 1. */
export const MIGRATIONS: readonly MigrationStep[] = [
  { sql: WORKSPACE_TABLES + CONTROL_TABLES, leastProgram: '0.3.0' },
]

const LEDGER = `
  CREATE SCHEMA IF NOT EXISTS kontor_control;
  CREATE TABLE IF NOT EXISTS kontor_control.migrations (
    version INTEGER PRIMARY KEY,
    least_program TEXT NOT NULL,
    program TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
  )`

/** An applied step. */
interface Taken {
  version: number
  leastProgram: string
}

/**
 * Migrates the schema in one transaction. If several programs start at once, one of them does so.
 * @param program its version, as `0.3.0`
 * @throws StoreError when the server is too old, or the schema too new for the program
 */
export async function migrate(
  connection: PostgresConnection,
  program: string,
  steps = MIGRATIONS,
): Promise<void> {
  const { place } = connection
  await refuseServer(connection)
  if (isReady(place, await stepsTaken(connection), { program, steps })) return
  await connection.atomically(async () => {
    // The migration of another program may take longer than the usual limit for locks.
    await connection.query('SET LOCAL lock_timeout = 0')
    await connection.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await connection.query('SET LOCAL lock_timeout TO DEFAULT')
    const taken = await stepsTaken(connection)
    if (isReady(place, taken, { program, steps })) return
    await connection.query(LEDGER)
    for (const [i, { sql, leastProgram }] of steps.entries()) {
      if (i < taken.length) continue
      await connection.query(sql)
      const insert = `INSERT INTO kontor_control.migrations (version, least_program, program)
        VALUES ($1, $2, $3)`
      await connection.query(insert, [i + 1, leastProgram, program])
    }
  })
}

async function refuseServer(connection: PostgresConnection): Promise<void> {
  const [server] = await connection.query<ServerState>(
    `SELECT current_setting('server_version') AS version, getdatabaseencoding() AS encoding,
      pg_is_in_recovery() AS "isStandby"`,
  )
  if (server === undefined) return
  const fault = faultOfServer(server)
  if (fault !== undefined) throw new StoreError(`${connection.place}: ${fault}`)
}

/** A server, and one of its databases. */
interface ServerState {
  /** As `15.18 (Debian 15.18-0+deb12u1)`. */
  readonly version: string
  readonly encoding: string
  readonly isStandby: boolean
}

/** Why a database cannot be used, as a sentence; undefined = it can. */
export function faultOfServer({ version, encoding, isStandby }: ServerState): string | undefined {
  if (Number.parseInt(version, 10) < SERVER_VERSION_MIN) {
    return `PostgreSQL ${version} is too old; use ${SERVER_VERSION_MIN} or newer`
  }
  if (isStandby) return STANDBY
  if (encoding === 'UTF8') return undefined
  return `the encoding of the database is ${encoding}; create one with the encoding UTF8`
}

/** The applied steps, in order. */
async function stepsTaken(connection: PostgresConnection): Promise<Taken[]> {
  const [ledger] = await connection.query<{ isThere: boolean }>(
    `SELECT to_regclass('kontor_control.migrations') IS NOT NULL AS "isThere"`,
  )
  if (ledger?.isThere !== true) return []
  return connection.query<Taken>(`SELECT version, least_program AS "leastProgram"
    FROM kontor_control.migrations ORDER BY version`)
}

/**
 * Whether all steps have been applied.
 * @throws StoreError when a newer program has applied a step that this one does not support
 */
function isReady(
  place: string,
  taken: readonly Taken[],
  { program, steps }: { readonly program: string; readonly steps: readonly MigrationStep[] },
): boolean {
  for (const { version, leastProgram } of taken.slice(steps.length)) {
    if (!isOlder(program, leastProgram)) continue
    throw new StoreError(
      `${place}: its schema version ${version} is newer than the newest supported one ` +
        `(${steps.length}); use kontor ${leastProgram} or newer`,
    )
  }
  return taken.length >= steps.length
}

/** Whether a version of the program is older than another; suffixes after a hyphen are ignored. */
function isOlder(version: string, other: string): boolean {
  const numbers = (text: string): number[] => (text.split('-')[0] ?? '').split('.').map(Number)
  const [one, two] = [numbers(version), numbers(other)]
  const differing = [0, 1, 2].find((i) => one[i] !== two[i])
  return differing !== undefined && (one[differing] ?? 0) < (two[differing] ?? 0)
}
