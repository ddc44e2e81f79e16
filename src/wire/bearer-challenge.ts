import type { Scope } from '../domain/key-scope.js'

/** Why a request was not authorized. */
export type BearerChallenge =
  | { readonly reason: 'no_credential' }
  | { readonly reason: 'invalid_token' }
  | { readonly reason: 'insufficient_scope'; readonly scope: Scope }

/**
 * The WWW-Authenticate value of a 401 (RFC 6750, 3). Without a credential it names no error, as 3.1
 * requires; `scope` is the one the operation needs.
 */
export function bearerChallenge(refusal: BearerChallenge): string {
  switch (refusal.reason) {
    case 'no_credential':
      return `Bearer ${REALM}`
    case 'invalid_token':
      return `Bearer ${REALM}, error="invalid_token"`
    case 'insufficient_scope':
      return `Bearer ${REALM}, error="insufficient_scope", scope="${refusal.scope}"`
  }
}

const REALM = 'realm="kontor"'
