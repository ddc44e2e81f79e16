import type { EpochMs } from '../instant.js'
import type { ControlFile } from './sqlite/control-file.js'

/** A browser in which an operator has signed in. */
export interface SessionRow {
  /** SHA-256 of the session token, 32 bytes. */
  hash: Buffer
  operatorId: number
  createdAt: EpochMs
  expiresAt: EpochMs
}

export function insertSession(control: ControlFile, row: SessionRow): void {
  const sql = `INSERT INTO sessions (hash, operator_id, created_at, expires_at)
    VALUES (@hash, @operatorId, @createdAt, @expiresAt)`
  control.run(sql, row)
}

/** A session that has not expired, with its operator. */
export interface OpenSession extends SessionRow {
  operatorName: string
}

export function findOpenSession(
  control: ControlFile,
  hash: Buffer,
  nowMs: EpochMs,
): OpenSession | undefined {
  const sql = `SELECT s.hash, s.operator_id AS operatorId, s.created_at AS createdAt,
    s.expires_at AS expiresAt, o.name AS operatorName
    FROM sessions s JOIN operators o ON o.id = s.operator_id
    WHERE s.hash = ? AND s.expires_at > ?`
  return control.first<OpenSession>(sql, hash, nowMs)
}

/** @returns whether there was one */
export function deleteSession(control: ControlFile, hash: Buffer): boolean {
  return control.run('DELETE FROM sessions WHERE hash = ?', hash).changes > 0
}

/** Deletes the sessions of an operator. @returns their number, expired ones included */
export function deleteSessionsOf(control: ControlFile, operatorId: number): number {
  return control.run('DELETE FROM sessions WHERE operator_id = ?', operatorId).changes
}
