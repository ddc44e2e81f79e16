import { StoreUnavailableError } from '../store-error.js'
import type { WorkspaceVersion } from '../workspace.js'
import type { PostgresConnection, PostgresValue } from './connect.js'
import { explainFaults } from './faults.js'

/** A statement with a time limit in the client. */
export interface TimedStatement {
  /** Name of a prepared statement, parsed once per connection; absent = parsed each time. */
  readonly name?: string
  readonly text: string
  readonly values?: readonly PostgresValue[]
  /** Limit in the client, because a server that has vanished cancels nothing. */
  readonly msMax: number
}

/** Rows of a statement. @throws StoreError, StoreUnavailableError without an answer in time */
export async function queryInTime<Row extends object>(
  { client, place }: PostgresConnection,
  { msMax, values = [], ...statement }: TimedStatement,
): Promise<Row[]> {
  // The driver's types leave the time out.
  const config = { ...statement, values: [...values], query_timeout: msMax }
  return (await explainFaults(place, () => client.query<Row>(config))).rows
}

/** The state of a database that one statement reads. */
export interface HeardState {
  /** Counters of `kontor_control.versions`. */
  readonly control: number
  readonly mark: number
  readonly keys: number
  readonly keysRemoved: number
  readonly databaseMs: number
  /** Start time of the server: differs between two servers, and after a restart. */
  readonly server: string
  /** Versions of those requested workspaces that exist, by number. */
  readonly heads: ReadonlyMap<number, WorkspaceVersion>
}

interface StateRow extends Omit<HeardState, 'heads'> {
  readonly heads: readonly (readonly [number, string, number, number])[] | null
}

/** All versions in one JSON text, because the driver takes longer for a row than JSON.parse. */
const STATE = `SELECT control, mark, keys, keys_removed AS "keysRemoved",
    (extract(epoch FROM clock_timestamp()) * 1000)::FLOAT8 AS "databaseMs",
    extract(epoch FROM pg_postmaster_start_time())::TEXT AS server,
    (SELECT json_agg(json_build_array(w.no, w.uid, coalesce(c.sequence, 0), coalesce(c.mark, 0)))
      FROM kontor.workspaces AS w LEFT JOIN LATERAL (SELECT sequence, mark FROM kontor.changes
        WHERE workspace = w.no ORDER BY sequence DESC LIMIT 1) AS c ON TRUE
      WHERE w.no = ANY($1::INTEGER[]) AND w.id IS NOT NULL) AS heads
  FROM kontor_control.versions`

/**
 * Reads the versions of these workspaces and of control data, and the time.
 * @param nos numbers of workspaces
 * @throws StoreError, StoreUnavailableError
 */
export async function askState(
  connection: PostgresConnection,
  nos: readonly number[],
  msMax: number,
): Promise<HeardState> {
  const values = [`{${nos.join(',')}}`]
  const statement = { name: 'kontor_pulse', text: STATE, values, msMax }
  const [row] = await queryInTime<StateRow>(connection, statement)
  if (row === undefined) {
    throw new StoreUnavailableError(`${connection.place}: kontor_control.versions is empty`)
  }
  const heads = new Map<number, WorkspaceVersion>()
  for (const [no, uid, sequence, mark] of row.heads ?? []) heads.set(no, { uid, sequence, mark })
  return { ...row, heads }
}
