import type { EpochMs } from '../instant.js'
import type { ControlFile } from './control-file.js'

/** An API key as the store keeps it: the key itself is never kept. */
export interface ApiKeyRow {
  id: number
  workspaceId: string
  /** Uid of the workspace file that the key was made for; null = unbound: any file will do. */
  workspaceUid: string | null
  /** SHA-256 of the key, 32 bytes. */
  hash: Buffer
  name: string
  /** Space-separated scopes. */
  scopes: string
  /** The word `all`, or account ids separated by commas; `''` = none at all. */
  accounts: string
  /** Addresses and networks that may use it, separated by spaces; null = all. */
  ipAllow: string | null
  createdAt: EpochMs
  expiresAt: EpochMs | null
  revokedAt: EpochMs | null
  lastUsedAt: EpochMs | null
  /** operationId of the last use. */
  lastUsedOperation: string | null
  /** Id of the key that replaced it by rotation. */
  replacedBy: number | null
}

/** A key to be stored. */
export type NewApiKeyRow = Omit<
  ApiKeyRow,
  'id' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation' | 'replacedBy'
>

/** A use of a key; of several, the newest is stored. */
export interface KeyUse {
  readonly id: number
  readonly at: EpochMs
  readonly operation: string
}

const SELECT_KEYS = `SELECT id, workspace_id AS workspaceId,
  workspace_uid AS workspaceUid, hash, name, scopes, accounts,
  ip_allow AS ipAllow, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt,
  last_used_at AS lastUsedAt, last_used_operation AS lastUsedOperation, replaced_by AS replacedBy
  FROM api_keys`

/** @returns the id assigned */
export function insertApiKey(control: ControlFile, row: NewApiKeyRow): number {
  const sql = `INSERT INTO api_keys
    (workspace_id, workspace_uid, hash, name, scopes, accounts, ip_allow, created_at, expires_at)
    VALUES (@workspaceId, @workspaceUid, @hash, @name, @scopes, @accounts, @ipAllow, @createdAt,
    @expiresAt)`
  return Number(control.run(sql, row).lastInsertRowid)
}

/** All keys, revoked ones too, ids ascending. @param workspaceId absent = of all workspaces */
export function listApiKeys(control: ControlFile, workspaceId?: string): ApiKeyRow[] {
  const only = workspaceId ?? null
  const sql = `${SELECT_KEYS} WHERE ? IS NULL OR workspace_id = ? ORDER BY id`
  return control.all<ApiKeyRow>(sql, only, only)
}

export function findApiKey(control: ControlFile, id: number): ApiKeyRow | undefined {
  return control.first<ApiKeyRow>(`${SELECT_KEYS} WHERE id = ?`, id)
}

/** @returns whether there is such a key; revoking twice keeps the first time */
export function markApiKeyRevoked(control: ControlFile, id: number, at: EpochMs): boolean {
  const sql = 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?'
  return control.run(sql, at, id).changes > 0
}

/** Stores a key's successor, and when the key itself expires. */
export function markApiKeyReplaced(
  control: ControlFile,
  key: { readonly id: number; readonly replacedBy: number; readonly expiresAt: EpochMs },
): void {
  const sql =
    'UPDATE api_keys SET replaced_by = @replacedBy, expires_at = @expiresAt WHERE id = @id'
  control.run(sql, key)
}

/** Stores uses; those of keys that are gone are ignored. */
export function noteApiKeyUses(control: ControlFile, uses: Iterable<KeyUse>): void {
  const sql = `UPDATE api_keys SET last_used_at = @at, last_used_operation = @operation
    WHERE id = @id AND coalesce(last_used_at, @at) <= @at`
  for (const use of uses) control.run(sql, use)
}

/** @returns the number of deleted keys */
export function deleteApiKeys(control: ControlFile, workspaceId: string): number {
  return control.run('DELETE FROM api_keys WHERE workspace_id = ?', workspaceId).changes
}
