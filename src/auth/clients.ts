import type { Actor } from '../domain/audit.js'
import type { ClientType } from '../domain/integration.js'
import type { Scope } from '../domain/key-scope.js'
import type { EpochMs } from '../instant.js'
import {
  type ClientRow,
  deleteClientRow,
  findClient,
  insertClient,
  updateClientActive,
} from '../store/client-rows.js'
import type { ControlFile } from '../store/control-file.js'
import { findIntegration } from '../store/integration-rows.js'
import { appendAudit } from './audit.js'
import { createPublicId, createSecret, hashOfSecret, isSecretOf } from './secret.js'
import { scopesText } from './selection.js'

/** Redirect URIs of a registration that the audit log lists; it has the count of all. */
const REGISTERED_URIS_TOLD_MAX = 3

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
export function createClient(
  control: ControlFile,
  wish: NewClient,
  nowMs: EpochMs,
  actor: Actor,
): CreatedClient {
  const { integrationId, name, type, registered } = wish
  const secret = type === 'confidential' ? createSecret('cs-') : undefined
  const client: ClientRow = {
    id: createPublicId(),
    integrationId,
    name,
    type,
    secretHash: secret === undefined ? null : hashOfSecret(secret),
    redirectUris: [...wish.redirectUris],
    scopes: scopesText(wish.scopes),
    isActive: true,
    registered,
    createdAt: nowMs,
  }
  return control.atomically(() => {
    insertClient(control, client)
    appendAudit(control, actor, nowMs, {
      action: registered === 'dynamic' ? 'client.register' : 'client.create',
      ...auditFieldsOf(control, client),
      detail: { name, type, ...auditUris(client), scopes: wish.scopes },
    })
    return { client, secret }
  })
}

/**
 * The redirect URIs in the audit log: all for an operator's client, the first for a dynamic one.
 */
function auditUris({ redirectUris, registered }: ClientRow) {
  if (registered === 'operator' || redirectUris.length <= REGISTERED_URIS_TOLD_MAX) {
    return { redirectUris }
  }
  const first = redirectUris.slice(0, REGISTERED_URIS_TOLD_MAX)
  return { redirectUris: first, redirectUriCount: redirectUris.length }
}

/** Whether this is the secret of a confidential client. In constant time. */
export function isClientSecret({ secretHash }: ClientRow, secret: string): boolean {
  return secretHash !== null && isSecretOf(secret, secretHash)
}

/** Activates a client. @returns false when there is no such client */
export function activateClient(
  control: ControlFile,
  id: string,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return setActive(control, { id, isActive: true }, nowMs, actor)
}

/**
 * Deactivates a client, from the next request on, until it is activated again.
 * @returns false when there is no such client
 */
export function deactivateClient(
  control: ControlFile,
  id: string,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return setActive(control, { id, isActive: false }, nowMs, actor)
}

function setActive(
  control: ControlFile,
  { id, isActive }: { readonly id: string; readonly isActive: boolean },
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return control.atomically(() => {
    const client = findClient(control, id)
    if (client === undefined) return false
    if (client.isActive === isActive) return true
    updateClientActive(control, { id, isActive })
    const action = isActive ? 'client.activate' : 'client.deactivate'
    appendAudit(control, actor, nowMs, { action, ...auditFieldsOf(control, client) })
    return true
  })
}

/** Deletes a client with its grants and tokens. @returns false when there is no such client */
export function deleteClient(
  control: ControlFile,
  id: string,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return control.atomically(() => {
    const client = findClient(control, id)
    if (client === undefined) return false
    const told = { ...auditFieldsOf(control, client), detail: { name: client.name } }
    deleteClientRow(control, id)
    appendAudit(control, actor, nowMs, { action: 'client.delete', ...told })
    return true
  })
}

function auditFieldsOf(control: ControlFile, { id, integrationId }: ClientRow) {
  const workspaceId = findIntegration(control, integrationId)?.workspaceId
  return { subject: id, workspaceId, integrationId }
}
