import { createSecret, hashOfSecret } from '../auth/secret.js'
import { scopesText } from '../auth/selection.js'
import type { Actor } from '../domain/audit.js'
import type { Scope } from '../domain/key-scope.js'
import type { EpochMs } from '../instant.js'
import type { ClientRow } from '../store/client-rows.js'
import type { NewTokenPair } from '../store/token-rows.js'
import type { Form } from '../wire/form.js'
import type { Issuer } from './issuer.js'

/** A token request of a client that has been authenticated. */
export interface TokenContext {
  readonly issuer: Issuer
  readonly client: ClientRow
  readonly form: Form
  readonly actor: Actor
  readonly nowMs: EpochMs
}

/** The token response to a client (RFC 6749, 5.1). */
export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Whole seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  /** Always present, also when it equals the requested scope. */
  readonly scope: string
}

/** New tokens: the stored part, and the response to the client. */
export interface MintedPair {
  readonly pair: NewTokenPair
  readonly response: TokenResponse
}

/**
 * Creates an access token and a refresh token.
 * @param scopes of the access token
 * @param refreshScope as at the first exchange, unchanged
 */
export function mintPair(
  { issuer: { integration }, nowMs }: Pick<TokenContext, 'issuer' | 'nowMs'>,
  scopes: readonly Scope[],
  refreshScope: string,
): MintedPair {
  const accessToken = createSecret('at-')
  const refreshToken = createSecret('rt-')
  const accessScope = scopesText(scopes)
  const pair: NewTokenPair = {
    accessHash: hashOfSecret(accessToken),
    refreshHash: hashOfSecret(refreshToken),
    accessScope,
    refreshScope,
    createdAt: nowMs,
    accessExpiresAt: nowMs + integration.accessMs,
    refreshExpiresAt: nowMs + integration.refreshMs,
  }
  const response: TokenResponse = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor(integration.accessMs / 1000),
    refresh_token: refreshToken,
    scope: accessScope,
  }
  return { pair, response }
}
