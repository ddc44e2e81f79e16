import type { KeyScope, Scope } from '../domain/key-scope.js'
import { formatInstant } from '../instant.js'
import { type ApiKeyRow, listApiKeys } from '../store/api-key-rows.js'
import type { KeyRow } from '../store/key-rows.js'
import { listBoundMcpKeys } from '../store/mcp-key-rows.js'
import type { Work } from '../store/work.js'
import { type Access, accessTag, type IntegrationAccess, integrationPart } from './access.js'
import type { HeldKey } from './key-ring.js'
import { accountIdsOf, scopesOf, scopesOfAll } from './selection.js'

/** The API keys that are not revoked, in the form of a key ring. */
export function* heldApiKeys(): Work<HeldKey<Access>[]> {
  return (yield* listApiKeys())
    .filter(({ revokedAt }) => revokedAt === null)
    .map((row) => {
      const { hash, ipAllow, workspaceId, workspaceUid, accounts } = row
      const opened = { workspaceId, workspaceUid, accounts, scopes: scopesOf(row.scopes) }
      return { hash, ipAllow, access: accessOf('api', row, opened) }
    })
}

/** The MCP keys that are not revoked and whose integration is active, for a key ring. */
export function* heldMcpKeys(): Work<HeldKey<IntegrationAccess>[]> {
  return (yield* listBoundMcpKeys())
    .filter(({ integration }) => integration.isActive)
    .map(({ key, integration }) => {
      const { hash, ipAllow } = key
      const { id: integrationId, workspaceId, workspaceUid, accounts } = integration
      const scopes = scopesOfAll(key.scopes, integration.scopes)
      const opened = { workspaceId, workspaceUid, accounts, scopes, integrationId }
      const access = accessOf('mcp', key, opened)
      return { hash, ipAllow, access: { ...access, integration: integrationPart(integration) } }
    })
}

/** Workspace, accounts and scopes to which a key gives access. */
interface Opened extends Pick<ApiKeyRow, 'workspaceId' | 'workspaceUid' | 'accounts'> {
  readonly scopes: Scope[]
  readonly integrationId?: string
}

function accessOf(
  kind: 'api' | 'mcp',
  { id, name, createdAt, expiresAt }: KeyRow,
  opened: Opened,
): Access {
  const { workspaceId, workspaceUid, scopes, integrationId } = opened
  const accounts = accountIdsOf(opened.accounts)
  const keyScope: KeyScope = {
    workspaceId,
    type: 'apiKey',
    scopes,
    accounts,
    name,
    createdAt: formatInstant(createdAt),
    ...(expiresAt === null ? {} : { expiresAt: formatInstant(expiresAt) }),
    ...(integrationId === undefined ? {} : { integrationId }),
  }
  return {
    workspaceId,
    workspaceUid,
    scopes: new Set(scopes),
    accountIds: accounts && new Set(accounts),
    credentialId: `${kind === 'api' ? 'key' : 'mcp_key'}:${id}`,
    tag: accessTag(`${kind === 'api' ? 'k' : 'm'}${id.toString(36)}`, keyScope),
    expiresAtMs: expiresAt ?? Number.POSITIVE_INFINITY,
    keyScope,
    key: { kind, id },
  }
}
