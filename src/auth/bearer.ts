const SCHEME = 'bearer '

/**
 * The credential of an Authorization field (RFC 6750, 2.1); the scheme word in any case.
 * @returns undefined when there is none, or the field is no Bearer credential
 */
export function bearerTokenOf(authorization: string): string | undefined {
  if (authorization.length <= SCHEME.length) return undefined
  const scheme = authorization.slice(0, SCHEME.length)
  if (scheme !== 'Bearer ' && scheme.toLowerCase() !== SCHEME) return undefined
  const token = authorization.slice(SCHEME.length).trim()
  return TOKEN.test(token) ? token : undefined
}

/** b64token of RFC 6750: the characters of any kontor credential. */
const TOKEN = /^[-A-Za-z0-9._~+/]+=*$/
