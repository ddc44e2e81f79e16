import type { EpochMs } from '../instant.js'
import {
  deleteSession,
  deleteSessionsOf,
  findOpenSession,
  insertSession,
  type OpenSession,
} from '../store/session-rows.js'
import type { ControlFile } from '../store/sqlite/control-file.js'
import { createRandomText, hashOfSecret } from './secret.js'

/** Life of an operator's session: a working day (dashboard and consent alike). */
export const SESSION_MS = 43_200_000

/** A new session: the token for the browser, and its expiry. */
export interface BegunSession {
  /** For the cookie; only its hash is stored. */
  readonly token: string
  readonly expiresAtMs: EpochMs
}

/** Begins a session of an operator after signing in. */
export function beginSession(
  control: ControlFile,
  operatorId: number,
  nowMs: EpochMs,
): BegunSession {
  const token = createRandomText()
  const expiresAtMs = nowMs + SESSION_MS
  const hash = hashOfSecret(token)
  insertSession(control, { hash, operatorId, createdAt: nowMs, expiresAt: expiresAtMs })
  return { token, expiresAtMs }
}

/** The session of a browser's token, or undefined when it is unknown, ended or expired. */
export function findSession(
  control: ControlFile,
  token: string,
  nowMs: EpochMs,
): OpenSession | undefined {
  return findOpenSession(control, hashOfSecret(token), nowMs)
}

/** Ends a session. @returns whether there was one */
export function endSession(control: ControlFile, token: string): boolean {
  return deleteSession(control, hashOfSecret(token))
}

/** Ends all sessions of an operator, in all browsers. @returns how many there were */
export function endSessionsOf(control: ControlFile, operatorId: number): number {
  return deleteSessionsOf(control, operatorId)
}
