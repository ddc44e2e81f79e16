// The rows of `kontor_control.nodes`: which nodes live, and what each has heard
// (docs/internals/postgres-nodes.md, "A node says that it lives before it believes").
import type { NodeState } from '../../domain/nodes.js'
import { PostgresConnection } from './connect.js'

/**
 * How long a node believes what it hears after its last row at most: rows are written each second,
 * so this is two that failed.
 */
export const ROW_LASTS_MS = 3_000

/** Up to this age, what a node has heard is the present, even if nothing older is believed. */
const PRESENT_MS_MAX = 2_000

/**
 * How long after its row a node may act upon what it knew.
 * @param offlineMs how long nodes believe what they knew while the database is away
 */
export function trustMsOf(offlineMs: number): number {
  return Math.max(PRESENT_MS_MAX, offlineMs) + ROW_LASTS_MS
}

/** Rows of nodes are removed so long after nothing is believed any more. */
const SILENT_MS_MAX = 86_400_000

/** Present milliseconds of the database, whole. */
export const DATABASE_MS = 'trunc(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT'

/** All nodes, by their ids. @throws StoreError */
export function listNodes(connection: PostgresConnection): Promise<NodeState[]> {
  return connection.query<NodeState>(`SELECT id, heard, ${DATABASE_MS} - heard AS "ageMs",
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
 * Removes the rows of nodes that have ended without a word: a day after the end of their trust.
 * @returns their ids
 * @throws StoreError
 */
export async function removeSilentNodes(connection: PostgresConnection): Promise<string[]> {
  const sql = `DELETE FROM kontor_control.nodes
    WHERE heard + trusted_ms < ${DATABASE_MS} - ${SILENT_MS_MAX} RETURNING id`
  const rows = await connection.query<{ id: string }>(sql)
  return rows.map(({ id }) => id)
}
