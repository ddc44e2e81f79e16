import type { EpochMs } from '../instant.js'
import { all, first, run, type Work } from './work.js'

/** The oldest rows of the audit log, which a trim removes. */
export interface OldestAuditRows {
  readonly rowCount: number
  /** Sequence of the last of them. */
  readonly last: number
  readonly firstAt: EpochMs
  readonly lastAt: EpochMs
  /** Number of rows per action, in the order of the actions' names. */
  readonly actions: Readonly<Record<string, number>>
}

/**
 * All rows before the first one of `beforeMs` or later, except rows that record a trim.
 * @returns undefined when there are none
 */
export function* oldestAuditRows(beforeMs: EpochMs): Work<OldestAuditRows | undefined> {
  const sql = `SELECT coalesce(min(sequence) - 1, (SELECT max(sequence) FROM audit)) AS last
    FROM audit WHERE at >= @beforeMs`
  const last = (yield* first<{ last: number | null }>(sql, { beforeMs }))?.last ?? 0
  const found = yield* all<{ action: string; count: number; firstAt: number; lastAt: number }>(
    `SELECT action, count(*) AS count, min(at) AS "firstAt", max(at) AS "lastAt" FROM audit
      WHERE sequence <= @last AND action <> 'audit.trim' GROUP BY action ORDER BY action`,
    { last },
  )
  if (found.length === 0) return undefined
  return {
    rowCount: found.reduce((sum, { count }) => sum + count, 0),
    last,
    firstAt: Math.min(...found.map(({ firstAt }) => firstAt)),
    lastAt: Math.max(...found.map(({ lastAt }) => lastAt)),
    actions: Object.fromEntries(found.map(({ action, count }) => [action, count])),
  }
}

/** Removes those rows; a trigger refuses it unless the newest row records it. */
export function* deleteOldestAuditRows(last: number): Work<void> {
  yield* run("DELETE FROM audit WHERE sequence <= @last AND action <> 'audit.trim'", { last })
}

/** Key of this file that signs the rows that record a trim, 32 bytes. */
export function* auditKey(): Work<Buffer> {
  const row = yield* first<{ key: Buffer }>('SELECT key FROM audit_key')
  if (row === undefined) throw new Error('every control.db has a key of its audit log')
  return row.key
}
