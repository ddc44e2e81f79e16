import type { PostgresConnection } from './connect.js'

/** Rows that one statement removes: some tenths of a second. */
const REMOVE_STEP = 10_000

/** Tables with as many rows as a workspace has transactions; the others follow its row. */
const LARGE_TABLES = ['transactions', 'statement_entries', 'statements', 'changes', 'deleted_ids']

/** How rows are removed. */
interface RemoveOptions {
  /** Rows removed by one statement. */
  readonly step?: number
  /** Ends the work after a step; the next call goes on with what is left. */
  readonly signal?: AbortSignal
}

/**
 * Removes the rows of workspaces that were deleted: those without an id, which nothing finds any
 * more. In steps, each a transaction of its own; several processes may be at it at once.
 * @throws StoreError; what is left then is removed by the next call
 */
export async function removeDeletedWorkspaces(
  connection: PostgresConnection,
  { step = REMOVE_STEP, signal }: RemoveOptions = {},
): Promise<void> {
  const sql = 'SELECT no FROM kontor.workspaces WHERE id IS NULL ORDER BY no'
  for (const { no } of await connection.query<{ no: number }>(sql)) {
    for (const table of LARGE_TABLES) {
      while ((await removeSome(connection, table, no, step)) > 0) if (signal?.aborted) return
    }
    await connection.query('DELETE FROM kontor.workspaces WHERE no = $1 AND id IS NULL', [no])
  }
}

/** @returns the number of removed rows; 0 = none is left, or another process removes the last */
async function removeSome(
  connection: PostgresConnection,
  table: string,
  no: number,
  step: number,
): Promise<number> {
  const sql = `WITH removed AS (DELETE FROM kontor.${table} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM kontor.${table} WHERE workspace = $1 LIMIT $2)) RETURNING 1)
    SELECT count(*) AS count FROM removed`
  const [removed] = await connection.query<{ count: number }>(sql, [no, step])
  return removed?.count ?? 0
}
