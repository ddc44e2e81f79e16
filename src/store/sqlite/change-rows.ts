import { LOGGED_NUMBERS } from '../workspace.js'
import { lastSequence } from './sequence.js'
import type { Connection } from './sqlite-driver.js'

const LOGGED = "FROM changes WHERE sequence > ? AND entity = 'transaction'"

/** Ids of the transactions that were written after a sequence, each once. */
export const CHANGED_IDS = `SELECT DISTINCT entity_id ${LOGGED}`

/**
 * Ids of the transactions that were inserted, updated or deleted since, descending, each once;
 * undefined when the change log is incomplete: `changes` was trimmed or altered.
 * @param sequence of an earlier version of this file
 * @throws SQLite's error
 */
export function changedIdsSince(
  connection: Connection,
  sequence: number,
): Float64Array | undefined {
  const count = connection.prepare('SELECT count(*) FROM changes WHERE sequence > ?').pluck()
  if (count.get(sequence) !== lastSequence(connection) - sequence) return undefined
  const ids = connection.prepare(`${CHANGED_IDS} ORDER BY entity_id DESC`).pluck()
  return Float64Array.from(ids.all(sequence) as number[])
}

/** Changes that are read at once: one at a time, they take half as long again. */
const BATCH = 10_000

/**
 * The logged changes of transactions after a sequence, in order, four numbers each: sequence, id,
 * and the account before and after the change; 0 = there was no such transaction.
 * @throws SQLite's error
 */
export function loggedChanges(connection: Connection, after: number): Float64Array {
  const last = lastSequence(connection)
  const numbers = new Float64Array((last - after) * LOGGED_NUMBERS)
  const sql = `SELECT sequence, entity_id, coalesce(account_before, 0), coalesce(account_after, 0)
    ${LOGGED} AND sequence <= ? ORDER BY sequence`
  const rows = connection.prepare(sql).raw()
  let end = 0
  for (let from = after; from < last; from += BATCH) {
    for (const row of rows.all(from, from + BATCH) as number[][]) {
      // One by one: `set` would take half as long again.
      for (let i = 0; i < LOGGED_NUMBERS; i++) numbers[end++] = row[i]!
    }
  }
  return numbers.subarray(0, end)
}
