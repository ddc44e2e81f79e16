import { createSecret, hashOfSecret } from '../auth/secret.js'
import { scopesText } from '../auth/selection.js'
import type { Scope } from '../domain/key-scope.js'
import type { EpochMs } from '../instant.js'
import {
  findMcpKey,
  insertMcpKey,
  listMcpKeys as listMcpKeyRows,
  type McpKeyRow,
  markMcpKeyRevoked,
} from '../store/mcp-key-rows.js'
import type { CreatedKey } from './api-keys.js'
import { type AuditContext, audited, auditedChange } from './audited-change.js'
import { partFields } from './integrations.js'
import { boundsOf, isRevoked, type KeyTerms, keyTermsOf } from './key-terms.js'

/** A key of an MCP endpoint as operators see it. */
export interface McpKey extends Omit<McpKeyRow, 'hash' | keyof KeyTerms>, KeyTerms {}

/** All keys, revoked ones too, ids ascending. @param integrationId absent = of all integrations */
export async function listMcpKeys(
  { control, nowMs }: AuditContext,
  integrationId?: string,
): Promise<McpKey[]> {
  const rows = await control.look(() => listMcpKeyRows(integrationId))
  return rows.map(({ hash: _, ...row }) => ({ ...row, ...keyTermsOf(row, nowMs) }))
}

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
export function createMcpKey(context: AuditContext, key: NewMcpKey): Promise<CreatedKey> {
  const secret = createSecret('mcp-')
  const { integrationId, name, scopes, ipAllow } = key
  return audited(context, function* (record) {
    const id = yield* insertMcpKey({
      integrationId,
      hash: hashOfSecret(secret),
      name,
      scopes: scopesText(scopes),
      ipAllow: ipAllow?.join(' ') ?? null,
      createdAt: context.nowMs,
      expiresAt: key.expiresAtMs,
    })
    const detail = { name, scopes, ...boundsOf(ipAllow, key.expiresAtMs) }
    const fields = yield* partFields({ id, integrationId })
    yield* record({ action: 'mcp_key.create', ...fields, detail })
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
