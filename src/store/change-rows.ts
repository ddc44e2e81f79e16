import { lastSequence } from './sequence.js'
import type { Connection } from './sqlite-driver.js'

/** Writes to a file since some version of it. */
export interface Changes {
  /**
   * The logged changes of transactions, in order, {@link LOGGED_NUMBERS} each: sequence, id, and the
   * account before and after the change; 0 = there was no such transaction.
   */
  readonly logged: Float64Array
  /** Ids of the transactions that were inserted, updated or deleted, descending, each once. */
  readonly transactionIds: Float64Array
  /** Number of them that still exist. */
  readonly presentCount: number
}

/** Numbers of one change in {@link Changes}. */
export const LOGGED_NUMBERS = 4

/** Ids of the transactions that were written after a sequence, each once. */
export const CHANGED_IDS = `SELECT DISTINCT entity_id FROM changes
  WHERE sequence > ? AND entity = 'transaction'`

/**
 * Transactions that were written since, or undefined when the change log is incomplete: `changes`
 * was trimmed or altered.
 * @param sequence of an earlier version of this file
 * @throws SQLite's error
 */
export function changesSince(connection: Connection, sequence: number): Changes | undefined {
  const count = lastSequence(connection) - sequence
  const numbers = new Float64Array(count * LOGGED_NUMBERS)
  const sql = `SELECT sequence, entity_id, coalesce(account_before, 0), coalesce(account_after, 0),
      entity = 'transaction' FROM changes WHERE sequence > ? ORDER BY sequence`
  let seen = 0
  let end = 0
  for (const row of connection.prepare(sql).raw().iterate(sequence) as Iterable<number[]>) {
    seen += 1
    if (row[LOGGED_NUMBERS] !== 1) continue
    // One by one: `set` would take half as long again.
    for (let i = 0; i < LOGGED_NUMBERS; i++) numbers[end++] = row[i]!
  }
  if (seen !== count) return undefined
  const logged = numbers.subarray(0, end)
  const present = `SELECT count(*) AS count FROM transactions WHERE id IN (${CHANGED_IDS})`
  const { count: presentCount } = connection.prepare(present).get(sequence) as { count: number }
  return { logged, transactionIds: idsIn(logged), presentCount }
}

/** The ids of logged changes, descending, each once. */
function idsIn(logged: Float64Array): Float64Array {
  const ids = new Float64Array(logged.length / LOGGED_NUMBERS)
  for (let i = 0; i < ids.length; i++) ids[i] = logged[i * LOGGED_NUMBERS + 1]!
  ids.sort().reverse()
  return ids.filter((id, i) => id !== ids[i - 1])
}
