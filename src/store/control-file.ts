import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '../instant.js'
import { type Connection, explainFaults, openDatabase } from './database.js'
import { CONTROL_MIGRATIONS } from './schema.js'

/** An API key as the store keeps it: the key itself is never kept. */
export interface ApiKeyRow {
  id: number
  workspaceId: string
  /** SHA-256 of the key, 32 bytes. */
  hash: Buffer
  name: string
  /** Space-separated scopes. */
  scopes: string
  /** The word `all`, or account ids separated by commas; `''` = none at all. */
  accounts: string
  createdAt: EpochMs
  expiresAt: EpochMs | null
  revokedAt: EpochMs | null
}

const SELECT_KEYS = `SELECT id, workspace_id AS workspaceId, hash, name, scopes, accounts,
  created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt FROM api_keys`

/** `control.db`: who may read what. Every method may throw StoreError. */
export class ControlFile {
  readonly #dataVersion: Statement
  /** SQLite's data version only tells of other connections. */
  #ownWrites = 0

  private constructor(
    readonly path: string,
    private readonly connection: Connection,
  ) {
    this.#dataVersion = connection.prepare('PRAGMA data_version').pluck()
  }

  /** Opens for reading and writing; makes the file when it is missing. */
  static open(path: string): ControlFile {
    return new ControlFile(path, openDatabase(path, CONTROL_MIGRATIONS))
  }

  close(): void {
    this.connection.close()
  }

  /**
   * Differs from the last call's whenever anybody has committed to the file since, this connection
   * included. Costs about two microseconds: a lock of the write-ahead log, no row.
   */
  dataVersion(): string {
    return `${this.#dataVersion.get()}.${this.#ownWrites}`
  }

  /** @returns the id assigned */
  insertApiKey(row: Omit<ApiKeyRow, 'id' | 'revokedAt'>): number {
    const sql = `INSERT INTO api_keys
      (workspace_id, hash, name, scopes, accounts, created_at, expires_at) VALUES
      (@workspaceId, @hash, @name, @scopes, @accounts, @createdAt, @expiresAt)`
    return this.#written(() => Number(this.connection.prepare(sql).run(row).lastInsertRowid))
  }

  /** All keys, revoked ones too, ids ascending. @param workspaceId absent = of all workspaces */
  apiKeys(workspaceId?: string): ApiKeyRow[] {
    const sql = `${SELECT_KEYS} WHERE ? IS NULL OR workspace_id = ? ORDER BY id`
    const only = workspaceId ?? null
    return this.#explained(() => this.connection.prepare(sql).all(only, only) as ApiKeyRow[])
  }

  /** @returns whether there is such a key; revoking twice keeps the first time */
  revokeApiKey(id: number, at: EpochMs): boolean {
    const sql = 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?'
    return this.#written(() => this.connection.prepare(sql).run(at, id).changes > 0)
  }

  /** Removes every credential of a workspace. @returns how many */
  deleteWorkspaceCredentials(workspaceId: string): number {
    const sql = 'DELETE FROM api_keys WHERE workspace_id = ?'
    return this.#written(() => this.connection.prepare(sql).run(workspaceId).changes)
  }

  #written<T>(write: () => T): T {
    this.#ownWrites += 1
    return this.#explained(write)
  }

  #explained<T>(use: () => T): T {
    return explainFaults(this.path, use)
  }
}
