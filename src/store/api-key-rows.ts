import type { EpochMs } from '../instant.js'
import type { ControlFile } from './control-file.js'
import { KEY_FIELDS, type KeyRow, noteUsesIn, revokeIn } from './key-rows.js'

/** An API key as the store keeps it. */
export interface ApiKeyRow extends KeyRow {
  workspaceId: string
  /** Uid of the workspace file that the key was made for; null = unbound: any file will do. */
  workspaceUid: string | null
  /** The word `all`, or account ids separated by commas; `''` = none at all. */
  accounts: string
  /** Id of the key that replaced it by rotation. */
  replacedBy: number | null
}

/** A key to be stored. */
export type NewApiKeyRow = Omit<
  ApiKeyRow,
  'id' | 'revokedAt' | 'lastUsedAt' | 'lastUsedOperation' | 'replacedBy'
>

const SELECT_KEYS = `SELECT ${KEY_FIELDS}, workspace_id AS workspaceId,
  workspace_uid AS workspaceUid, accounts, replaced_by AS replacedBy FROM api_keys`

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
export const markApiKeyRevoked = revokeIn('api_keys')

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
export const noteApiKeyUses = noteUsesIn('api_keys')

/** @returns the number of deleted keys */
export function deleteApiKeys(control: ControlFile, workspaceId: string): number {
  return control.run('DELETE FROM api_keys WHERE workspace_id = ?', workspaceId).changes
}
