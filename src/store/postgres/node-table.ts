// The rows of `kontor_control.nodes`: the heartbeat and lease of each node
// (docs/internals/postgres-nodes.md, "A node holds a lease").
import type { NodeState } from '../../domain/nodes.js'
import { PostgresConnection } from './connect.js'

/**
 * How long after its last heartbeat the polls of a node count. Heartbeats are a second apart, so
 * two may fail.
 */
export const ROW_LASTS_MS = 3_000

/** Up to this age, a poll counts as current, whatever `--offline` is. */
const PRESENT_MS_MAX = 2_000

/**
 * Duration of a lease: how long after its heartbeat a node may use the control data it has.
 * @param offlineMs how long the node answers from memory without the database
 */
export function trustMsOf(offlineMs: number): number {
  return Math.max(PRESENT_MS_MAX, offlineMs) + ROW_LASTS_MS
}

/** Rows are removed so long after the lease of their node has ended. */
const SILENT_MS_MAX = 86_400_000

/** SQL of the database's present time, in whole milliseconds. */
export const DATABASE_MS = 'trunc(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT'

/** All nodes, by their ids, with their ages at one moment. @throws StoreError */
export function listNodes(connection: PostgresConnection): Promise<NodeState[]> {
  return connection.query<NodeState>(`SELECT id, heard, (SELECT ${DATABASE_MS}) - heard AS "ageMs",
      control_version AS "controlVersion",
      (SELECT control FROM kontor_control.versions) AS "newestVersion", residents, bytes, program
    FROM kontor_control.nodes ORDER BY id`)
}

/** How long a page or a command waits for the list. */
const LIST_MS_MAX = 10_000

/** The nodes of a database, by its URL. @throws StoreError */
export async function listNodesAt(url: string): Promise<NodeState[]> {
  const connection = await PostgresConnection.open(url, {
    applicationName: 'kontor nodes',
    answerMsMax: LIST_MS_MAX,
  })
  try {
    return await listNodes(connection)
  } finally {
    await connection.close()
  }
}

/**
 * Removes the rows of nodes whose lease ended a day ago: their processes were killed.
 * @returns their ids
 * @throws StoreError
 */
export async function removeSilentNodes(connection: PostgresConnection): Promise<string[]> {
  const sql = `DELETE FROM kontor_control.nodes
    WHERE heard + trusted_ms < ${DATABASE_MS} - ${SILENT_MS_MAX} RETURNING id`
  const rows = await connection.query<{ id: string }>(sql)
  return rows.map(({ id }) => id)
}
