import type { KeyScope, Scope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import {
  type BoundMcpKey,
  findMcpKey,
  insertMcpKey,
  listBoundMcpKeys,
  markMcpKeyRevoked,
} from '../store/mcp-key-rows.js'
import { accessTag, type IntegrationAccess } from './access.js'
import { boundsOf, type CreatedKey } from './api-keys.js'
import { type AuditContext, audited, auditedChange, isRevoked } from './audit.js'
import { integrationPart, partFields } from './integrations.js'
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
export function createMcpKey(context: AuditContext, key: NewMcpKey): CreatedKey {
  const { control, nowMs } = context
  const secret = createSecret('mcp-')
  const { integrationId, name, scopes, ipAllow } = key
  return audited(context, (record) => {
    const id = insertMcpKey(control, {
      integrationId,
      hash: hashOfSecret(secret),
      name,
      scopes: scopesText(scopes),
      ipAllow: ipAllow?.join(' ') ?? null,
      createdAt: nowMs,
      expiresAt: key.expiresAtMs,
    })
    const detail = { name, scopes, ...boundsOf(ipAllow, key.expiresAtMs) }
    record({ action: 'mcp_key.create', ...partFields({ id, integrationId }, control), detail })
    return { id, key: secret }
  })
}

/** Revokes a key. @returns whether there is such a key; revoking twice keeps the first time */
export const revokeMcpKey = auditedChange({
  action: 'mcp_key.revoke',
  find: findMcpKey,
  isDone: isRevoked,
  write: markMcpKeyRevoked,
  fieldsOf: partFields,
})

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
