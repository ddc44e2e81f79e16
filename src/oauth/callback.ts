/** Where a client wants its answer. */
export interface Callback {
  /** One that is saved with the client. */
  readonly redirectUri: string
  /** What the client wants back with the answer; undefined = nothing. */
  readonly state: string | undefined
  readonly issuer: string
}

/**
 * The URL that takes an answer to the client: the redirect URI with what it has as a query, and the
 * parameters, `state` and `iss` behind it (RFC 6749, 4.1.2; RFC 9207).
 */
export function callbackUrl(
  { redirectUri, state, issuer }: Callback,
  parameters: Readonly<Record<string, string>>,
): string {
  const added = new URLSearchParams(parameters)
  if (state !== undefined) added.set('state', state)
  added.set('iss', issuer)
  const url = new URL(redirectUri)
  // Not through url.searchParams, which would write anew what the client has registered.
  url.search = url.search === '' ? added.toString() : `${url.search}&${added}`
  return url.href
}

/**
 * The scheme of a redirect URI with its colon, as a Content-Security-Policy takes it. Chromium
 * holds the redirect that answers a form to `form-action`, and those that the client's page answers
 * with as well; so it is the scheme that is let through and not the host, which the page names.
 */
export function schemeOf(redirectUri: string): string {
  return new URL(redirectUri).protocol
}
