import type { EpochMs } from '../instant.js'
import { all, first, hold, insert, run, type Work } from './work.js'

/**
 * One consent of an operator: the family of everything issued for it. Ends when revoked, or when
 * everything issued for it has expired.
 */
export interface GrantRow {
  id: number
  clientId: string
  integrationId: string
  /** The operator who consented; null = deleted since. */
  operatorId: number | null
  /** Space-separated scopes that were consented to. */
  scope: string
  /** The resource named in the request (RFC 8707), or null. */
  resource: string | null
  createdAt: EpochMs
  revokedAt: EpochMs | null
}

/** A grant with its authorization code. */
export interface NewGrantWithCode extends Omit<GrantRow, 'id' | 'revokedAt'> {
  /** SHA-256 of the code, 32 bytes. */
  readonly codeHash: Buffer
  /** As the client sent it; the exchange has to repeat it. */
  readonly redirectUri: string
  /** code_challenge, method S256. */
  readonly challenge: string
  readonly codeExpiresAt: EpochMs
}

/** The columns of a {@link GrantRow} in a query that calls the table `g`. */
export const GRANT_FIELDS = `g.id, g.client_id AS "clientId", g.integration_id AS "integrationId",
  g.operator_id AS "operatorId", g.scope, g.resource, g.created_at AS "createdAt",
  g.revoked_at AS "revokedAt"`

/**
 * Expiry of a family, of the table `g`: the newest pair has it, so that a refresh need not write
 * the row.
 */
export const GRANT_EXPIRY = `coalesce((SELECT
  CASE WHEN t.expires_at > g.expires_at THEN t.expires_at ELSE g.expires_at END
  FROM tokens t WHERE t.grant_id = g.id ORDER BY t.generation DESC LIMIT 1), g.expires_at)`

/** Begins a family with its code. @returns the grant's id */
export function* insertGrantWithCode(grant: NewGrantWithCode): Work<number> {
  const id = yield* insert(
    `INSERT INTO grants
      (client_id, integration_id, operator_id, scope, resource, created_at, expires_at) VALUES
      (@clientId, @integrationId, @operatorId, @scope, @resource, @createdAt, @codeExpiresAt)
      RETURNING id`,
    { ...grant },
  )
  yield* run(
    `INSERT INTO codes (hash, grant_id, redirect_uri, challenge, expires_at)
      VALUES (@codeHash, @id, @redirectUri, @challenge, @codeExpiresAt)`,
    { ...grant, id },
  )
  return id
}

/** A grant with the names of its parties, for operators. */
export interface ListedGrant extends GrantRow {
  workspaceId: string
  clientName: string
  /** null = deleted since. */
  operatorName: string | null
  /** When the family expires. */
  expiresAt: EpochMs
  /** When the newest pair replaced an older one; null = never, or the family has ended. */
  refreshedAt: EpochMs | null
}

/** Conditions for grants; absent = all. */
export interface GrantFilter {
  readonly workspaceId?: string | undefined
  readonly integrationId?: string | undefined
}

/** Grants, newest first; revoked ones too, until they would have expired. */
export function listGrants(filter: GrantFilter): Work<ListedGrant[]> {
  const sql = `SELECT ${GRANT_FIELDS}, ${GRANT_EXPIRY} AS "expiresAt",
    i.workspace_id AS "workspaceId", c.name AS "clientName", o.name AS "operatorName",
    (SELECT used_at FROM tokens WHERE grant_id = g.id AND used_at IS NOT NULL
      ORDER BY generation DESC LIMIT 1) AS "refreshedAt"
    FROM grants g JOIN integrations i ON i.id = g.integration_id
    JOIN clients c ON c.id = g.client_id LEFT JOIN operators o ON o.id = g.operator_id
    WHERE (CAST(@workspaceId AS TEXT) IS NULL OR i.workspace_id = @workspaceId)
      AND (CAST(@integrationId AS TEXT) IS NULL OR i.id = @integrationId)
    ORDER BY g.id DESC`
  const { workspaceId = null, integrationId = null } = filter
  return all<ListedGrant>(sql, { workspaceId, integrationId })
}

export function findGrant(id: number): Work<GrantRow | undefined> {
  return first<GrantRow>(`SELECT ${GRANT_FIELDS} FROM grants g WHERE g.id = @id`, { id })
}

/** A code presented for the first time, before its expiry, with the terms of its grant. */
interface RedeemedCode {
  readonly grant: GrantRow
  readonly redirectUri: string
  readonly challenge: string
}

/** Result of presenting a code; `reused` has ended its family. */
export type RedeemResult =
  | { readonly outcome: 'redeemed'; readonly code: RedeemedCode }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' | 'reused'; readonly grant: GrantRow }

type StoredCode = GrantRow & {
  redirectUri: string
  challenge: string
  codeExpiresAt: EpochMs
  usedAt: EpochMs | null
}

/**
 * Redeems a code. It is marked as used before redirect_uri and verifier are checked, so that there
 * is one attempt, and its second use ends the family. A code of a family that has ended is
 * `unknown`. In that transaction an error is to be returned, not thrown: a rollback would make the
 * code valid again.
 */
export function* redeemCode(hash: Buffer, nowMs: EpochMs): Work<RedeemResult> {
  const family = `SELECT id FROM grants
    WHERE id IN (SELECT grant_id FROM codes WHERE hash = @hash) FOR UPDATE`
  yield* hold(family, { hash })
  const sql = `SELECT ${GRANT_FIELDS}, c.redirect_uri AS "redirectUri", c.challenge,
    c.expires_at AS "codeExpiresAt", c.used_at AS "usedAt"
    FROM codes c JOIN grants g ON g.id = c.grant_id WHERE c.hash = @hash`
  const found = yield* first<StoredCode>(sql, { hash })
  if (found === undefined || found.revokedAt !== null) return { outcome: 'unknown' }
  const { redirectUri, challenge, codeExpiresAt, usedAt, ...grant } = found
  if (usedAt !== null) {
    yield* endGrant(grant.id, nowMs)
    return { outcome: 'reused', grant }
  }
  yield* run('UPDATE codes SET used_at = @nowMs WHERE hash = @hash', { nowMs, hash })
  if (codeExpiresAt <= nowMs) return { outcome: 'expired', grant }
  return { outcome: 'redeemed', code: { grant, redirectUri, challenge } }
}

/**
 * Ends a family: deletes its tokens and invalidates its code. Ending it twice is no error. The row
 * stays until the family would have expired, for lists of revoked grants.
 */
export function* endGrant(id: number, at: EpochMs): Work<void> {
  yield* hold('SELECT id FROM grants WHERE id = @id FOR UPDATE', { id })
  const sql = `UPDATE grants AS g SET revoked_at = coalesce(revoked_at, @at),
    expires_at = ${GRANT_EXPIRY} WHERE id = @id`
  yield* run(sql, { id, at })
  yield* run('DELETE FROM tokens WHERE grant_id = @id', { id })
}
