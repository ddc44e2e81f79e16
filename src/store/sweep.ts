import type { EpochMs } from '../instant.js'
import type { ControlFile } from './control-file.js'

/**
 * Removes what has expired: tokens, families of which nothing is valid any more (codes go with
 * them), and sessions. A used token stays until it would have expired, so that its second use is
 * noticed.
 * @param rowsMax of each kind
 * @returns how many rows were removed
 */
export function sweepExpired(control: ControlFile, nowMs: EpochMs, rowsMax: number): number {
  const counts = SWEPT.map(([table, key]) => {
    const expired = `SELECT ${key} FROM ${table} WHERE expires_at <= ? LIMIT ?`
    // Looked at first: there is mostly nothing, and a write is news to every connection.
    if (control.first(expired, nowMs, 1) === undefined) return 0
    const sql = `DELETE FROM ${table} WHERE ${key} IN (${expired})`
    return control.run(sql, nowMs, rowsMax).changes
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

const SWEPT = [
  ['tokens', 'hash'],
  ['grants', 'id'],
  ['sessions', 'hash'],
] as const
