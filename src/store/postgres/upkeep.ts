import { CHANGES_KEPT_MAX } from '../workspace-writer.js'
import { PostgresConnection } from './connect.js'

/** Held by the node that does the upkeep: the letters of "upkeep" in ASCII. */
const UPKEEP_LOCK = 0x75_70_6b_65_65_70

/** A step takes some tenths of a second. */
const OPTIONS = { applicationName: 'kontor upkeep', answerMsMax: 60_000 } as const

/** Changes deleted by one statement; a writer waits for it. */
const TRIM_STEP = 10_000

/**
 * Runs work on one node at a time. The lock belongs to a transaction, so it ends with the
 * connection and does not remain on a pooler's. The transaction has no snapshot, so it does not
 * hold back VACUUM. After a lost connection, or ten minutes, another node may start as well; the
 * work must consist of repeatable steps.
 * @param work is given a connection of its own, outside a transaction
 * @returns false = another node is doing it
 * @throws StoreError, and what `work` throws
 */
export async function doUpkeep(
  url: string,
  work: (connection: PostgresConnection) => Promise<void>,
): Promise<boolean> {
  const holder = await PostgresConnection.open(url, OPTIONS)
  try {
    return await holder.atomically(async () => {
      await holder.query("SET LOCAL idle_in_transaction_session_timeout = '10min'")
      // A statement with parameters would leave a portal open, and so keep its snapshot.
      const sql = `SELECT pg_try_advisory_xact_lock(${UPKEEP_LOCK}) AS "isHeld"`
      const [lock] = await holder.query<{ isHeld: boolean }>(sql)
      if (lock?.isHeld !== true) return false
      await workConnected(url, work)
      return true
    })
  } finally {
    await holder.close()
  }
}

async function workConnected(
  url: string,
  work: (connection: PostgresConnection) => Promise<void>,
): Promise<void> {
  const connection = await PostgresConnection.open(url, OPTIONS)
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}

/** How much of a log is kept. */
interface TrimOptions {
  readonly keptMax?: number
  /** Changes deleted by one statement. */
  readonly step?: number
  /** Ends the work after a step; the next call goes on with what is left. */
  readonly signal?: AbortSignal
}

/** Numbers have no gaps, so the first and the last one give the length of a log. */
const LONG_LOGS = `SELECT w.no FROM kontor.workspaces AS w CROSS JOIN LATERAL (
    SELECT min(sequence) AS first, max(sequence) AS last FROM kontor.changes
      WHERE workspace = w.no) AS c
  WHERE c.last - c.first >= $1::BIGINT ORDER BY w.no`

/** Locks the workspace without a notification, because its newest change stays the same. */
const TRIM = `WITH held AS (
    SELECT no FROM kontor.workspaces WHERE no = $1 FOR NO KEY UPDATE SKIP LOCKED),
  trimmed AS (DELETE FROM kontor.changes AS c USING held WHERE c.workspace = held.no
    AND c.sequence <= (SELECT max(sequence) FROM kontor.changes WHERE workspace = $1) - $2::BIGINT
    AND c.sequence < (SELECT min(sequence) FROM kontor.changes WHERE workspace = $1) + $3::BIGINT
    RETURNING 1)
  SELECT count(*) AS count FROM trimmed`

/**
 * Deletes the oldest changes of logs that are too long because of foreign writers; imports trim
 * their own. Skips a workspace that a writer holds.
 * @returns the number of deleted changes
 * @throws StoreError
 */
export async function trimChanges(
  connection: PostgresConnection,
  { keptMax = CHANGES_KEPT_MAX, step = TRIM_STEP, signal }: TrimOptions = {},
): Promise<number> {
  let sum = 0
  for (const { no } of await connection.query<{ no: number }>(LONG_LOGS, [keptMax])) {
    for (;;) {
      const [trimmed] = await connection.query<{ count: number }>(TRIM, [no, keptMax, step])
      if (trimmed === undefined || trimmed.count === 0) break
      sum += trimmed.count
      if (signal?.aborted) return sum
    }
  }
  return sum
}
