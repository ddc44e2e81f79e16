import type { ControlFile } from './sqlite/control-file.js'

/** Refusals of one minute with the same fingerprint. */
export interface RefusalRow {
  /** Minutes since 1970. */
  readonly minute: number
  /** JSON of their common fields. */
  readonly fingerprint: string
  readonly times: number
}

/** Counts a refusal. @returns the number of its fingerprint in its minute, this one included */
export function countRefusal(
  control: ControlFile,
  { minute, fingerprint }: Pick<RefusalRow, 'minute' | 'fingerprint'>,
): number {
  const sql = `INSERT INTO refusals (minute, likeness, times) VALUES (?, ?, 1)
    ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times`
  return control.first<{ times: number }>(sql, minute, fingerprint)?.times ?? 0
}

/** Whether its minute has a refusal of the same fingerprint. */
export function hasRefusal(
  control: ControlFile,
  { minute, fingerprint }: Pick<RefusalRow, 'minute' | 'fingerprint'>,
): boolean {
  const sql = 'SELECT 1 FROM refusals WHERE minute = ? AND likeness = ?'
  return control.first(sql, minute, fingerprint) !== undefined
}

/** Number of fingerprints of a minute. */
export function countFingerprints(control: ControlFile, minute: number): number {
  const sql = 'SELECT count(*) AS count FROM refusals WHERE minute = ?'
  return control.first<{ count: number }>(sql, minute)?.count ?? 0
}

/** The counts of all minutes before this one, oldest first. */
export function listRefusalsBefore(control: ControlFile, minute: number): RefusalRow[] {
  const sql = `SELECT minute, likeness AS fingerprint, times FROM refusals WHERE minute < ?
    ORDER BY minute, likeness`
  return control.all<RefusalRow>(sql, minute)
}

/** Deletes the counts of all minutes before this one. */
export function deleteRefusalsBefore(control: ControlFile, minute: number): void {
  control.run('DELETE FROM refusals WHERE minute < ?', minute)
}
