import type { EpochMs } from '../instant.js'
import {
  deleteSession,
  deleteSessionsOf,
  findOpenSession,
  insertSession,
  type OpenSession,
} from '../store/session-rows.js'
import type { Work } from '../store/work.js'
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
export function* beginSession(operatorId: number, nowMs: EpochMs): Work<BegunSession> {
  const token = createRandomText()
  const expiresAtMs = nowMs + SESSION_MS
  const hash = hashOfSecret(token)
  yield* insertSession({ hash, operatorId, createdAt: nowMs, expiresAt: expiresAtMs })
  return { token, expiresAtMs }
}

/** The session of a browser's token, or undefined when it is unknown, ended or expired. */
export function findSession(token: string, nowMs: EpochMs): Work<OpenSession | undefined> {
  return findOpenSession(hashOfSecret(token), nowMs)
}

/** Ends a session. @returns whether there was one */
export function endSession(token: string): Work<boolean> {
  return deleteSession(hashOfSecret(token))
}

/** Ends all sessions of an operator, in all browsers. @returns how many there were */
export function endSessionsOf(operatorId: number): Work<number> {
  return deleteSessionsOf(operatorId)
}
