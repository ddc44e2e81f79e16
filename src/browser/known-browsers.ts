import { createHmac, timingSafeEqual } from 'node:crypto'
import { createRandomText } from '../auth/secret.js'
import { KNOWN_BROWSER_MS } from '../credential-limits.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import { browserKeyOf, findOperatorByName, provideBrowserKey } from '../store/operator-rows.js'
import { cookieValue, setCookieValue } from './cookies.js'

/** In front of the operator's id: several operators may sign in from one browser. */
const COOKIE = 'kontor-known-'

/** What a cookie holds: when it ends in epoch ms, 256 random bits, and their HMAC. */
const VALUE = /^(\d{1,15})_([-\w]{43})_([-\w]{43})$/

/**
 * Browsers in which an operator has signed in. A signed cookie says so, and it grants nothing: the
 * password is asked for all the same, but failures of strangers with that name keep nobody out who
 * sends it. Its key is the operator's, serves nothing else and goes with the password; so a cookie
 * ends with the password it was given for.
 */
export class KnownBrowsers {
  /** @param isSecure whether browsers reach the service over https */
  constructor(
    private readonly control: ControlFile,
    private readonly clock: () => EpochMs,
    private readonly isSecure: () => boolean,
  ) {}

  /**
   * Remembers that an operator has signed in, in the transaction of the session.
   * @returns the Set-Cookie value
   */
  remember(operatorId: number): string {
    const key = provideBrowserKey(this.control, operatorId)
    const content = `${this.clock() + KNOWN_BROWSER_MS}_${createRandomText()}`
    const value = `${content}_${signatureOf(key, content)}`
    const cookie = { name: nameFor(operatorId), value, maxAgeSeconds: KNOWN_BROWSER_MS / 1000 }
    return setCookieValue(cookie, this.isSecure())
  }

  /**
   * Which of the browsers this is that have signed in with the name.
   * @param name in NFC   @param cookies the Cookie field of the request
   * @returns text that no other browser has; undefined for strangers: without a cookie, or with one
   *   that is forged, another operator's, over, or older than the password
   */
  find(name: string, cookies: string): string | undefined {
    const operator = findOperatorByName(this.control, name)
    if (operator === undefined) return undefined
    const value = cookieValue(cookies, nameFor(operator.id), this.isSecure())
    const [, expiresAt = '', random = '', signature = ''] = VALUE.exec(value ?? '') ?? []
    const key = browserKeyOf(this.control, operator.id)
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
