import type { EpochMs } from '../instant.js'
import type { KeyUse } from './api-key-rows.js'
import type { ControlFile } from './control-file.js'
import { INTEGRATION_FIELDS, type IntegrationRow, integrationOf } from './integration-rows.js'

/** A key of an MCP integration, whose accounts and tools are the integration's. */
export interface McpKeyRow {
  id: number
  integrationId: string
  /** SHA-256 of the key, 32 bytes. */
  hash: Buffer
  name: string
  /** Space-separated scopes; only those that the integration has too are effective. */
  scopes: string
  /** Addresses and networks that may use it, separated by spaces; null = all. */
  ipAllow: string | null
  createdAt: EpochMs
  expiresAt: EpochMs | null
  revokedAt: EpochMs | null
  lastUsedAt: EpochMs | null
  /** Tool of the last use. */
  lastUsedOperation: string | null
}

/** A key to be stored. */
export type NewMcpKeyRow = Omit<McpKeyRow, 'id' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation'>

const KEY_FIELDS = `k.id, k.integration_id AS integrationId, k.hash, k.name, k.scopes,
  k.ip_allow AS ipAllow, k.created_at AS createdAt, k.expires_at AS expiresAt,
  k.revoked_at AS revokedAt, k.last_used_at AS lastUsedAt,
  k.last_used_operation AS lastUsedOperation`

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
  const sql = `SELECT ${KEY_FIELDS} FROM mcp_keys k WHERE ? IS NULL OR k.integration_id = ?
    ORDER BY k.id`
  return control.all<McpKeyRow>(sql, only, only)
}

export function findMcpKey(control: ControlFile, id: number): McpKeyRow | undefined {
  return control.first<McpKeyRow>(`SELECT ${KEY_FIELDS} FROM mcp_keys k WHERE k.id = ?`, id)
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
export function markMcpKeyRevoked(control: ControlFile, id: number, at: EpochMs): boolean {
  const sql = 'UPDATE mcp_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?'
  return control.run(sql, at, id).changes > 0
}

/** Stores uses; those of keys that are gone are ignored. */
export function noteMcpKeyUses(control: ControlFile, uses: Iterable<KeyUse>): void {
  const sql = `UPDATE mcp_keys SET last_used_at = @at, last_used_operation = @operation
    WHERE id = @id AND coalesce(last_used_at, @at) <= @at`
  for (const use of uses) control.run(sql, use)
}
