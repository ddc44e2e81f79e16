import { scopesOfAll } from '../auth/selection.js'
import type { Scope } from '../domain/key-scope.js'
import { type ClientRow, findClient } from '../store/client-rows.js'
import type { Work } from '../store/work.js'
import type { Form, FormFault } from '../wire/form.js'
import type { Callback } from './callback.js'
import { type Issuer, isResourceOf } from './issuer.js'
import { OAuthError, type OAuthErrorCode } from './oauth-error.js'
import { isChallenge } from './pkce.js'
import { requestedScopes } from './scopes.js'

/** Characters of `state`, in which some clients keep a whole URL; it is sent in a URL twice. */
export const STATE_CHARS_MAX = 2_048

/** A valid authorization request: the consent that a client asks a person for. */
export interface AuthorizationRequest {
  readonly client: ClientRow
  readonly callback: Callback
  readonly scopes: readonly Scope[]
  readonly challenge: string
  /** The resource that the client has named, else undefined. */
  readonly resource: string | undefined
  /** `prompt=none`: the client does not want a person to be asked. */
  readonly isSilent: boolean
}

/**
 * The outcome of reading an authorization request. `unanswerable`: the sender is unknown, so the
 * browser is not redirected; `refused`: the error is sent to the client.
 */
export type AuthorizationReading =
  | { readonly kind: 'valid'; readonly request: AuthorizationRequest }
  | {
      readonly kind: 'refused'
      readonly client: ClientRow
      readonly callback: Callback
      readonly error: OAuthError
    }
  | { readonly kind: 'unanswerable'; readonly error: OAuthError }

/**
 * Reads the query of the authorization endpoint. Client and redirect URI come first: until both are
 * known to belong together, an answer could be sent to any address (RFC 9700, 4.1 and 4.11).
 * @see docs/contract/credentials.md, "OAuth 2.1", rules 3, 5, 6
 */
export function* readAuthorizationRequest(issuer: Issuer, form: Form): Work<AuthorizationReading> {
  const unanswerable = (code: OAuthErrorCode, message: string): AuthorizationReading => ({
    kind: 'unanswerable',
    error: new OAuthError(code, message),
  })
  const fault = form.faultOf('client_id') ?? form.faultOf('redirect_uri')
  if (fault !== undefined) return unanswerable('invalid_request', faultText(fault))
  const clientId = form.value('client_id')
  if (clientId === undefined) {
    return unanswerable('invalid_request', 'client_id is missing.')
  }
  const client = yield* findClient(clientId)
  if (client === undefined || !client.isActive || client.integrationId !== issuer.integration.id) {
    const message =
      'client_id is unknown at this address, or the client was deactivated or deleted.'
    return unanswerable('invalid_client', message)
  }
  const redirectUri = form.value('redirect_uri')
  if (redirectUri === undefined) {
    return unanswerable('invalid_request', 'redirect_uri is missing.')
  }
  // Character by character, so that only registered URIs are ever called.
  if (!client.redirectUris.includes(redirectUri)) {
    return unanswerable(
      'invalid_request',
      'redirect_uri does not match any saved redirect URI of this client.',
    )
  }
  const state = form.value('state')
  const isStateUsable = state === undefined || state.length <= STATE_CHARS_MAX
  const callback = { redirectUri, state: isStateUsable ? state : undefined, issuer: issuer.url }
  try {
    if (!isStateUsable) {
      throw new OAuthError('invalid_request', `state is longer than ${STATE_CHARS_MAX} characters.`)
    }
    return { kind: 'valid', request: { client, callback, ...readTerms(issuer, client, form) } }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { kind: 'refused', client, callback, error }
  }
}

type Terms = Pick<AuthorizationRequest, 'scopes' | 'challenge' | 'resource' | 'isSilent'>

/** Parses the parameters whose errors are sent to the client by a redirect. @throws OAuthError */
function readTerms(issuer: Issuer, client: ClientRow, form: Form): Terms {
  const fault = form.fault('resource')
  if (fault !== undefined) throw new OAuthError('invalid_request', faultText(fault))
  refuseOtherWays(form)
  const scopes = scopesOfRequest(issuer, client, form)
  const challenge = challengeOf(form)
  const resources = form.values('resource')
  if (resources.some((resource) => !isResourceOf(issuer, resource))) {
    throw new OAuthError('invalid_target', `resource must be ${issuer.resource} here.`)
  }
  const isSilent = (form.value('prompt') ?? '').split(' ').includes('none')
  return { scopes, challenge, resource: resources[0] && issuer.resource, isSilent }
}

/** @throws OAuthError */
function refuseOtherWays(form: Form): void {
  if (form.value('request') !== undefined) {
    throw new OAuthError('request_not_supported', 'The request parameter is not supported here.')
  }
  if (form.value('request_uri') !== undefined) {
    throw new OAuthError('request_uri_not_supported', 'request_uri is not supported here.')
  }
  const responseType = form.value('response_type')
  if (responseType === undefined) {
    throw new OAuthError('invalid_request', 'response_type is missing; it must be code.')
  }
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  }
  if ((form.value('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'response_mode must be query or absent.')
  }
}

/** @throws OAuthError */
function challengeOf(form: Form): string {
  // Without a method it would be plain (RFC 7636, 4.3), which protects nothing here.
  if (form.value('code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method must be sent and must be S256.')
  }
  const challenge = form.value('code_challenge')
  if (challenge !== undefined && isChallenge(challenge)) return challenge
  throw new OAuthError(
    'invalid_request',
    'code_challenge must be sent and must be a SHA-256 in base64url, 43 characters.',
  )
}

/** @throws OAuthError */
function scopesOfRequest(issuer: Issuer, client: ClientRow, form: Form): readonly Scope[] {
  const permitted = scopesOfAll(client.scopes, issuer.integration.scopes)
  const requested = form.value('scope')
  const scopes = requested === undefined ? permitted : requestedScopes(requested, permitted)
  if (scopes !== undefined && scopes.length > 0) return scopes
  const names = permitted.length === 0 ? 'none at present' : permitted.join(' and ')
  throw new OAuthError(
    'invalid_scope',
    `scope may contain only scopes that both client and integration permit: ${names}.`,
  )
}

/** The fault of a form, as text for a message. */
export function faultText({ kind, name = 'A parameter' }: FormFault): string {
  return kind === 'repeated'
    ? `${name} is sent more than once.`
    : `${name} is not percent-encoded UTF-8 text.`
}
