import type { EpochMs } from '../instant.js'
import { all, first, run, type Work } from './work.js'

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
const KEY_FIELDS = `id, hash, name, scopes, ip_allow AS "ipAllow", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt",
  last_used_operation AS "lastUsedOperation"`

/** A use of a key; of several, the newest is stored. */
export interface KeyUse {
  readonly id: number
  readonly at: EpochMs
  readonly operation: string
}

/**
 * Makes the functions that read and change the keys of a table.
 * @param owner the column of their workspace or integration
 * @param ownFields the columns that keys of the other kind have not
 */
export function keyTable<Row extends KeyRow>(
  table: 'api_keys' | 'mcp_keys',
  owner: 'workspace_id' | 'integration_id',
  ownFields: string,
) {
  const select = `SELECT ${KEY_FIELDS}, ${ownFields} FROM ${table}`
  const selectOwned = `${select} WHERE CAST(@ownerId AS TEXT) IS NULL OR ${owner} = @ownerId
    ORDER BY id`
  const selectOne = `${select} WHERE id = @id`
  const revoke = `UPDATE ${table} SET revoked_at = coalesce(revoked_at, @at) WHERE id = @id`
  const noteUse = `UPDATE ${table} SET last_used_at = @at, last_used_operation = @operation
    WHERE id = @id AND coalesce(last_used_at, @at) <= @at`
  return {
    /** All keys, revoked ones too, ids ascending. @param ownerId absent = of all owners */
    list: (ownerId: string | null = null): Work<Row[]> => all<Row>(selectOwned, { ownerId }),
    find: (id: number): Work<Row | undefined> => first<Row>(selectOne, { id }),
    /** @returns whether there is such a key; revoking twice keeps the first time */
    *markRevoked(id: number, at: EpochMs): Work<boolean> {
      return (yield* run(revoke, { id, at })) > 0
    },
    /** Stores uses; those of keys that are gone are ignored. */
    *noteUses(uses: Iterable<KeyUse>): Work<void> {
      for (const use of uses) yield* run(noteUse, { ...use })
    },
  }
}
