import type { EpochMs } from '../instant.js'
import { all, first, run, type Work } from './work.js'

/** How attempts to sign in are counted: by name, by address, or by known browser. */
export type AttemptKind = 'name' | 'address' | 'browser'

/** Failed attempts of one name, address or browser. */
export interface AttemptRow {
  readonly kind: AttemptKind
  /** SHA-256 of the name, address or browser, 32 bytes. */
  readonly key: Buffer
  readonly failures: number
  /** Start of the last counted attempt. */
  readonly lastAt: EpochMs
}

/** Identifies a row. */
export type AttemptKey = Pick<AttemptRow, 'kind' | 'key'>

const SELECT_ATTEMPTS = 'SELECT kind, key, failures, last_at AS "lastAt" FROM attempts'

/** The failures of a key; undefined = there are none. */
export function findAttempts({ kind, key }: AttemptKey): Work<AttemptRow | undefined> {
  return first<AttemptRow>(`${SELECT_ATTEMPTS} WHERE kind = @kind AND key = @key`, { kind, key })
}

/** All rows. */
export function listAttempts(): Work<AttemptRow[]> {
  return all<AttemptRow>(`${SELECT_ATTEMPTS} ORDER BY kind, key`)
}

/**
 * The failures of a key, locked until the end of the transaction.
 * @param nowMs time of the row that is inserted if there is none
 */
export function* holdAttempts({ kind, key }: AttemptKey, nowMs: EpochMs): Work<AttemptRow> {
  // Inserts first, because a missing row cannot be locked.
  const sql = `INSERT INTO attempts (kind, key, failures, last_at) VALUES (@kind, @key, 0, @nowMs)
    ON CONFLICT (kind, key) DO UPDATE SET failures = attempts.failures
    RETURNING failures, last_at AS "lastAt"`
  const row = yield* first<Pick<AttemptRow, 'failures' | 'lastAt'>>(sql, { kind, key, nowMs })
  return { kind, key, failures: row?.failures ?? 0, lastAt: row?.lastAt ?? nowMs }
}

/** Replaces the count of a locked row. */
export function* updateAttempts({ kind, key, failures, lastAt }: AttemptRow): Work<void> {
  const sql = `UPDATE attempts SET failures = @failures, last_at = @lastAt
    WHERE kind = @kind AND key = @key`
  yield* run(sql, { kind, key, failures, lastAt })
}

/** Subtracts one failure. */
export function* discountAttempt({ kind, key }: AttemptKey): Work<void> {
  const sql = `UPDATE attempts SET failures = failures - 1
    WHERE kind = @kind AND key = @key AND failures > 0`
  yield* run(sql, { kind, key })
}

/** Deletes the failures of a key. */
export function* deleteAttempts({ kind, key }: AttemptKey): Work<void> {
  yield* run('DELETE FROM attempts WHERE kind = @kind AND key = @key', { kind, key })
}
