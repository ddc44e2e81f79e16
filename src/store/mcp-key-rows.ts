import type { ControlFile } from './control-file.js'
import { INTEGRATION_FIELDS, type IntegrationRow, integrationOf } from './integration-rows.js'
import { KEY_FIELDS, type KeyRow, noteUsesIn, revokeIn } from './key-rows.js'

/**
 * A key of an MCP integration, whose accounts and tools are the integration's. Only those of its
 * scopes that the integration has too are effective.
 */
export interface McpKeyRow extends KeyRow {
  integrationId: string
}

/** A key to be stored. */
export type NewMcpKeyRow = Omit<McpKeyRow, 'id' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation'>

const SELECT_KEYS = `SELECT ${KEY_FIELDS}, integration_id AS integrationId FROM mcp_keys`

/** @returns the id assigned */
export function insertMcpKey(control: ControlFile, row: NewMcpKeyRow): number {
  const sql = `INSERT INTO mcp_keys
    (integration_id, hash, name, scopes, ip_allow, created_at, expires_at) VALUES
    (@integrationId, @hash, @name, @scopes, @ipAllow, @createdAt, @expiresAt)`
  return Number(control.run(sql, row).lastInsertRowid)
}

/** All keys, revoked ones too, ids ascending. @param integrationId absent = of all integrations */
export function listMcpKeys(control: ControlFile, integrationId?: string): McpKeyRow[] {
  const only = integrationId ?? null
  const sql = `${SELECT_KEYS} WHERE ? IS NULL OR integration_id = ? ORDER BY id`
  return control.all<McpKeyRow>(sql, only, only)
}

export function findMcpKey(control: ControlFile, id: number): McpKeyRow | undefined {
  return control.first<McpKeyRow>(`${SELECT_KEYS} WHERE id = ?`, id)
}

/** A key with its integration. */
export interface BoundMcpKey {
  readonly key: McpKeyRow
  readonly integration: IntegrationRow
}

/** The keys that are not revoked, each with its integration, which may be inactive. */
export function listBoundMcpKeys(control: ControlFile): BoundMcpKey[] {
  const integrations = new Map<string, IntegrationRow>()
  const sql = `SELECT ${INTEGRATION_FIELDS} FROM integrations WHERE kind = 'mcp'`
  for (const row of control.all<Parameters<typeof integrationOf>[0]>(sql)) {
    integrations.set(row.id, integrationOf(row))
  }
  return listMcpKeys(control).flatMap((key) => {
    const integration = integrations.get(key.integrationId)
    return integration === undefined || key.revokedAt !== null ? [] : [{ key, integration }]
  })
}

/** @returns whether there is such a key; revoking twice keeps the first time */
export const markMcpKeyRevoked = revokeIn('mcp_keys')

/** Stores uses; those of keys that are gone are ignored. */
export const noteMcpKeyUses = noteUsesIn('mcp_keys')
