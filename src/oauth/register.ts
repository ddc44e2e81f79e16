import { recordDeed } from '../auth/audit.js'
import { type CreatedClient, createClient } from '../auth/clients.js'
import { DYNAMIC_CLIENT_UNUSED_MS, DYNAMIC_CLIENTS_MAX } from '../credential-limits.js'
import { actorOf } from '../http/actor.js'
import type { Exchange } from '../http/exchange.js'
import { countDynamicClients, deleteUnusedDynamicClients } from '../store/client-rows.js'
import { readClientMetadata } from './client-metadata.js'
import { readBody } from './form-body.js'
import { type Issuer, issuerNow } from './issuer.js'
import { GRANT_TYPES } from './metadata.js'
import { OAuthError, replyOAuthError, replySecretJson } from './oauth-error.js'
import type { OAuthParts } from './parts.js'

/**
 * The registration endpoint, of MCP integrations that let clients register themselves.
 * @see contract, "OAuth 2.1", rule 12; RFC 7591, 3
 */
export async function answerRegister(
  parts: OAuthParts,
  issuer: Issuer,
  exchange: Exchange,
): Promise<void> {
  const { control, clock } = parts
  const actor = actorOf(exchange)
  const { id: integrationId, workspaceId } = issuer.integration
  try {
    const bytes = await readBody(exchange, 'application/json')
    const wish = readClientMetadata(bytes, issuerNow(parts, issuer).scopes)
    const nowMs = clock()
    const created = control.atomically(() => {
      if (countDynamicClients(control, integrationId) >= DYNAMIC_CLIENTS_MAX) {
        deleteUnusedDynamicClients(control, integrationId, nowMs - DYNAMIC_CLIENT_UNUSED_MS)
        if (countDynamicClients(control, integrationId) >= DYNAMIC_CLIENTS_MAX) return undefined
      }
      return createClient(control, { ...wish, integrationId, registered: 'dynamic' }, nowMs, actor)
    })
    if (created === undefined) {
      throw new OAuthError(
        'temporarily_unavailable',
        'Too many clients have registered themselves here; whoever runs this has to delete some.',
        { status: 503 },
      )
    }
    replySecretJson(exchange, 201, registrationOf(created))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const detail = { error: error.code }
    recordDeed(control, actor, clock(), {
      ...{ action: 'client.register', workspaceId, integrationId, outcome: 'refused', detail },
    })
    replyOAuthError(exchange, error)
  }
}

/** What a client is told of its registration (RFC 7591, 3.2.1). */
function registrationOf({ client, secret }: CreatedClient): object {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt / 1000),
    // 0: it does not expire.
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: GRANT_TYPES,
    response_types: ['code'],
    token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_post',
    scope: client.scopes,
  }
}
