import type { EpochMs } from '../instant.js'
import { GRANT_EXPIRY } from './grant-rows.js'
import type { ControlFile } from './sqlite/control-file.js'

/**
 * Removes expired rows: tokens, families (codes go with them), and sessions.
 * A used token stays until it would have expired, so that its second use is noticed.
 * @param rowsMax of each kind
 * @returns the number of rows that were removed, or whose expiry was extended
 */
export function sweepExpired(control: ControlFile, nowMs: EpochMs, rowsMax: number): number {
  const counts = SWEPT.map(([table, key]) => {
    const expired = `SELECT ${key} FROM ${table} WHERE expires_at <= ? LIMIT ?`
    // Read first: there is mostly nothing, and every connection notices a write.
    if (control.first(expired, nowMs, 1) === undefined) return 0
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (${expired})`
    return control.atomically(() => {
      const count = table === 'grants' ? prolongGrants(control, nowMs, rowsMax) : 0
      return count + control.run(sql, nowMs, rowsMax - count).changes
    })
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Updates the expiry of families that were refreshed. @returns how many */
function prolongGrants(control: ControlFile, nowMs: EpochMs, rowsMax: number): number {
  const sql = `UPDATE grants AS g SET expires_at = ${GRANT_EXPIRY} WHERE id IN
      (SELECT id FROM grants WHERE expires_at <= @nowMs LIMIT @rowsMax)
    AND ${GRANT_EXPIRY} > @nowMs`
  return control.run(sql, { nowMs, rowsMax }).changes
}

const SWEPT = [
  ['tokens', 'grant_id, generation'],
  ['grants', 'id'],
  ['sessions', 'hash'],
] as const
