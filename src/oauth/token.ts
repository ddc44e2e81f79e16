import { appendAudit } from '../auth/audit.js'
import type { AuditAction } from '../domain/audit.js'
import { actorOf } from '../http/actor.js'
import type { Exchange } from '../http/engine/exchange.js'
import type { Work } from '../store/work.js'
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
import { OAuthError, replySecretJson } from './oauth-error.js'
import type { OAuthParts } from './parts.js'
import type { TokenContext, TokenResponse } from './token-context.js'

const GRANTS: Readonly<Record<string, Grant>> = {
  authorization_code: { action: 'token.issue', run: exchangeCode },
  refresh_token: { action: 'token.refresh', run: refreshTokens },
}

interface Grant {
  readonly action: AuditAction
  readonly run: (context: TokenContext) => Work<TokenResponse | OAuthError>
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
  const sender = actorOf(exchange)
  let actor = sender
  let form: Form | undefined
  let grant: Grant | undefined
  const run = async (): Promise<TokenResponse | OAuthError> => {
    form = await readClientForm(exchange)
    do {
      await control.held
      await queue.waitTurn()
    } while (control.held !== undefined)
    // A disconnected client would never receive the new tokens, and using the old one again would
    // revoke its family.
    if (exchange.aborted) exchange.signal.throwIfAborted()
    const sent = form
    // The grant is read and the tokens are issued in one transaction, so that no other write comes
    // between.
    return control.atomically(function* () {
      actor = sender
      issuer = yield* issuerNow(parts, found)
      grant = grantOf(sent)
      refuseAuthorizationField(exchange)
      const client = yield* authenticateClient(issuer, sent)
      actor = { ...sender, who: `client:${client.id}` }
      refuseOtherResource(issuer, sent)
      return yield* grant.run({ issuer, client, form: sent, actor, nowMs: clock() })
    })
  }
  const answer = await run()
    .catch((error: unknown) => {
      if (error instanceof OAuthError) return error
      throw error
    })
    .finally(() => {
      if (actor === sender) return
      exchange.credential = { credentialId: actor.who, workspaceId: issuer.integration.workspaceId }
    })
  if (!(answer instanceof OAuthError)) {
    replySecretJson(exchange, 200, answer)
    return
  }
  await control.atomically(function* () {
    yield* appendAudit(actor, clock(), {
      action: grant?.action ?? 'token.issue',
      subject: yield* namedClientId(issuer, form),
      workspaceId: issuer.integration.workspaceId,
      integrationId: issuer.integration.id,
      outcome: 'refused',
      detail: { error: answer.code },
    })
  })
  throw answer
}

/** Before the client is authenticated: an unsupported grant is unsupported for every client. */
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
