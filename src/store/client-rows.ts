import type { ClientType } from '../domain/integration.js'
import type { EpochMs } from '../instant.js'
import { all, first, hold, run, type Work } from './work.js'

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

const SELECT_CLIENTS = `SELECT id, integration_id AS "integrationId", name, type,
  secret_hash AS "secretHash", redirect_uris AS "redirectUris", scopes, active AS "isActive",
  registered, created_at AS "createdAt" FROM clients`

function clientOf(stored: StoredClient): ClientRow {
  return {
    ...stored,
    redirectUris: JSON.parse(stored.redirectUris) as string[],
    isActive: stored.isActive === 1,
  }
}

export function* insertClient(row: ClientRow): Work<void> {
  const sql = `INSERT INTO clients (id, integration_id, name, type, secret_hash, redirect_uris,
    scopes, active, registered, created_at) VALUES (@id, @integrationId, @name, @type, @secretHash,
    @redirectUris, @scopes, @isActive, @registered, @createdAt)`
  const redirectUris = JSON.stringify(row.redirectUris)
  yield* run(sql, { ...row, redirectUris, isActive: Number(row.isActive) })
}

export function* findClient(id: string): Work<ClientRow | undefined> {
  const stored = yield* first<StoredClient>(`${SELECT_CLIENTS} WHERE id = @id`, { id })
  return stored === undefined ? undefined : clientOf(stored)
}

/** All clients, oldest first. @param integrationId absent = of all integrations */
export function* listClients(integrationId?: string): Work<ClientRow[]> {
  const sql = `${SELECT_CLIENTS} WHERE CAST(@only AS TEXT) IS NULL OR integration_id = @only
    ORDER BY created_at, rowid`
  return (yield* all<StoredClient>(sql, { only: integrationId ?? null })).map(clientOf)
}

/**
 * Holds an integration before its clients are counted: no other client registers itself meanwhile.
 */
export function holdIntegration(integrationId: string): Work<void> {
  return hold('SELECT id FROM integrations WHERE id = @integrationId FOR UPDATE', { integrationId })
}

/** Number of an integration's clients that registered themselves. */
export function* countDynamicClients(integrationId: string): Work<number> {
  const sql = `SELECT count(*) AS count FROM clients
    WHERE integration_id = @integrationId AND registered = 'dynamic'`
  return (yield* first<{ count: number }>(sql, { integrationId }))?.count ?? 0
}

/**
 * Deletes the clients of an integration that registered themselves and have no grant: no operator
 * has consented to them, or every consent has ended.
 * @returns the number of deleted clients
 */
export function deleteUnusedDynamicClients(
  integrationId: string,
  createdBeforeMs: EpochMs,
): Work<number> {
  const sql = `DELETE FROM clients WHERE integration_id = @integrationId AND registered = 'dynamic'
    AND created_at < @createdBeforeMs AND NOT EXISTS
      (SELECT 1 FROM grants WHERE client_id = clients.id AND revoked_at IS NULL)`
  return run(sql, { integrationId, createdBeforeMs })
}

/**
 * Deletes the oldest client that has registered itself with an integration and has no grant, live
 * or revoked.
 * @returns its id, or undefined when each has one or was made later
 */
export function* deleteOldestUnconsentedClient(
  integrationId: string,
  createdBeforeMs: EpochMs,
): Work<string | undefined> {
  const sql = `DELETE FROM clients WHERE id =
    (SELECT id FROM clients WHERE integration_id = @integrationId AND registered = 'dynamic'
      AND created_at < @createdBeforeMs
      AND NOT EXISTS (SELECT 1 FROM grants WHERE client_id = clients.id)
      ORDER BY created_at, rowid LIMIT 1)
    RETURNING id`
  return (yield* first<{ id: string }>(sql, { integrationId, createdBeforeMs }))?.id
}

/** @returns whether there is such a client */
export function* updateClientActive({
  id,
  isActive,
}: {
  readonly id: string
  readonly isActive: boolean
}): Work<boolean> {
  const sql = 'UPDATE clients SET active = @isActive WHERE id = @id'
  return (yield* run(sql, { id, isActive: Number(isActive) })) > 0
}

/** Deletes it with its grants and tokens. @returns whether there was one */
export function* deleteClientRow(id: string): Work<boolean> {
  return (yield* run('DELETE FROM clients WHERE id = @id', { id })) > 0
}
