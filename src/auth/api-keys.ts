import { type KeyScope, SCOPES, type Scope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'
import { CREDENTIAL_TRUST_MS } from '../limits.js'
import type { ApiKeyRow, ControlFile } from '../store/control-file.js'
import type { Access } from './access.js'
import { createSecret, hashOfSecret, hexHashOfSecret } from './secret.js'

/** What a new key may do. */
export interface NewApiKey {
  readonly workspaceId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** null = all current and future accounts. */
  readonly accountIds: readonly number[] | null
  readonly expiresAtMs: EpochMs | null
}

/** Makes a key. @returns its id, and the key itself, which is never to be had again */
export function createApiKey(
  control: ControlFile,
  key: NewApiKey,
  nowMs: EpochMs,
): { id: number; key: string } {
  const secret = createSecret('sk-')
  const id = control.insertApiKey({
    workspaceId: key.workspaceId,
    hash: hashOfSecret(secret),
    name: key.name,
    scopes: key.scopes.join(' '),
    accounts: key.accountIds === null ? 'all' : key.accountIds.join(','),
    createdAt: nowMs,
    expiresAt: key.expiresAtMs,
  })
  return { id, key: secret }
}

/** Ids of a stored account selection; null = the word `all`. `''` is an empty list. */
export function accountIdsOf(accounts: string): number[] | null {
  if (accounts === 'all') return null
  return accounts === '' ? [] : accounts.split(',').map(Number)
}

/** The scopes of a stored key, unknown words left out. */
export function scopesOf(scopes: string): Scope[] {
  const granted = scopes.split(' ')
  return SCOPES.filter((scope) => granted.includes(scope))
}

/**
 * The API keys that are valid now, by hash, in memory. Whether control.db was written since is
 * asked anew unless that was asked within the last {@link CREDENTIAL_TRUST_MS}, so a revoked key
 * fails on the next request: nobody who has seen the revocation commit can send one sooner.
 */
export class ApiKeys {
  #byHash = new Map<string, Access>()
  #dataVersion = ''
  #askedAtMs = Number.NEGATIVE_INFINITY

  /** @param clock epoch ms   @param ticks ms with fractions, that only grow */
  constructor(
    private readonly control: ControlFile,
    private readonly clock: () => EpochMs,
    private readonly ticks: () => number,
  ) {}

  /**
   * The access of a key, or undefined when it is unknown, expired or revoked. Looked up by its
   * SHA-256, so the time taken tells nothing about a key that is nearly right.
   */
  find(secret: string): Access | undefined {
    this.#refresh()
    const access = this.#byHash.get(hexHashOfSecret(secret))
    if (access === undefined) return undefined
    if (access.expiresAtMs !== Number.POSITIVE_INFINITY && access.expiresAtMs <= this.clock()) {
      return undefined
    }
    return access
  }

  #refresh(): void {
    const nowMs = this.ticks()
    if (nowMs - this.#askedAtMs < CREDENTIAL_TRUST_MS) return
    this.#askedAtMs = nowMs
    const dataVersion = this.control.dataVersion()
    if (dataVersion === this.#dataVersion) return
    const valid = this.control.apiKeys().filter((row) => row.revokedAt === null)
    this.#byHash = new Map(valid.map((row) => [row.hash.toString('hex'), accessOf(row)]))
    this.#dataVersion = dataVersion
  }
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
    scopes: new Set(scopes),
    accountIds: accountIds === null ? null : new Set(accountIds),
    tag: `k${row.id.toString(36)}`,
    expiresAtMs: row.expiresAt ?? Number.POSITIVE_INFINITY,
    keyScope,
  }
}
