import type { ClientType } from '../domain/integration.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from './sqlite/control-file.js'

/** A program registered with an integration's issuer (RFC 6749, 2). */
export interface ClientRow {
  /** client_id, `[-a-zA-Z0-9_]+`. */
  id: string
  integrationId: string
  name: string
  type: ClientType
  /** SHA-256 of the client secret, 32 bytes; null = a public client, which has none. */
  secretHash: Buffer | null
  /** Permitted redirect URIs, compared character by character. */
  redirectUris: string[]
  /** Space-separated scopes. */
  scopes: string
  isActive: boolean
  /** Registered by an operator, or by the program itself (RFC 7591). */
  registered: 'operator' | 'dynamic'
  createdAt: EpochMs
}

type StoredClient = Omit<ClientRow, 'redirectUris' | 'isActive'> & {
  redirectUris: string
  isActive: number
}

const SELECT_CLIENTS = `SELECT id, integration_id AS integrationId, name, type,
  secret_hash AS secretHash, redirect_uris AS redirectUris, scopes, active AS isActive, registered,
  created_at AS createdAt FROM clients`

function clientOf(stored: StoredClient): ClientRow {
  return {
    ...stored,
    redirectUris: JSON.parse(stored.redirectUris) as string[],
    isActive: stored.isActive === 1,
  }
}

export function insertClient(control: ControlFile, row: ClientRow): void {
  const sql = `INSERT INTO clients (id, integration_id, name, type, secret_hash, redirect_uris,
    scopes, active, registered, created_at) VALUES (@id, @integrationId, @name, @type, @secretHash,
    @redirectUris, @scopes, @isActive, @registered, @createdAt)`
  const redirectUris = JSON.stringify(row.redirectUris)
  control.run(sql, { ...row, redirectUris, isActive: Number(row.isActive) })
}

export function findClient(control: ControlFile, id: string): ClientRow | undefined {
  const stored = control.first<StoredClient>(`${SELECT_CLIENTS} WHERE id = ?`, id)
  return stored === undefined ? undefined : clientOf(stored)
}

/** All clients, oldest first. @param integrationId absent = of all integrations */
export function listClients(control: ControlFile, integrationId?: string): ClientRow[] {
  const only = integrationId ?? null
  const sql = `${SELECT_CLIENTS} WHERE ? IS NULL OR integration_id = ? ORDER BY created_at, rowid`
  return control.all<StoredClient>(sql, only, only).map(clientOf)
}

/** Number of an integration's clients that registered themselves. */
export function countDynamicClients(control: ControlFile, integrationId: string): number {
  const sql = `SELECT count(*) AS count FROM clients
    WHERE integration_id = ? AND registered = 'dynamic'`
  return control.first<{ count: number }>(sql, integrationId)?.count ?? 0
}

/**
 * Deletes the clients of an integration that registered themselves and have no grant: no operator
 * has consented to them, or every consent has ended.
 * @returns the number of deleted clients
 */
export function deleteUnusedDynamicClients(
  control: ControlFile,
  integrationId: string,
  createdBeforeMs: EpochMs,
): number {
  const sql = `DELETE FROM clients WHERE integration_id = ? AND registered = 'dynamic'
    AND created_at < ? AND NOT EXISTS
      (SELECT 1 FROM grants WHERE client_id = clients.id AND revoked_at IS NULL)`
  return control.run(sql, integrationId, createdBeforeMs).changes
}

/**
 * Deletes the oldest client that has registered itself with an integration and has no grant, live
 * or revoked.
 * @returns its id, or undefined when each has one or was made later
 */
export function deleteOldestUnconsentedClient(
  control: ControlFile,
  integrationId: string,
  createdBeforeMs: EpochMs,
): string | undefined {
  const sql = `DELETE FROM clients WHERE id =
    (SELECT id FROM clients WHERE integration_id = ? AND registered = 'dynamic'
      AND created_at < ? AND NOT EXISTS (SELECT 1 FROM grants WHERE client_id = clients.id)
      ORDER BY created_at, rowid LIMIT 1)
    RETURNING id`
  return control.first<{ id: string }>(sql, integrationId, createdBeforeMs)?.id
}

/** @returns whether there is such a client */
export function updateClientActive(
  control: ControlFile,
  { id, isActive }: { readonly id: string; readonly isActive: boolean },
): boolean {
  const sql = 'UPDATE clients SET active = ? WHERE id = ?'
  return control.run(sql, Number(isActive), id).changes > 0
}

/** Deletes it with its grants and tokens. @returns whether there was one */
export function deleteClientRow(control: ControlFile, id: string): boolean {
  return control.run('DELETE FROM clients WHERE id = ?', id).changes > 0
}
