import { appendAudit } from '../auth/audit.js'
import { hashOfSecret } from '../auth/secret.js'
import { actorOf } from '../http/actor.js'
import type { Exchange } from '../http/engine/exchange.js'
import { revokeByTokenHash } from '../store/token-rows.js'
import type { Form } from '../wire/form.js'
import {
  authenticateClient,
  namedClientId,
  refuseAuthorizationField,
} from './client-authentication.js'
import { readClientForm, required } from './form-body.js'
import { type Issuer, issuerNow } from './issuer.js'
import { OAuthError, replySecretJson } from './oauth-error.js'
import type { OAuthParts } from './parts.js'

/**
 * The revocation endpoint. Revoking either token ends the family. A token that is unknown, or of
 * another client, is answered like a revoked one: the caller has nothing left to do, and learns
 * nothing.
 * @see docs/contract/credentials.md, "OAuth 2.1", rule 10; RFC 7009
 */
export async function answerRevoke(
  parts: OAuthParts,
  issuer: Issuer,
  exchange: Exchange,
): Promise<void> {
  const { control, clock } = parts
  const from = actorOf(exchange)
  const event = {
    action: 'token.revoke',
    workspaceId: issuer.integration.workspaceId,
    integrationId: issuer.integration.id,
  } as const
  let form: Form | undefined
  try {
    const sent = await readClientForm(exchange)
    form = sent
    refuseAuthorizationField(exchange)
    // The client is authenticated in the transaction that revokes.
    await control.atomically(function* () {
      const client = yield* authenticateClient(yield* issuerNow(parts, issuer), sent)
      const hash = hashOfSecret(required(sent, 'token'))
      const actor = { ...from, who: `client:${client.id}` }
      exchange.credential = { credentialId: actor.who, workspaceId: issuer.integration.workspaceId }
      const nowMs = clock()
      const grant = yield* revokeByTokenHash(hash, { clientId: client.id, nowMs })
      const outcome = grant === undefined ? 'refused' : 'ok'
      const detail = grant === undefined ? { error: 'unknown token' } : { grant: grant.id }
      yield* appendAudit(actor, nowMs, { ...event, subject: client.id, outcome, detail })
    })
    // RFC 7009 leaves the body open; some clients parse it as JSON even when it is empty.
    replySecretJson(exchange, 200, {})
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const detail = { error: error.code }
    await control.atomically(function* () {
      const subject = yield* namedClientId(issuer, form)
      yield* appendAudit(from, clock(), { ...event, subject, outcome: 'refused', detail })
    })
    throw error
  }
}
