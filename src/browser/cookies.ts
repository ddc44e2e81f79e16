/** A cookie of this service. */
export interface Cookie {
  /** Without prefix: {@link cookieName} adds it. */
  readonly name: string
  /** base64url characters; `''` deletes the cookie. */
  readonly value: string
  /** Absent = until the browser is closed. */
  readonly maxAgeSeconds?: number
}

/**
 * The name a cookie is sent under. Over https it has the prefix that browsers accept from this very
 * host alone, so that a neighbour under the same domain cannot plant one (RFC 6265bis, 4.1.3).
 */
function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** The Set-Cookie value. No script can read the cookie, and no other site's form sends it. */
export function setCookieValue({ name, value, maxAgeSeconds }: Cookie, isSecure: boolean): string {
  const seconds = value === '' ? 0 : maxAgeSeconds
  const parts = [`${cookieName(name, isSecure)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`)
  if (isSecure) parts.push('Secure')
  return parts.join('; ')
}

/**
 * The value of a cookie in a Cookie field.
 * @returns undefined when there is none, when there are two (one of them was planted), or when it
 *   is not of base64url characters
 */
export function cookieValue(field: string, name: string, isSecure: boolean): string | undefined {
  const start = `${cookieName(name, isSecure)}=`
  const found = field.split(';').filter((part) => part.trimStart().startsWith(start))
  const value = found.length === 1 ? found[0]?.trim().slice(start.length) : undefined
  return value !== undefined && /^[-\w]+$/.test(value) ? value : undefined
}
