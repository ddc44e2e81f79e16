import type { Scope } from '../domain/key-scope.js'
import type { ApiError, ErrorCode } from '../errors.js'

/** The body of every error answer (docs/contract/resources.md, "Error"). */
export interface ErrorBody {
  error: ErrorCode
  /** One sentence: the fault, the parameter, the allowed values. */
  message: string
}

/** The Error body as UTF-8 JSON. Only code and message: the cause is for the log. */
export function errorBytes({ code, message }: ApiError): Uint8Array {
  const body: ErrorBody = { error: code, message }
  return Buffer.from(JSON.stringify(body))
}

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
