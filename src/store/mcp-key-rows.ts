import { INTEGRATION_FIELDS, type IntegrationRow, integrationOf } from './integration-rows.js'
import { type KeyRow, keyTable } from './key-rows.js'
import { all, insert, type Work } from './work.js'

/**
 * A key of an MCP integration, whose accounts and tools are the integration's. Only those of its
 * scopes that the integration has too are effective.
 */
export interface McpKeyRow extends KeyRow {
  integrationId: string
}

/** A key to be stored. */
export type NewMcpKeyRow = Omit<McpKeyRow, 'id' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation'>

const KEYS = keyTable<McpKeyRow>('mcp_keys', 'integration_id', 'integration_id AS "integrationId"')

export const listMcpKeys = KEYS.list
export const findMcpKey = KEYS.find
export const markMcpKeyRevoked = KEYS.markRevoked
export const noteMcpKeyUses = KEYS.noteUses

/** @returns the id assigned */
export function insertMcpKey(row: NewMcpKeyRow): Work<number> {
  const sql = `INSERT INTO mcp_keys
    (integration_id, hash, name, scopes, ip_allow, created_at, expires_at) VALUES
    (@integrationId, @hash, @name, @scopes, @ipAllow, @createdAt, @expiresAt)
    RETURNING id`
  return insert(sql, row)
}

/** A key with its integration. */
export interface BoundMcpKey {
  readonly key: McpKeyRow
  readonly integration: IntegrationRow
}

/** The keys that are not revoked, each with its integration, which may be inactive. */
export function* listBoundMcpKeys(): Work<BoundMcpKey[]> {
  const integrations = new Map<string, IntegrationRow>()
  const sql = `SELECT ${INTEGRATION_FIELDS} FROM integrations WHERE kind = 'mcp'`
  for (const row of yield* all<Parameters<typeof integrationOf>[0]>(sql)) {
    integrations.set(row.id, integrationOf(row))
  }
  return (yield* listMcpKeys()).flatMap((key) => {
    const integration = integrations.get(key.integrationId)
    return integration === undefined || key.revokedAt !== null ? [] : [{ key, integration }]
  })
}
