import type { EpochMs } from '../instant.js'
import { first, run, type Work } from './work.js'

/** A browser in which an operator has signed in. */
export interface SessionRow {
  /** SHA-256 of the session token, 32 bytes. */
  hash: Buffer
  operatorId: number
  createdAt: EpochMs
  expiresAt: EpochMs
}

export function* insertSession(row: SessionRow): Work<void> {
  const sql = `INSERT INTO sessions (hash, operator_id, created_at, expires_at)
    VALUES (@hash, @operatorId, @createdAt, @expiresAt)`
  yield* run(sql, { ...row })
}

/** A session that has not expired, with its operator. */
export interface OpenSession extends SessionRow {
  operatorName: string
}

export function findOpenSession(hash: Buffer, nowMs: EpochMs): Work<OpenSession | undefined> {
  const sql = `SELECT s.hash, s.operator_id AS "operatorId", s.created_at AS "createdAt",
    s.expires_at AS "expiresAt", o.name AS "operatorName"
    FROM sessions s JOIN operators o ON o.id = s.operator_id
    WHERE s.hash = @hash AND s.expires_at > @nowMs`
  return first<OpenSession>(sql, { hash, nowMs })
}

/** @returns whether there was one */
export function* deleteSession(hash: Buffer): Work<boolean> {
  return (yield* run('DELETE FROM sessions WHERE hash = @hash', { hash })) > 0
}

/** Deletes the sessions of an operator. @returns their number, expired ones included */
export function deleteSessionsOf(operatorId: number): Work<number> {
  return run('DELETE FROM sessions WHERE operator_id = @operatorId', { operatorId })
}
