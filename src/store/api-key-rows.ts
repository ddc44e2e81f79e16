import type { EpochMs } from '../instant.js'
import type { ControlFile } from './control-file.js'

/** An API key as the store keeps it: the key itself is never kept. */
export interface ApiKeyRow {
  id: number
  workspaceId: string
  /** The file of the workspace that it was made for; null = of whichever is there. */
  workspaceUid: string | null
  /** SHA-256 of the key, 32 bytes. */
  hash: Buffer
  name: string
  /** Space-separated scopes. */
  scopes: string
  /** The word `all`, or account ids separated by commas; `''` = none at all. */
  accounts: string
  /** Addresses and networks it may be used from, separated by spaces; null = anywhere. */
  ipAllow: string | null
  createdAt: EpochMs
  expiresAt: EpochMs | null
  revokedAt: EpochMs | null
  lastUsedAt: EpochMs | null
  /** operationId of the last use. */
  lastUsedOperation: string | null
  /** Id of the key that a rotation made in its place. */
  replacedBy: number | null
}

/** A key that is to be kept. */
export type NewApiKeyRow = Omit<
  ApiKeyRow,
  'id' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation' | 'replacedBy'
>

/** A use of a key: the newest of several is kept. */
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

/** Notes a key's successor, and when it ends itself. */
export function markApiKeyReplaced(
  control: ControlFile,
  key: { readonly id: number; readonly replacedBy: number; readonly expiresAt: EpochMs },
): void {
  const sql =
    'UPDATE api_keys SET replaced_by = @replacedBy, expires_at = @expiresAt WHERE id = @id'
  control.run(sql, key)
}

/** Notes uses; a key that is gone meanwhile has none. */
export function noteApiKeyUses(control: ControlFile, uses: Iterable<KeyUse>): void {
  const sql = `UPDATE api_keys SET last_used_at = @at, last_used_operation = @operation
    WHERE id = @id AND coalesce(last_used_at, @at) <= @at`
  for (const use of uses) control.run(sql, use)
}

/** @returns how many there were */
export function deleteApiKeys(control: ControlFile, workspaceId: string): number {
  return control.run('DELETE FROM api_keys WHERE workspace_id = ?', workspaceId).changes
}
