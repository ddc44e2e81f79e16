import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A token for a hidden field that ties a form to the browser it was shown in and to its purpose.
 * Another site can make a browser send a form, but it can neither read the cookie nor compute the
 * token.
 * @param cookie a random value that this browser alone holds
 * @param purpose the subject of the form; a token of another purpose is not accepted
 */
export function formToken(cookie: string, purpose: string): string {
  return createHmac('sha256', cookie).update(purpose).digest('base64url')
}

/** Whether a submitted form holds the token it was rendered with. In constant time. */
export function isFormToken(sent: string | undefined, cookie: string, purpose: string): boolean {
  const expected = Buffer.from(formToken(cookie, purpose))
  const given = Buffer.from(sent ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
