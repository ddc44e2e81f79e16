import { appendAudit } from '../../auth/audit.js'
import { hashOfSecret } from '../../auth/secret.js'
import { scopesOfAll } from '../../auth/selection.js'
import { redeemCode } from '../../store/grant-rows.js'
import { issueTokenPair } from '../../store/token-rows.js'
import type { Work } from '../../store/work.js'
import { required } from '../form-body.js'
import { OAuthError } from '../oauth-error.js'
import { isVerifierOf } from '../pkce.js'
import { mintPair, type TokenContext, type TokenResponse } from '../token-context.js'

const NOT_GOOD =
  'The code is unknown, expired, already used or issued to another client, or redirect_uri or ' +
  'code_verifier does not match the authorization request.'

/**
 * Issues tokens for an authorization code. The code is used up by this, whatever the outcome, and
 * its second use ends the family of the first.
 * @returns an error instead of throwing it, so that the end of a family is committed
 * @throws OAuthError when the form is incomplete, which uses nothing up
 * @see docs/contract/credentials.md, "OAuth 2.1", rules 3, 5, 8; RFC 9700, 2.1.1 and 4.8
 */
export function* exchangeCode(context: TokenContext): Work<TokenResponse | OAuthError> {
  const { issuer, client, form, actor, nowMs } = context
  const code = required(form, 'code')
  const redirectUri = required(form, 'redirect_uri')
  const verifier = required(form, 'code_verifier')
  const event = {
    subject: client.id,
    workspaceId: issuer.integration.workspaceId,
    integrationId: issuer.integration.id,
  }
  const redeemed = yield* redeemCode(hashOfSecret(code), nowMs)
  if (redeemed.outcome === 'reused') {
    const { grant } = redeemed
    const detail = { grant: grant.id, client: grant.clientId }
    yield* appendAudit(actor, nowMs, {
      ...{ action: 'code.reuse', ...event, outcome: 'refused', detail },
    })
  }
  if (redeemed.outcome !== 'redeemed') return new OAuthError('invalid_grant', NOT_GOOD)
  const { grant, challenge } = redeemed.code
  const isOwn = grant.clientId === client.id && grant.integrationId === issuer.integration.id
  const isSameUri = redeemed.code.redirectUri === redirectUri
  if (!isOwn || !isSameUri || !isVerifierOf(verifier, challenge)) {
    return new OAuthError('invalid_grant', NOT_GOOD)
  }
  const scopes = scopesOfAll(grant.scope, client.scopes, issuer.integration.scopes)
  if (scopes.length === 0) {
    return new OAuthError('invalid_scope', 'None of the granted scopes is permitted any longer.')
  }
  const { pair, response } = mintPair(context, scopes, grant.scope)
  yield* issueTokenPair(grant.id, pair)
  const detail = { grant: grant.id, scope: response.scope }
  yield* appendAudit(actor, nowMs, { action: 'token.issue', ...event, detail })
  return response
}
