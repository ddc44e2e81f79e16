import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A token for a hidden field that ties a form to the browser that was shown it and to what it is
 * for. Another site can make a browser send a form, but neither read the cookie nor work this out.
 * @param cookie a random value that this browser alone holds
 * @param purpose what the form is about; a token of another purpose is not taken
 */
export function formToken(cookie: string, purpose: string): string {
  return createHmac('sha256', cookie).update(purpose).digest('base64url')
}

/** Whether a form that came back holds the token it was given. In constant time. */
export function isFormToken(sent: string | undefined, cookie: string, purpose: string): boolean {
  const expected = Buffer.from(formToken(cookie, purpose))
  const given = Buffer.from(sent ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
