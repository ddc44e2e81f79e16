import type { EpochMs } from '../instant.js'
import { GRANT_EXPIRY } from './grant-rows.js'
import { first, run, type Work } from './work.js'

/** How long a failed sign-in is remembered. */
export const ATTEMPT_MEMORY_MS = 3_600_000

const SWEPT = [
  ['tokens', 'grant_id, generation'],
  ['grants', 'id'],
  ['sessions', 'hash'],
] as const

type SweptTable = (typeof SWEPT)[number][0]

/** Whether there are rows to sweep: there are mostly none, and every connection notices a write. */
export function* hasExpired(nowMs: EpochMs): Work<boolean> {
  for (const [table] of SWEPT) if (yield* hasExpiredIn(table, nowMs)) return true
  return yield* hasOldAttempts(nowMs)
}

/**
 * Removes expired rows: tokens, families (codes go with them), sessions, and failed sign-ins.
 * A used token stays until it would have expired, so that its second use is noticed.
 * @param rowsMax of each kind
 * @returns the number of rows that were removed, or whose expiry was extended
 */
export function* sweepExpired(nowMs: EpochMs, rowsMax: number): Work<number> {
  let sum = 0
  for (const [table, key] of SWEPT) {
    if (!(yield* hasExpiredIn(table, nowMs))) continue
    const count = table === 'grants' ? yield* prolongGrants(nowMs, rowsMax) : 0
    const sql = `DELETE FROM ${table} WHERE (${key}) IN
      (SELECT ${key} FROM ${table} WHERE expires_at <= @nowMs LIMIT @rowsMax)`
    sum += count + (yield* run(sql, { nowMs, rowsMax: rowsMax - count }))
  }
  return sum + (yield* sweepAttempts(nowMs, rowsMax))
}

function* hasOldAttempts(nowMs: EpochMs): Work<boolean> {
  const sql = 'SELECT 1 FROM attempts WHERE last_at <= @until LIMIT 1'
  return (yield* first(sql, { until: nowMs - ATTEMPT_MEMORY_MS })) !== undefined
}

function* sweepAttempts(nowMs: EpochMs, rowsMax: number): Work<number> {
  if (!(yield* hasOldAttempts(nowMs))) return 0
  const sql = `DELETE FROM attempts WHERE (kind, key) IN
    (SELECT kind, key FROM attempts WHERE last_at <= @until LIMIT @rowsMax)`
  return yield* run(sql, { until: nowMs - ATTEMPT_MEMORY_MS, rowsMax })
}

function* hasExpiredIn(table: SweptTable, nowMs: EpochMs): Work<boolean> {
  const sql = `SELECT 1 FROM ${table} WHERE expires_at <= @nowMs LIMIT 1`
  return (yield* first(sql, { nowMs })) !== undefined
}

/** Updates the expiry of families that were refreshed. @returns how many */
function prolongGrants(nowMs: EpochMs, rowsMax: number): Work<number> {
  const sql = `UPDATE grants AS g SET expires_at = ${GRANT_EXPIRY} WHERE id IN
      (SELECT id FROM grants WHERE expires_at <= @nowMs LIMIT @rowsMax)
    AND ${GRANT_EXPIRY} > @nowMs`
  return run(sql, { nowMs, rowsMax })
}
