import { appendAudit } from '../auth/audit.js'
import type { AuditAction } from '../domain/audit.js'
import { actorOf } from '../http/actor.js'
import type { Exchange } from '../http/exchange.js'
import type { Form } from '../wire/form.js'
import {
  authenticateClient,
  namedClientId,
  refuseAuthorizationField,
} from './client-authentication.js'
import { readClientForm, required } from './form-body.js'
import { exchangeCode } from './grants/authorization-code.js'
import { refreshTokens } from './grants/refresh-token.js'
import { type Issuer, isResourceOf, issuerNow } from './issuer.js'
import { OAuthError, replyOAuthError, replySecretJson } from './oauth-error.js'
import type { OAuthParts } from './parts.js'
import type { TokenContext, TokenResponse } from './token-context.js'

const GRANTS: Readonly<Record<string, Grant>> = {
  authorization_code: { action: 'token.issue', run: exchangeCode },
  refresh_token: { action: 'token.refresh', run: refreshTokens },
}

interface Grant {
  readonly action: AuditAction
  readonly run: (context: TokenContext) => TokenResponse | OAuthError
}

/**
 * The token endpoint.
 * @see docs/contract/credentials.md, "OAuth 2.1", rules 2 to 5, 8, 9; RFC 6749, 5
 */
export async function answerToken(
  parts: OAuthParts,
  found: Issuer,
  exchange: Exchange,
): Promise<void> {
  const { control, clock, queue } = parts
  let issuer = found
  let actor = actorOf(exchange)
  let form: Form | undefined
  let grant: Grant | undefined
  const run = async (): Promise<TokenResponse | OAuthError> => {
    form = await readClientForm(exchange)
    do {
      await control.held
      await queue.waitTurn()
    } while (control.held !== undefined)
    // Who has gone would never see the new tokens, and be taken for a thief with the old one.
    if (exchange.aborted) exchange.signal.throwIfAborted()
    const sent = form
    // What the tokens are given for is as it was when they are given, whoever else writes.
    return control.atomically(() => {
      issuer = issuerNow(parts, found)
      grant = grantOf(sent)
      refuseAuthorizationField(exchange)
      const client = authenticateClient(control, issuer, sent)
      actor = { ...actor, who: `client:${client.id}` }
      exchange.credential = { credentialId: actor.who, workspaceId: issuer.integration.workspaceId }
      refuseOtherResource(issuer, sent)
      return grant.run({ control, issuer, client, form: sent, actor, nowMs: clock() })
    })
  }
  const answer = await run().catch((error: unknown) => {
    if (error instanceof OAuthError) return error
    throw error
  })
  if (!(answer instanceof OAuthError)) {
    replySecretJson(exchange, 200, answer)
    return
  }
  appendAudit(control, actor, clock(), {
    action: grant?.action ?? 'token.issue',
    subject: namedClientId(control, issuer, form),
    workspaceId: issuer.integration.workspaceId,
    integrationId: issuer.integration.id,
    outcome: 'refused',
    detail: { error: answer.code },
  })
  replyOAuthError(exchange, answer)
}

/** Before the client is looked at: what is not offered is not offered to anybody. */
function grantOf(form: Form): Grant {
  const grantType = required(form, 'grant_type')
  const grant = Object.hasOwn(GRANTS, grantType) ? GRANTS[grantType] : undefined
  if (grant !== undefined) return grant
  throw new OAuthError(
    'unsupported_grant_type',
    'grant_type must be authorization_code or refresh_token.',
  )
}

/** @throws OAuthError `invalid_target` */
function refuseOtherResource(issuer: Issuer, form: Form): void {
  if (form.values('resource').every((resource) => isResourceOf(issuer, resource))) return
  throw new OAuthError('invalid_target', `resource must be ${issuer.resource} here.`)
}
