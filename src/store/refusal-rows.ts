import { all, first, run, type Work } from './work.js'

/** Refusals of one minute with the same fingerprint. */
export interface RefusalRow {
  /** Minutes since 1970. */
  readonly minute: number
  /** JSON of their common fields. */
  readonly fingerprint: string
  readonly times: number
}

/** Counts a refusal. @returns the number of its fingerprint in its minute, this one included */
export function* countRefusal({
  minute,
  fingerprint,
}: Pick<RefusalRow, 'minute' | 'fingerprint'>): Work<number> {
  const sql = `INSERT INTO refusals (minute, likeness, times) VALUES (@minute, @fingerprint, 1)
    ON CONFLICT (minute, likeness) DO UPDATE SET times = refusals.times + 1 RETURNING times`
  return (yield* first<{ times: number }>(sql, { minute, fingerprint }))?.times ?? 0
}

/** Whether its minute has a refusal of the same fingerprint. */
export function* hasRefusal({
  minute,
  fingerprint,
}: Pick<RefusalRow, 'minute' | 'fingerprint'>): Work<boolean> {
  const sql = 'SELECT 1 FROM refusals WHERE minute = @minute AND likeness = @fingerprint'
  return (yield* first(sql, { minute, fingerprint })) !== undefined
}

/** Number of fingerprints of a minute. */
export function* countFingerprints(minute: number): Work<number> {
  const sql = 'SELECT count(*) AS count FROM refusals WHERE minute = @minute'
  return (yield* first<{ count: number }>(sql, { minute }))?.count ?? 0
}

/** The counts of all minutes before this one, oldest first. */
export function listRefusalsBefore(minute: number): Work<RefusalRow[]> {
  const sql = `SELECT minute, likeness AS fingerprint, times FROM refusals WHERE minute < @minute
    ORDER BY minute, likeness`
  return all<RefusalRow>(sql, { minute })
}

/** Deletes the counts of all minutes before this one. */
export function* deleteRefusalsBefore(minute: number): Work<void> {
  yield* run('DELETE FROM refusals WHERE minute < @minute', { minute })
}
