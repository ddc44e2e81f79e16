import { appendAudit } from '../../auth/audit.js'
import { hashOfSecret } from '../../auth/secret.js'
import { scopesOfAll } from '../../auth/selection.js'
import type { Scope } from '../../domain/key-scope.js'
import { findRefreshToken, rotateFound } from '../../store/token-rows.js'
import type { Work } from '../../store/work.js'
import { required } from '../form-body.js'
import { OAuthError } from '../oauth-error.js'
import { requestedScopes } from '../scopes.js'
import { mintPair, type TokenContext, type TokenResponse } from '../token-context.js'

const NOT_GOOD =
  'The refresh token is unknown, expired, revoked, already used or issued to another client.'

/**
 * Issues a new pair of tokens for a refresh token, in place of the old pair. A refresh token that
 * was used before ends its family: one of its two holders has no right to it.
 * @returns an error instead of throwing it, so that the end of a family is committed
 * @throws OAuthError when the form is incomplete
 * @see docs/contract/credentials.md, "OAuth 2.1", rule 9; RFC 9700, 4.14.2
 */
export function* refreshTokens(context: TokenContext): Work<TokenResponse | OAuthError> {
  const { issuer, client, form, actor, nowMs } = context
  const hash = hashOfSecret(required(form, 'refresh_token'))
  const event = {
    subject: client.id,
    workspaceId: issuer.integration.workspaceId,
    integrationId: issuer.integration.id,
  }
  const found = yield* findRefreshToken(hash)
  const isOwn =
    found?.grant.clientId === client.id && found.grant.integrationId === issuer.integration.id
  if (found === undefined || !isOwn) return new OAuthError('invalid_grant', NOT_GOOD)
  const scopes = scopesOfRefresh(context, found.tokenScope)
  // For a token that was used before, the second use decides the outcome.
  if (scopes === undefined && found.usedAt === null) {
    return new OAuthError(
      'invalid_scope',
      'scope may contain only granted scopes that client and integration still permit.',
    )
  }
  const { pair, response } = mintPair(context, scopes ?? [], found.tokenScope)
  const outcome = yield* rotateFound(found, pair, nowMs)
  const detail = { grant: found.grant.id, scope: response.scope }
  if (outcome === 'rotated') {
    yield* appendAudit(actor, nowMs, { action: 'token.refresh', ...event, detail })
    return response
  }
  if (outcome === 'reused') {
    yield* appendAudit(actor, nowMs, {
      ...{ action: 'token.reuse', ...event, outcome: 'refused' },
      detail: { grant: found.grant.id },
    })
  }
  return new OAuthError('invalid_grant', NOT_GOOD)
}

/** @returns undefined when the request exceeds the permitted scopes, or none are permitted */
function scopesOfRefresh(
  { client, issuer, form }: TokenContext,
  tokenScope: string,
): readonly Scope[] | undefined {
  const permitted = scopesOfAll(tokenScope, client.scopes, issuer.integration.scopes)
  const requested = form.value('scope')
  const scopes = requested === undefined ? permitted : requestedScopes(requested, permitted)
  return scopes?.length === 0 ? undefined : scopes
}
