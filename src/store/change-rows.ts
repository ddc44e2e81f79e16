import { lastSequence } from './sequence.js'
import type { Connection } from './sqlite-driver.js'

/** Writes to a file since some version of it. */
export interface Changes {
  /** Ids of the transactions that were inserted, updated or deleted, descending, each once. */
  readonly transactionIds: Float64Array
  /** Number of them that still exist. */
  readonly presentCount: number
}

/** Numbers of one change in the result of {@link loggedChanges}. */
export const LOGGED_NUMBERS = 4

const LOGGED = "FROM changes WHERE sequence > ? AND entity = 'transaction'"

/** Ids of the transactions that were written after a sequence, each once. */
export const CHANGED_IDS = `SELECT DISTINCT entity_id ${LOGGED}`

/**
 * Transactions that were written since, or undefined when the change log is incomplete: `changes`
 * was trimmed or altered.
 * @param sequence of an earlier version of this file
 * @throws SQLite's error
 */
export function changesSince(connection: Connection, sequence: number): Changes | undefined {
  const count = countOf(connection, 'FROM changes WHERE sequence > ?', sequence)
  if (count !== lastSequence(connection) - sequence) return undefined
  const ids = connection.prepare(`${CHANGED_IDS} ORDER BY entity_id DESC`).pluck()
  return {
    transactionIds: Float64Array.from(ids.all(sequence) as number[]),
    presentCount: countOf(connection, `FROM transactions WHERE id IN (${CHANGED_IDS})`, sequence),
  }
}

/**
 * The logged changes of transactions after a sequence, in order, four numbers each: sequence, id,
 * and the account before and after the change; 0 = there was no such transaction.
 * @throws SQLite's error
 */
export function loggedChanges(connection: Connection, after: number): Float64Array {
  const numbers = new Float64Array(countOf(connection, LOGGED, after) * LOGGED_NUMBERS)
  const sql = `SELECT sequence, entity_id, coalesce(account_before, 0), coalesce(account_after, 0)
    ${LOGGED} ORDER BY sequence`
  let end = 0
  for (const row of connection.prepare(sql).raw().iterate(after) as Iterable<number[]>) {
    // One by one: `set` would take half as long again.
    for (let i = 0; i < LOGGED_NUMBERS; i++) numbers[end++] = row[i]!
  }
  return numbers
}

function countOf(connection: Connection, from: string, sequence: number): number {
  const row = connection.prepare(`SELECT count(*) AS count ${from}`).get(sequence)
  return (row as { readonly count: number }).count
}
