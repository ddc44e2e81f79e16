import { appendAudit } from '../auth/audit.js'
import { createPublicId, createSecret, hashOfSecret } from '../auth/secret.js'
import { scopesOf, scopesText } from '../auth/selection.js'
import type { ClientType } from '../domain/integration.js'
import type { Scope } from '../domain/key-scope.js'
import {
  type ClientRow,
  deleteClientRow,
  findClient,
  insertClient,
  listClients as listClientRows,
  updateClientActive,
} from '../store/client-rows.js'
import type { Work } from '../store/work.js'
import { type AuditContext, auditedChange, type ChangeContext } from './audited-change.js'
import { partFields } from './integrations.js'

/** Redirect URIs of a registration that the audit log lists; it has the count of all. */
const REGISTERED_URIS_LOGGED_MAX = 3

/** A program registered with an integration's issuer, as operators see it. */
export interface Client extends Omit<ClientRow, 'secretHash' | 'scopes'> {
  readonly scopes: readonly Scope[]
}

/** All clients, oldest first. @param integrationId absent = of all integrations */
export async function listClients(
  { control }: AuditContext,
  integrationId?: string,
): Promise<Client[]> {
  const rows = await control.look(() => listClientRows(integrationId))
  return rows.map(({ secretHash: _, ...row }) => ({ ...row, scopes: scopesOf(row.scopes) }))
}

/** A client to be registered with an integration's issuer. */
export interface NewClient {
  readonly integrationId: string
  readonly name: string
  readonly type: ClientType
  /** Valid (`redirect-uri.ts`), at least one. */
  readonly redirectUris: readonly string[]
  /** Within the integration's. */
  readonly scopes: readonly Scope[]
  readonly registered: ClientRow['registered']
}

/** A new client; its secret cannot be read again, and a public one has none. */
export interface CreatedClient {
  readonly client: ClientRow
  readonly secret: string | undefined
}

/** Creates a client, active. @throws StoreError when there is no such integration */
export function createClient(context: AuditContext, input: NewClient): Promise<CreatedClient> {
  return context.control.alone(() => addClient(context, input))
}

/** The same as a part of other work. */
export function* addClient({ nowMs, actor }: ChangeContext, input: NewClient): Work<CreatedClient> {
  const { integrationId, name, type, registered } = input
  const secret = type === 'confidential' ? createSecret('cs-') : undefined
  const client: ClientRow = {
    id: createPublicId(),
    integrationId,
    name,
    type,
    secretHash: secret === undefined ? null : hashOfSecret(secret),
    redirectUris: [...input.redirectUris],
    scopes: scopesText(input.scopes),
    isActive: true,
    registered,
    createdAt: nowMs,
  }
  yield* insertClient(client)
  yield* appendAudit(actor, nowMs, {
    action: registered === 'dynamic' ? 'client.register' : 'client.create',
    ...(yield* partFields(client)),
    detail: { name, type, ...auditUris(client), scopes: input.scopes },
  })
  return { client, secret }
}

/**
 * The redirect URIs in the audit log: all for an operator's client, the first for a dynamic one.
 */
function auditUris({ redirectUris, registered }: ClientRow) {
  if (registered === 'operator' || redirectUris.length <= REGISTERED_URIS_LOGGED_MAX) {
    return { redirectUris }
  }
  const first = redirectUris.slice(0, REGISTERED_URIS_LOGGED_MAX)
  return { redirectUris: first, redirectUriCount: redirectUris.length }
}

/** Activates a client. @returns false when there is no such client */
export const activateClient = switchClient(true)

/**
 * Deactivates a client, from the next request on, until it is activated again.
 * @returns false when there is no such client
 */
export const deactivateClient = switchClient(false)

function switchClient(isActive: boolean) {
  return auditedChange({
    action: isActive ? 'client.activate' : 'client.deactivate',
    find: findClient,
    isDone: (client) => client.isActive === isActive,
    write: (id) => updateClientActive({ id, isActive }),
    fieldsOf: partFields,
  })
}

/** Deletes a client with its grants and tokens. @returns false when there is no such client */
export const deleteClient = auditedChange({
  action: 'client.delete',
  find: findClient,
  write: deleteClientRow,
  *fieldsOf(client) {
    return { ...(yield* partFields(client)), detail: { name: client.name } }
  },
})
