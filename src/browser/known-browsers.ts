import { strict as assert } from 'node:assert'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createRandomText } from '../auth/secret.js'
import { SESSION_MS } from '../auth/sessions.js'
import type { EpochMs } from '../instant.js'
import { browserKeyOf, findOperatorByName, provideBrowserKey } from '../store/operator-rows.js'
import type { Work } from '../store/work.js'
import { cookieValue, setCookieValue } from './cookies.js'

/** How long a browser is known after a sign-in: half a year, for occasional users. */
export const KNOWN_BROWSER_MS = 15_552_000_000

assert(SESSION_MS < KNOWN_BROWSER_MS, 'a browser is known when its session is over')

/** The operator's id is appended: several operators may sign in from one browser. */
const COOKIE = 'kontor-known-'

/** The content of a cookie: its expiry in epoch ms, 256 random bits, and their HMAC. */
const VALUE = /^(\d{1,15})_([-\w]{43})_([-\w]{43})$/

/**
 * Browsers in which an operator has signed in, recognized by a signed cookie. The cookie grants
 * nothing: the password is still required, but failures of unknown browsers with that name do not
 * delay a browser that sends it. Its key is the operator's, has no other use and is replaced with
 * the password; so a cookie ends with the password it was issued for.
 */
export class KnownBrowsers {
  /** @param isSecure whether browsers reach the service over https */
  constructor(
    private readonly clock: () => EpochMs,
    private readonly isSecure: () => boolean,
  ) {}

  /**
   * Issues a cookie for an operator who has signed in, in the transaction of the session.
   * @returns the Set-Cookie value
   */
  *remember(operatorId: number): Work<string> {
    const key = yield* provideBrowserKey(operatorId)
    const content = `${this.clock() + KNOWN_BROWSER_MS}_${createRandomText()}`
    const value = `${content}_${signatureOf(key, content)}`
    const cookie = { name: nameFor(operatorId), value, maxAgeSeconds: KNOWN_BROWSER_MS / 1000 }
    return setCookieValue(cookie, this.isSecure())
  }

  /**
   * The known browser of a request, among those that have signed in with the name.
   * @param name in NFC
   * @param cookies the Cookie field of the request
   * @returns text that no other browser has; undefined for unknown ones: without a cookie, or with
   *   one that is forged, another operator's, expired, or older than the password
   */
  *find(name: string, cookies: string): Work<string | undefined> {
    const operator = yield* findOperatorByName(name)
    if (operator === undefined) return undefined
    const value = cookieValue(cookies, nameFor(operator.id), this.isSecure())
    const [, expiresAt = '', random = '', signature = ''] = VALUE.exec(value ?? '') ?? []
    const key = yield* browserKeyOf(operator.id)
    if (random === '' || key === undefined || this.clock() >= Number(expiresAt)) return undefined
    const expected = Buffer.from(signatureOf(key, `${expiresAt}_${random}`))
    return timingSafeEqual(Buffer.from(signature), expected) ? random : undefined
  }
}

function nameFor(operatorId: number): string {
  return `${COOKIE}${operatorId}`
}

/** @returns 43 characters */
function signatureOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64url')
}
