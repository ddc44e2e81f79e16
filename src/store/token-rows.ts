import type { IntegrationKind } from '../domain/integration.js'
import type { EpochMs } from '../instant.js'
import { endGrant, GRANT_FIELDS, type GrantRow } from './grant-rows.js'
import { all, first, hold, run, type Work } from './work.js'

/** An access token and the refresh token that renews it; only hashes are stored. */
export interface NewTokenPair {
  /** SHA-256 of each token, 32 bytes. */
  readonly accessHash: Buffer
  readonly refreshHash: Buffer
  /** Space-separated scopes; a refresh may ask for fewer than the family has. */
  readonly accessScope: string
  readonly refreshScope: string
  readonly createdAt: EpochMs
  readonly accessExpiresAt: EpochMs
  readonly refreshExpiresAt: EpochMs
}

/** Adds a pair to a family. */
export function* issueTokenPair(grantId: number, pair: NewTokenPair): Work<void> {
  const sql = 'SELECT coalesce(max(generation), 0) AS newest FROM tokens WHERE grant_id = @grantId'
  const found = yield* first<{ newest: number }>(sql, { grantId })
  yield* insertPair({ ...pair, grantId, generation: (found?.newest ?? 0) + 1 })
  const expiresAt = Math.max(pair.accessExpiresAt, pair.refreshExpiresAt)
  const lasting = `UPDATE grants SET expires_at = @expiresAt
    WHERE id = @grantId AND expires_at < @expiresAt`
  yield* run(lasting, { grantId, expiresAt })
}

/** Position of a pair: its family, and its number in that. */
interface PairPlace {
  readonly grantId: number
  readonly generation: number
}

function insertPair(pair: NewTokenPair & PairPlace): Work<number> {
  const sql = `INSERT INTO tokens (grant_id, generation, access_hash, refresh_hash, access_scope,
    refresh_scope, created_at, access_expires_at, refresh_expires_at) VALUES (@grantId, @generation,
    @accessHash, @refreshHash, @accessScope, @refreshScope, @createdAt, @accessExpiresAt,
    @refreshExpiresAt)`
  return run(sql, { ...pair })
}

/** A refresh token whose family has not ended. */
export interface RefreshTokenRow {
  readonly grant: GrantRow
  /** Space-separated scopes of this token. */
  readonly tokenScope: string
  /** Number of the pair in its family. */
  readonly generation: number
  readonly expiresAt: EpochMs
  readonly usedAt: EpochMs | null
}

const HOLD_REFRESHED = `SELECT id FROM grants
  WHERE id IN (SELECT grant_id FROM tokens WHERE refresh_hash = @hash) FOR UPDATE`

type StoredRefreshToken = GrantRow & Omit<RefreshTokenRow, 'grant'>

/** Holds the family of a refresh token, and finds the token, a used or expired one too. */
export function* findRefreshToken(hash: Buffer): Work<RefreshTokenRow | undefined> {
  yield* hold(HOLD_REFRESHED, { hash })
  const sql = `SELECT ${GRANT_FIELDS}, t.refresh_scope AS "tokenScope", t.generation,
    t.refresh_expires_at AS "expiresAt", t.used_at AS "usedAt"
    FROM tokens t JOIN grants g ON g.id = t.grant_id
    WHERE t.refresh_hash = @hash AND g.revoked_at IS NULL`
  const found = yield* first<StoredRefreshToken>(sql, { hash })
  if (found === undefined) return undefined
  const { tokenScope, generation, expiresAt, usedAt, ...grant } = found
  return { grant, tokenScope, generation, expiresAt, usedAt }
}

/** Result of presenting a refresh token; `unknown` also when its family has ended. */
export type TokenRotation = 'rotated' | 'unknown' | 'expired' | 'reused'

/** {@link rotateFound} of the refresh token with that hash, if there is one. */
export function* rotateRefresh(
  hash: Buffer,
  pair: NewTokenPair,
  nowMs: EpochMs,
): Work<TokenRotation> {
  const found = yield* findRefreshToken(hash)
  return found === undefined ? 'unknown' : yield* rotateFound(found, pair, nowMs)
}

/**
 * Replaces the pair of a refresh token, which was found within the same transaction, by a new pair.
 * The second use of one token ends the family: `reused`. In that transaction an error is to be
 * returned, not thrown: a rollback would undo that.
 */
export function* rotateFound(
  { grant, generation, expiresAt, usedAt }: RefreshTokenRow,
  pair: NewTokenPair,
  nowMs: EpochMs,
): Work<TokenRotation> {
  const grantId = grant.id
  if (usedAt !== null) {
    yield* endGrant(grantId, nowMs)
    return 'reused'
  }
  if (expiresAt <= nowMs) return 'expired'
  // Not deleted: revoking it revokes its family, for as long as it would have lived.
  const sql = `UPDATE tokens SET used_at = @nowMs
    WHERE grant_id = @grantId AND generation = @generation`
  yield* run(sql, { nowMs, grantId, generation })
  // The newest pair of its family, because only that one is unused.
  yield* insertPair({ ...pair, grantId, generation: generation + 1 })
  return 'rotated'
}

/**
 * Ends the family of a token, access or refresh, when it is the client's own; also of one that a
 * refresh has replaced, because its holder may have more tokens of the family (RFC 7009, 2.1).
 * @returns the family, or undefined when the client has no such token
 */
export function* revokeByTokenHash(
  hash: Buffer,
  { clientId, nowMs }: { readonly clientId: string; readonly nowMs: EpochMs },
): Work<GrantRow | undefined> {
  const family = `SELECT id FROM grants WHERE id IN
    (SELECT grant_id FROM tokens WHERE refresh_hash = @hash OR access_hash = @hash) FOR UPDATE`
  yield* hold(family, { hash })
  const sql = `SELECT ${GRANT_FIELDS} FROM tokens t JOIN grants g ON g.id = t.grant_id
    WHERE (t.refresh_hash = @hash OR t.access_hash = @hash AND t.access_expires_at > @nowMs)
      AND g.client_id = @clientId AND g.revoked_at IS NULL`
  const grant = yield* first<GrantRow>(sql, { hash, clientId, nowMs })
  if (grant !== undefined) yield* endGrant(grant.id, nowMs)
  return grant
}

/** A usable access token, with its terms. */
export interface AccessTokenRow {
  grantId: number
  clientId: string
  clientName: string
  integrationId: string
  integrationName: string
  kind: IntegrationKind
  workspaceId: string
  /** The integration's; see IntegrationRow. */
  workspaceUid: string | null
  /** Space-separated scopes of token, client and integration; those that all three have, count. */
  scope: string
  clientScopes: string
  integrationScopes: string
  /** The integration's; see IntegrationRow. */
  accounts: string
  tools: string
  masksIbans: number
  masksNames: number
  createdAt: EpochMs
  expiresAt: EpochMs
}

/** Active, not revoked and not replaced tokens; the caller checks the expiry. */
const SELECT_ACCESS_TOKEN = `SELECT g.id AS "grantId", c.id AS "clientId", c.name AS "clientName",
  i.id AS "integrationId", i.name AS "integrationName", i.kind, i.workspace_id AS "workspaceId",
  i.workspace_uid AS "workspaceUid", t.access_scope AS scope,
  c.scopes AS "clientScopes", i.scopes AS "integrationScopes", i.accounts, i.tools,
  i.mask_ibans AS "masksIbans", i.mask_names AS "masksNames", t.created_at AS "createdAt",
  t.access_expires_at AS "expiresAt"
  FROM tokens t JOIN grants g ON g.id = t.grant_id JOIN clients c ON c.id = g.client_id
  JOIN integrations i ON i.id = g.integration_id
  WHERE t.used_at IS NULL AND g.revoked_at IS NULL AND c.active = 1 AND i.active = 1`

/** An access token of an active client of an active integration, expired ones too. */
export function findAccessToken(hash: Buffer): Work<AccessTokenRow | undefined> {
  return first<AccessTokenRow>(`${SELECT_ACCESS_TOKEN} AND t.access_hash = @hash`, { hash })
}

/** Tokens that {@link findAccessTokens} looks up at once. */
export const TOKENS_AT_ONCE_MAX = 64

const HASHES = Array.from({ length: TOKENS_AT_ONCE_MAX }, (_, i) => `hash${i}`)

const SELECT_ACCESS_TOKENS = SELECT_ACCESS_TOKEN.replace(
  'SELECT ',
  'SELECT t.access_hash AS "accessHash", ',
).concat(` AND t.access_hash IN (${HASHES.map((name) => `@${name}`).join(', ')})`)

/**
 * {@link findAccessToken} of up to {@link TOKENS_AT_ONCE_MAX} tokens.
 * @returns what is found, by the hash in hex digits
 */
export function* findAccessTokens(
  hashes: readonly Buffer[],
): Work<ReadonlyMap<string, AccessTokenRow>> {
  const values = Object.fromEntries(HASHES.map((name, i) => [name, hashes[i] ?? null]))
  const rows = yield* all<AccessTokenRow & { accessHash: Buffer }>(SELECT_ACCESS_TOKENS, values)
  return new Map(rows.map(({ accessHash, ...row }) => [accessHash.toString('hex'), row]))
}
