import type { EpochMs } from '../instant.js'
import { type KeyRow, keyTable } from './key-rows.js'
import { insert, run, type Work } from './work.js'

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

const KEYS = keyTable<ApiKeyRow>(
  'api_keys',
  'workspace_id',
  `workspace_id AS "workspaceId", workspace_uid AS "workspaceUid", accounts,
    replaced_by AS "replacedBy"`,
)

export const listApiKeys = KEYS.list
export const findApiKey = KEYS.find
export const markApiKeyRevoked = KEYS.markRevoked
export const noteApiKeyUses = KEYS.noteUses

/** @returns the id assigned */
export function insertApiKey(row: NewApiKeyRow): Work<number> {
  const sql = `INSERT INTO api_keys
    (workspace_id, workspace_uid, hash, name, scopes, accounts, ip_allow, created_at, expires_at)
    VALUES (@workspaceId, @workspaceUid, @hash, @name, @scopes, @accounts, @ipAllow, @createdAt,
    @expiresAt) RETURNING id`
  return insert(sql, row)
}

/** Stores a key's successor, and when the key itself expires. */
export function* markApiKeyReplaced(key: {
  readonly id: number
  readonly replacedBy: number
  readonly expiresAt: EpochMs
}): Work<void> {
  const sql =
    'UPDATE api_keys SET replaced_by = @replacedBy, expires_at = @expiresAt WHERE id = @id'
  yield* run(sql, key)
}

/** @returns the number of deleted keys */
export function deleteApiKeys(workspaceId: string): Work<number> {
  return run('DELETE FROM api_keys WHERE workspace_id = @workspaceId', { workspaceId })
}
