/** The address a client wants its answer at. */
export interface Callback {
  /** A redirect URI stored with the client. */
  readonly redirectUri: string
  /** The value the client wants returned with the answer; undefined = none. */
  readonly state: string | undefined
  readonly issuer: string
}

/**
 * The URL that delivers an answer to the client: the redirect URI with its own query, and after it
 * the parameters, `state` and `iss` (RFC 6749, 4.1.2; RFC 9207).
 */
export function callbackUrl(
  { redirectUri, state, issuer }: Callback,
  parameters: Readonly<Record<string, string>>,
): string {
  const added = new URLSearchParams(parameters)
  if (state !== undefined) added.set('state', state)
  added.set('iss', issuer)
  const url = new URL(redirectUri)
  // Not through url.searchParams, which would rewrite the query that the client has registered.
  url.search = url.search === '' ? added.toString() : `${url.search}&${added}`
  return url.href
}

/**
 * The scheme of a redirect URI with its colon, as a Content-Security-Policy expects it. Chromium
 * applies `form-action` to the redirect that answers a form, and to further redirects by the
 * client's page as well; so the policy permits the scheme and not the host, which the page names.
 */
export function schemeOf(redirectUri: string): string {
  return new URL(redirectUri).protocol
}
