import {
  beginSession,
  endSession,
  endSessionsOf,
  findSession,
  SESSION_MS,
} from '../auth/sessions.js'
import type { NamedCredential } from '../http/engine/exchange.js'
import type { EpochMs } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import type { Work } from '../store/work.js'
import { cookieValue, setCookieValue } from './cookies.js'

/** An operator who has signed in, in one browser. */
export interface Session {
  /** The value of the browser's cookie; forms are tied to it. Never shown, never logged. */
  readonly token: string
  readonly operatorId: number
  readonly operatorName: string
  /** The moment of the sign-in. */
  readonly beganAtMs: EpochMs
}

/** The operator in the access log: by id, for a name is a person's. */
export function credentialOf({ operatorId }: Session): NamedCredential {
  return { credentialId: `operator:${operatorId}` }
}

const SESSION_COOKIE = 'kontor-session'

/** The sessions of browsers, identified by a cookie. */
export class Sessions {
  /** @param isSecure whether browsers reach the service over https */
  constructor(
    private readonly control: ControlStore,
    private readonly clock: () => EpochMs,
    private readonly isSecure: () => boolean,
  ) {}

  /** The session of a request. @param cookies its Cookie field, `''` when there is none */
  find(cookies: string): Session | undefined | Promise<Session | undefined> {
    if (this.#tokenOf(cookies) === undefined) return undefined
    return this.control.look(() => this.current(cookies))
  }

  /** The same as a part of other work. */
  *current(cookies: string): Work<Session | undefined> {
    const token = this.#tokenOf(cookies)
    if (token === undefined) return undefined
    const found = yield* findSession(token, this.clock())
    if (found === undefined) return undefined
    const { operatorId, operatorName, createdAt } = found
    return { token, operatorId, operatorName, beganAtMs: createdAt }
  }

  /**
   * Begins a session under a new token and ends the browser's previous one: a token known to an
   * attacker before the sign-in is worthless after it.
   * @returns the Set-Cookie value
   */
  *begin(operatorId: number, cookies: string): Work<string> {
    const earlier = this.#tokenOf(cookies)
    if (earlier !== undefined) yield* endSession(earlier)
    const { token } = yield* beginSession(operatorId, this.clock())
    const cookie = { name: SESSION_COOKIE, value: token, maxAgeSeconds: SESSION_MS / 1000 }
    return setCookieValue(cookie, this.isSecure())
  }

  /** Ends a session. @returns the Set-Cookie value */
  *end({ token }: Session): Work<string> {
    yield* endSession(token)
    return setCookieValue({ name: SESSION_COOKIE, value: '' }, this.isSecure())
  }

  /** Ends every session of this one's operator. @returns how many, and the Set-Cookie value */
  *endAll({ operatorId }: Session): Work<{ readonly count: number; readonly cookie: string }> {
    const count = yield* endSessionsOf(operatorId)
    const cookie = setCookieValue({ name: SESSION_COOKIE, value: '' }, this.isSecure())
    return { count, cookie }
  }

  #tokenOf(cookies: string): string | undefined {
    return cookieValue(cookies, SESSION_COOKIE, this.isSecure())
  }
}
