import type { KeyScope, Scope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'
import {
  type ApiKeyRow,
  findApiKey,
  insertApiKey,
  listApiKeys,
  markApiKeyReplaced,
  markApiKeyRevoked,
} from '../store/api-key-rows.js'
import type { ControlFile } from '../store/control-file.js'
import { type Access, accessTag } from './access.js'
import { type AuditContext, audited, auditedChange, isRevoked } from './audit.js'
import type { HeldKey } from './key-ring.js'
import { createSecret, hashOfSecret } from './secret.js'
import { accountIdsOf, accountsText, scopesOf, scopesText } from './selection.js'

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
export function createApiKey(context: AuditContext, key: NewApiKey): CreatedKey {
  const { control, nowMs } = context
  const secret = createSecret('sk-')
  const { workspaceId, name, ipAllow } = key
  return audited(context, (record) => {
    const id = insertApiKey(control, {
      workspaceId,
      workspaceUid: key.workspaceUid ?? null,
      hash: hashOfSecret(secret),
      name,
      scopes: scopesText(key.scopes),
      accounts: accountsText(key.accountIds),
      ipAllow: ipAllow?.join(' ') ?? null,
      createdAt: nowMs,
      expiresAt: key.expiresAtMs,
    })
    const accounts = key.accountIds ?? 'all'
    const detail = { name, scopes: key.scopes, accounts, ...boundsOf(ipAllow, key.expiresAtMs) }
    record({ action: 'api_key.create', subject: id, workspaceId, detail })
    return { id, key: secret }
  })
}

/** The expiry and the addresses of a new key, for the audit log; unrestricted ones are left out. */
export function boundsOf(ipAllow: readonly string[] | undefined, expiresAtMs: EpochMs | null) {
  return {
    ...(expiresAtMs === null ? {} : { expiresAt: formatInstant(expiresAtMs) }),
    ...(ipAllow === undefined ? {} : { ipAllow }),
  }
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
): RotatedKey {
  const { control, nowMs } = context
  return audited(context, (record) => {
    const old = findApiKey(control, id)
    if (old === undefined) return { outcome: 'unknown' }
    if (old.revokedAt !== null) return { outcome: 'revoked' }
    if (old.expiresAt !== null && old.expiresAt <= nowMs) return { outcome: 'expired' }
    if (old.replacedBy !== null) return { outcome: 'already_rotated' }
    const secret = createSecret('sk-')
    const { workspaceId, workspaceUid, name, scopes, accounts, ipAllow } = old
    const expiresAt = expiresAtMs === undefined ? old.expiresAt : expiresAtMs
    const hash = hashOfSecret(secret)
    const kept = { workspaceId, workspaceUid, name, scopes, accounts, ipAllow }
    const replacedBy = insertApiKey(control, { ...kept, hash, createdAt: nowMs, expiresAt })
    const oldExpiresAtMs = Math.min(nowMs + overlapMs, old.expiresAt ?? Number.POSITIVE_INFINITY)
    markApiKeyReplaced(control, { id, replacedBy, expiresAt: oldExpiresAtMs })
    const bounds = boundsOf(ipAllow?.split(' '), expiresAt)
    const detail = { replacedBy, oldExpiresAt: formatInstant(oldExpiresAtMs), ...bounds }
    record({ action: 'api_key.rotate', subject: id, workspaceId, detail })
    return { outcome: 'rotated', created: { id: replacedBy, key: secret }, oldExpiresAtMs }
  })
}

/** Revokes a key. @returns whether there is such a key; revoking twice keeps the first time */
export const revokeApiKey = auditedChange({
  action: 'api_key.revoke',
  find: findApiKey,
  isDone: isRevoked,
  write: markApiKeyRevoked,
  fieldsOf: ({ id, workspaceId }) => ({ subject: id, workspaceId }),
})

/** The API keys that are not revoked, in the form of a key ring. */
export function heldApiKeys(control: ControlFile): HeldKey<Access>[] {
  const valid = listApiKeys(control).filter((row) => row.revokedAt === null)
  return valid.map((row) => ({ hash: row.hash, ipAllow: row.ipAllow, access: accessOf(row) }))
}

function accessOf(row: ApiKeyRow): Access {
  const accountIds = accountIdsOf(row.accounts)
  const scopes = scopesOf(row.scopes)
  const keyScope: KeyScope = {
    workspaceId: row.workspaceId,
    type: 'apiKey',
    scopes,
    accounts: accountIds,
    name: row.name,
    createdAt: formatInstant(row.createdAt),
    ...(row.expiresAt === null ? {} : { expiresAt: formatInstant(row.expiresAt) }),
  }
  return {
    workspaceId: row.workspaceId,
    workspaceUid: row.workspaceUid,
    scopes: new Set(scopes),
    accountIds: accountIds === null ? null : new Set(accountIds),
    credentialId: `key:${row.id}`,
    tag: accessTag(`k${row.id.toString(36)}`, keyScope),
    expiresAtMs: row.expiresAt ?? Number.POSITIVE_INFINITY,
    keyScope,
    key: { kind: 'api', id: row.id },
  }
}
