import type { EpochMs } from '../instant.js'
import type { ControlFile } from './control-file.js'

/** The columns that keys of both kinds have. The key itself is never kept. */
export interface KeyRow {
  id: number
  /** SHA-256 of the key, 32 bytes. */
  hash: Buffer
  name: string
  /** Space-separated scopes. */
  scopes: string
  /** Addresses and networks that may use it, separated by spaces; null = all. */
  ipAllow: string | null
  createdAt: EpochMs
  expiresAt: EpochMs | null
  revokedAt: EpochMs | null
  lastUsedAt: EpochMs | null
  /** operationId or tool of the last use. */
  lastUsedOperation: string | null
}

/** The columns of a {@link KeyRow}. */
export const KEY_FIELDS = `id, hash, name, scopes, ip_allow AS ipAllow, created_at AS createdAt,
  expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt,
  last_used_operation AS lastUsedOperation`

/** A use of a key; of several, the newest is stored. */
export interface KeyUse {
  readonly id: number
  readonly at: EpochMs
  readonly operation: string
}

type KeyTable = 'api_keys' | 'mcp_keys'

/** Makes the function that revokes a key of a table. */
export function revokeIn(table: KeyTable) {
  const sql = `UPDATE ${table} SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?`
  return (control: ControlFile, id: number, at: EpochMs): boolean =>
    control.run(sql, at, id).changes > 0
}

/** Makes the function that stores uses of keys of a table. */
export function noteUsesIn(table: KeyTable) {
  const sql = `UPDATE ${table} SET last_used_at = @at, last_used_operation = @operation
    WHERE id = @id AND coalesce(last_used_at, @at) <= @at`
  return (control: ControlFile, uses: Iterable<KeyUse>): void => {
    for (const use of uses) control.run(sql, use)
  }
}
