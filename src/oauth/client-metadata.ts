import typia from 'typia'
import { nameFault } from '../auth/name.js'
import { redirectUrisFault } from '../auth/redirect-uri.js'
import type { ClientType } from '../domain/integration.js'
import { SCOPES, type Scope } from '../domain/key-scope.js'
import { OAuthError } from './oauth-error.js'

/** The members that a client may register (RFC 7591, 2); others are ignored. */
interface ClientMetadata {
  redirect_uris: string[]
  token_endpoint_auth_method?: string
  grant_types?: string[]
  response_types?: string[]
  client_name?: string
  scope?: string
}

const validateMetadata = typia.createValidate<ClientMetadata>()

/** The data of the client to register. */
export interface RegistrationRequest {
  readonly name: string
  readonly type: ClientType
  readonly redirectUris: readonly string[]
  readonly scopes: readonly Scope[]
}

/**
 * Reads the body of a registration.
 * @param permitted the scopes of the integration: other requested scopes are left out, as RFC 7591,
 *   2 permits, and the response lists the granted ones
 * @throws OAuthError `invalid_client_metadata` or `invalid_redirect_uri`
 */
export function readClientMetadata(
  bytes: Uint8Array,
  permitted: readonly Scope[],
): RegistrationRequest {
  const metadata = metadataOf(bytes)
  const method = metadata.token_endpoint_auth_method ?? 'none'
  if (method !== 'none' && method !== 'client_secret_post') {
    throw invalid('token_endpoint_auth_method must be none or client_secret_post.')
  }
  if (!(metadata.grant_types ?? ['authorization_code']).includes('authorization_code')) {
    throw invalid('grant_types must include authorization_code.')
  }
  if (!(metadata.response_types ?? ['code']).includes('code')) {
    throw invalid('response_types must include code.')
  }
  const type = method === 'none' ? 'public' : 'confidential'
  const redirectUris = metadata.redirect_uris
  const fault = redirectUrisFault(redirectUris, {
    type,
    allowsAnyHost: false,
    isSelfRegistered: true,
  })
  if (fault !== undefined) throw new OAuthError('invalid_redirect_uri', plainSentence(fault))
  const words = metadata.scope?.split(' ') ?? SCOPES
  const scopes = permitted.filter((scope) => words.includes(scope))
  if (scopes.length === 0) {
    throw invalid(`scope must include one of: ${permitted.join(' ')}.`)
  }
  return { name: nameOf(metadata), type, redirectUris, scopes }
}

function metadataOf(bytes: Uint8Array): ClientMetadata {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    throw invalid(NO_OBJECT)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalid(NO_OBJECT)
  // Some libraries send null for members without a value.
  const named = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))
  const result = validateMetadata(named)
  if (result.success) return result.data
  const { path = '$input' } = result.errors[0] ?? {}
  if (path.startsWith('$input.redirect_uris')) {
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris must be an array of strings.')
  }
  const field = /^\$input\.([a-z_]+)/.exec(path)?.[1] ?? 'A member'
  throw invalid(`${field} has the wrong type.`)
}

const NO_OBJECT = 'The body must be a JSON object in UTF-8.'

/** @throws OAuthError when the name cannot be shown to people */
function nameOf({ client_name, redirect_uris }: ClientMetadata): string {
  if (client_name === undefined || client_name === '') {
    const { host, protocol } = new URL(redirect_uris[0] ?? '')
    return `Program at ${host === '' ? protocol : host}`
  }
  const fault = nameFault(client_name)
  if (fault === undefined) return client_name
  throw invalid(`client_name ${fault}.`)
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_client_metadata', message)
}

/** A fault as a sentence of the characters that an error_description may have (RFC 6749, 5.2). */
function plainSentence(fault: string): string {
  return `${fault.replace(/["\\]/g, '').replace(/[^ -~]/g, '?')}.`
}
