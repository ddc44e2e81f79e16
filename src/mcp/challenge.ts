import type { Scope } from '../domain/key-scope.js'
import { bearerChallenge } from '../wire/bearer-challenge.js'
import type { McpEndpoint } from './endpoint.js'

/**
 * The WWW-Authenticate value of a 401: the address for a token, and its scopes, as clients ask for
 * exactly those (RFC 9728, 5.1; RFC 6750, 3).
 */
export function tokenChallenge(
  endpoint: McpEndpoint,
  reason: 'no_credential' | 'invalid_token',
): string {
  return challenge(bearerChallenge({ reason }), endpoint, endpoint.scopes)
}

/**
 * The WWW-Authenticate value of a 403. It lists the scopes the credential has next to those it
 * lacks: a client that asks for the latter alone would lose the former.
 */
export function scopeChallenge(
  endpoint: McpEndpoint,
  has: ReadonlySet<Scope>,
  lacking: readonly Scope[],
): string {
  const scopes = endpoint.scopes.filter((scope) => has.has(scope) || lacking.includes(scope))
  const opening = `${bearerChallenge({ reason: 'no_credential' })}, error="insufficient_scope"`
  return challenge(opening, endpoint, scopes)
}

function challenge(
  opening: string,
  { metadataUrl }: McpEndpoint,
  scopes: readonly Scope[],
): string {
  const scopeField = scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`
  return `${opening}${scopeField}, resource_metadata="${metadataUrl}"`
}
