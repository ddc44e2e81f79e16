import type { Actor } from '../domain/audit.js'
import type { KeyScope, Scope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import { findIntegration } from '../store/integration-rows.js'
import {
  type BoundMcpKey,
  findMcpKey,
  insertMcpKey,
  listBoundMcpKeys,
  markMcpKeyRevoked,
} from '../store/mcp-key-rows.js'
import { accessTag, type IntegrationAccess } from './access.js'
import { boundsOf, type CreatedKey } from './api-keys.js'
import { appendAudit } from './audit.js'
import { integrationPart } from './integrations.js'
import type { HeldKey } from './key-ring.js'
import { createSecret, hashOfSecret } from './secret.js'
import { accountIdsOf, scopesOfAll, scopesText } from './selection.js'

/** The properties of a new key of an MCP endpoint; accounts and tools are the integration's. */
export interface NewMcpKey {
  readonly integrationId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAtMs: EpochMs | null
  /** Addresses and networks it may be used from ({@link ipAllowFault}); absent = anywhere. */
  readonly ipAllow?: readonly string[] | undefined
}

/** Creates a key of an MCP integration. @throws StoreError when there is no such integration */
export function createMcpKey(
  control: ControlFile,
  key: NewMcpKey,
  nowMs: EpochMs,
  actor: Actor,
): CreatedKey {
  const secret = createSecret('mcp-')
  const { integrationId, name, scopes, ipAllow } = key
  return control.atomically(() => {
    const id = insertMcpKey(control, {
      integrationId,
      hash: hashOfSecret(secret),
      name,
      scopes: scopesText(scopes),
      ipAllow: ipAllow?.join(' ') ?? null,
      createdAt: nowMs,
      expiresAt: key.expiresAtMs,
    })
    const workspaceId = findIntegration(control, integrationId)?.workspaceId
    const detail = { name, scopes, ...boundsOf(ipAllow, key.expiresAtMs) }
    const told = { subject: id, workspaceId, integrationId, detail }
    appendAudit(control, actor, nowMs, { action: 'mcp_key.create', ...told })
    return { id, key: secret }
  })
}

/** Revokes a key. @returns whether there is such a key; revoking twice keeps the first time */
export function revokeMcpKey(
  control: ControlFile,
  id: number,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return control.atomically(() => {
    const old = findMcpKey(control, id)
    if (old === undefined) return false
    if (old.revokedAt !== null) return true
    markMcpKeyRevoked(control, id, nowMs)
    const { integrationId } = old
    const workspaceId = findIntegration(control, integrationId)?.workspaceId
    const told = { subject: id, workspaceId, integrationId }
    appendAudit(control, actor, nowMs, { action: 'mcp_key.revoke', ...told })
    return true
  })
}

/** The MCP keys that are not revoked and whose integration is active, for a key ring. */
export function heldMcpKeys(control: ControlFile): HeldKey<IntegrationAccess>[] {
  return listBoundMcpKeys(control)
    .filter(({ integration }) => integration.isActive)
    .map((bound) => ({
      hash: bound.key.hash,
      ipAllow: bound.key.ipAllow,
      access: accessOf(bound),
    }))
}

function accessOf({ key, integration }: BoundMcpKey): IntegrationAccess {
  const accountIds = accountIdsOf(integration.accounts)
  const scopes = scopesOfAll(key.scopes, integration.scopes)
  const keyScope: KeyScope = {
    workspaceId: integration.workspaceId,
    type: 'apiKey',
    scopes,
    accounts: accountIds,
    name: key.name,
    createdAt: formatInstant(key.createdAt),
    ...(key.expiresAt === null ? {} : { expiresAt: formatInstant(key.expiresAt) }),
    integrationId: integration.id,
  }
  return {
    workspaceId: integration.workspaceId,
    workspaceUid: integration.workspaceUid,
    scopes: new Set(scopes),
    accountIds: accountIds === null ? null : new Set(accountIds),
    credentialId: `mcp_key:${key.id}`,
    tag: accessTag(`m${key.id.toString(36)}`, keyScope),
    expiresAtMs: key.expiresAt ?? Number.POSITIVE_INFINITY,
    keyScope,
    key: { kind: 'mcp', id: key.id },
    integration: integrationPart(integration),
  }
}
