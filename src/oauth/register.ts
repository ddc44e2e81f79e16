import { strict as assert } from 'node:assert'
import { addClient } from '../admin/clients.js'
import { appendAudit } from '../auth/audit.js'
import type { Actor } from '../domain/audit.js'
import { ApiError } from '../errors.js'
import { actorOf } from '../http/actor.js'
import type { Exchange } from '../http/engine/exchange.js'
import type { EpochMs } from '../instant.js'
import {
  type ClientRow,
  countDynamicClients,
  deleteOldestUnconsentedClient,
  deleteUnusedDynamicClients,
  findClient,
  holdIntegration,
} from '../store/client-rows.js'
import type { Work } from '../store/work.js'
import { whenKnown } from '../when-known.js'
import { readClientMetadata } from './client-metadata.js'
import { readBody } from './form-body.js'
import { type Issuer, issuerNow } from './issuer.js'
import type { IssuerPath } from './issuer-path.js'
import { GRANT_TYPES } from './metadata.js'
import { OAuthError, replySecretJson } from './oauth-error.js'
import type { OAuthParts } from './parts.js'

/** Self-registered clients of one integration: one for each installation. */
export const DYNAMIC_CLIENTS_MAX = 1_000

/** How long a self-registered client without a consent is kept. */
export const DYNAMIC_CLIENT_UNUSED_MS = 86_400_000

/**
 * The same when a new client needs its place: a person who has just connected a program signs in
 * and decides within ten minutes.
 */
export const DYNAMIC_CLIENT_KEPT_MS = 600_000

assert(DYNAMIC_CLIENT_KEPT_MS < DYNAMIC_CLIENT_UNUSED_MS)

/**
 * The registration endpoint, of MCP integrations that let clients register themselves.
 * @see docs/contract/credentials.md, "OAuth 2.1", rule 12; RFC 7591, 3
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
    // The integration is read again in the transaction that adds the client to it.
    const created = await control.atomically(function* () {
      const { integration, scopes } = yield* issuerNow(parts, issuer)
      if (!integration.letsRegister) throw noRegistration()
      const metadata = readClientMetadata(bytes, scopes)
      const nowMs = clock()
      if (!(yield* makeRoom(issuer, nowMs, actor))) return undefined
      const client = { ...metadata, integrationId, registered: 'dynamic' as const }
      return yield* addClient({ nowMs, actor }, client)
    })
    if (created === undefined) {
      throw new OAuthError(
        'temporarily_unavailable',
        'Too many clients have registered at this address; try again in ten minutes.',
        { status: 503 },
      )
    }
    replySecretJson(exchange, 201, registrationOf(issuer, created.client, created.secret))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const detail = { error: error.code }
    const event = { action: 'client.register', outcome: 'refused', detail } as const
    await control.atomically(() =>
      appendAudit(actor, clock(), { ...event, workspaceId, integrationId }),
    )
    throw error
  }
}

/** As where clients have never been let register themselves. */
function noRegistration(): ApiError {
  return new ApiError('no_such_operation', 'There is no active integration at this address.')
}

/**
 * Makes room for one more client when the limit is reached: clients that register themselves and
 * get no consent evict their own kind, oldest first, and block honest ones for ten minutes at most.
 * @returns whether there is room
 */
function* makeRoom(issuer: Issuer, nowMs: EpochMs, actor: Actor): Work<boolean> {
  const { id, workspaceId } = issuer.integration
  yield* holdIntegration(id)
  if ((yield* countDynamicClients(id)) < DYNAMIC_CLIENTS_MAX) return true
  yield* deleteUnusedDynamicClients(id, nowMs - DYNAMIC_CLIENT_UNUSED_MS)
  if ((yield* countDynamicClients(id)) < DYNAMIC_CLIENTS_MAX) return true
  const subject = yield* deleteOldestUnconsentedClient(id, nowMs - DYNAMIC_CLIENT_KEPT_MS)
  if (subject === undefined) return false
  const detail = { reason: 'room' }
  const event = {
    action: 'client.delete',
    subject,
    workspaceId,
    integrationId: id,
    detail,
  } as const
  yield* appendAudit(actor, nowMs, event)
  return true
}

/**
 * Returns a registration to any caller that knows the client's id, which is no secret: a reader of
 * the consent page learns no less. It cannot be changed from outside, so no registration access
 * token is issued, unlike by servers that let clients manage their registrations (RFC 7592).
 */
export function answerRegistration(
  { control }: OAuthParts,
  issuer: Issuer,
  exchange: Exchange,
  { clientId }: IssuerPath,
): void | Promise<void> {
  const found = control.look(() => findClient(clientId))
  return whenKnown(found, (client) => {
    const isOwn = client?.integrationId === issuer.integration.id && client.registered === 'dynamic'
    if (client === undefined || !isOwn) {
      throw new ApiError('no_such_operation', 'There is no registered client at this address.')
    }
    replySecretJson(exchange, 200, registrationOf(issuer, client))
  })
}

/**
 * The client information response (RFC 7591, 3.2.1). Some clients fail silently without the URL to
 * read it at, which RFC 7592 alone requires.
 * @param secret absent = there is none, or it is no longer known
 */
function registrationOf({ url }: Issuer, client: ClientRow, secret?: string): object {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt / 1000),
    // 0: it does not expire.
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    registration_client_uri: `${url}/register/${client.id}`,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: GRANT_TYPES,
    response_types: ['code'],
    token_endpoint_auth_method: client.type === 'public' ? 'none' : 'client_secret_post',
    scope: client.scopes,
  }
}
