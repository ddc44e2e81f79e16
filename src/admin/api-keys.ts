import { createSecret, hashOfSecret } from '../auth/secret.js'
import { accountIdsOf, accountsText, scopesText } from '../auth/selection.js'
import type { Scope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'
import {
  type ApiKeyRow,
  findApiKey as findApiKeyRow,
  insertApiKey,
  listApiKeys as listApiKeyRows,
  markApiKeyReplaced,
  markApiKeyRevoked,
} from '../store/api-key-rows.js'
import type { Work } from '../store/work.js'
import { type AuditContext, audited, auditedChange } from './audited-change.js'
import { boundsOf, isRevoked, type KeyTerms, keyTermsOf } from './key-terms.js'

/** An API key as operators see it. The key itself is never kept. */
export interface ApiKey extends Omit<ApiKeyRow, 'hash' | 'accounts' | keyof KeyTerms>, KeyTerms {
  /** null = all current and future accounts. */
  readonly accountIds: readonly number[] | null
}

function apiKeyOf({ hash: _, accounts, ...row }: ApiKeyRow, nowMs: EpochMs): ApiKey {
  return { ...row, ...keyTermsOf(row, nowMs), accountIds: accountIdsOf(accounts) }
}

/** All keys, revoked ones too, ids ascending. @param workspaceId absent = of all workspaces */
export async function listApiKeys(
  { control, nowMs }: AuditContext,
  workspaceId?: string,
): Promise<ApiKey[]> {
  return (await control.look(() => listApiKeyRows(workspaceId))).map((row) => apiKeyOf(row, nowMs))
}

/** A key, revoked or not; undefined = there is none. */
export async function findApiKey(
  { control, nowMs }: AuditContext,
  id: number,
): Promise<ApiKey | undefined> {
  const row = await control.look(() => findApiKeyRow(id))
  return row && apiKeyOf(row, nowMs)
}

/** The permissions of a new key. */
export interface NewApiKey {
  readonly workspaceId: string
  /** The workspace's file (its `uid`); absent = the one at its first use. */
  readonly workspaceUid?: string | null | undefined
  readonly name: string
  readonly scopes: readonly Scope[]
  /** null = all current and future accounts. */
  readonly accountIds: readonly number[] | null
  readonly expiresAtMs: EpochMs | null
  /** Addresses and networks it may be used from ({@link ipAllowFault}); absent = anywhere. */
  readonly ipAllow?: readonly string[] | undefined
}

/** A new key: its id, and the key itself, which cannot be read again. */
export interface CreatedKey {
  readonly id: number
  readonly key: string
}

/** Creates a key. */
export function createApiKey(context: AuditContext, key: NewApiKey): Promise<CreatedKey> {
  const secret = createSecret('sk-')
  const { workspaceId, name, ipAllow } = key
  return audited(context, function* (record) {
    const id = yield* insertApiKey({
      workspaceId,
      workspaceUid: key.workspaceUid ?? null,
      hash: hashOfSecret(secret),
      name,
      scopes: scopesText(key.scopes),
      accounts: accountsText(key.accountIds),
      ipAllow: ipAllow?.join(' ') ?? null,
      createdAt: context.nowMs,
      expiresAt: key.expiresAtMs,
    })
    const accounts = key.accountIds ?? 'all'
    const detail = { name, scopes: key.scopes, accounts, ...boundsOf(ipAllow, key.expiresAtMs) }
    yield* record({ action: 'api_key.create', subject: id, workspaceId, detail })
    return { id, key: secret }
  })
}

/** How a key is replaced by another one with the same permissions. */
export interface KeyRotation {
  readonly id: number
  /**
   * How long the old key keeps working after the rotation; 0 = not at all. Never extends its
   * expiry.
   */
  readonly overlapMs: number
  /** The expiry of the new key; null = never, undefined = that of the old one. */
  readonly expiresAtMs?: EpochMs | null | undefined
}

/** The outcome of a rotation. */
export type RotatedKey =
  | { readonly outcome: 'rotated'; readonly created: CreatedKey; readonly oldExpiresAtMs: EpochMs }
  | { readonly outcome: 'unknown' | 'revoked' | 'expired' | 'already_rotated' }

/** Creates a key's successor, with the same name, scopes, accounts and addresses. */
export function rotateApiKey(
  context: AuditContext,
  { id, overlapMs, expiresAtMs }: KeyRotation,
): Promise<RotatedKey> {
  const { nowMs } = context
  return audited(context, function* (record): Work<RotatedKey> {
    const old = yield* findApiKeyRow(id)
    if (old === undefined) return { outcome: 'unknown' }
    if (old.revokedAt !== null) return { outcome: 'revoked' }
    if (old.expiresAt !== null && old.expiresAt <= nowMs) return { outcome: 'expired' }
    if (old.replacedBy !== null) return { outcome: 'already_rotated' }
    const secret = createSecret('sk-')
    const { workspaceId, workspaceUid, name, scopes, accounts, ipAllow } = old
    const expiresAt = expiresAtMs === undefined ? old.expiresAt : expiresAtMs
    const hash = hashOfSecret(secret)
    const kept = { workspaceId, workspaceUid, name, scopes, accounts, ipAllow }
    const replacedBy = yield* insertApiKey({ ...kept, hash, createdAt: nowMs, expiresAt })
    const oldExpiresAtMs = Math.min(nowMs + overlapMs, old.expiresAt ?? Number.POSITIVE_INFINITY)
    yield* markApiKeyReplaced({ id, replacedBy, expiresAt: oldExpiresAtMs })
    const bounds = boundsOf(ipAllow?.split(' '), expiresAt)
    const detail = { replacedBy, oldExpiresAt: formatInstant(oldExpiresAtMs), ...bounds }
    yield* record({ action: 'api_key.rotate', subject: id, workspaceId, detail })
    return { outcome: 'rotated', created: { id: replacedBy, key: secret }, oldExpiresAtMs }
  })
}

/** Revokes a key. @returns whether there is such a key; revoking twice keeps the first time */
export const revokeApiKey = auditedChange({
  action: 'api_key.revoke',
  find: findApiKeyRow,
  isDone: isRevoked,
  write: markApiKeyRevoked,
  fieldsOf: ({ id, workspaceId }) => ({ subject: id, workspaceId }),
})
