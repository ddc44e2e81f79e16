import type { KeyScope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import { StoreUnavailableError } from '../store/store-error.js'
import { type AccessTokenRow, findAccessToken } from '../store/token-rows.js'
import { accessTag, type IntegrationAccess, integrationPart } from './access.js'
import type { ControlWatch } from './control-watch.js'
import { detached, hexHashOfSecret } from './secret.js'
import { accountIdsOf, scopesOfAll } from './selection.js'
import { cannotLookUp, type StoreTrust } from './store-trust.js'
import { TokenReader } from './token-reader.js'

/** Access tokens whose access is cached: 15 MB; past it all are looked up again. */
export const ACCESS_TOKENS_KNOWN_MAX = 10_000

/**
 * Time to live of a look-up where commits are not noticed at once: a token that another node has
 * replaced is accepted no longer than this.
 */
const TOKEN_TTL_MS = 1_000

/** Age at which a look-up is refreshed in the background, so that requests seldom wait for one. */
const TOKEN_RECHECK_MS = 500

/** Clocks, and the state of the store. */
interface AccessTokenParts {
  readonly control: ControlStore
  readonly watch: ControlWatch
  readonly trust: StoreTrust
  readonly clock: () => EpochMs
  /** ms with fractions, never decreasing. */
  readonly ticks: () => number
}

/**
 * The accesses of access tokens. A token is looked up in the store, and the result is cached until
 * the next write to the store, so the end of a token, family, client or integration applies to the
 * next request. Where the store does not notice every write at once, the result is cached for
 * {@link TOKEN_TTL_MS} at most, and longer only while the store is out of contact.
 */
export class AccessTokens {
  /** By the text of the token (docs/internals/request.md). */
  readonly #known = new Map<string, TokenAccess>()
  /** Tokens that were not found, and when; only where writes are not noticed at once. */
  readonly #unknown = new Map<string, number>()
  /** The part that all tokens of one client and scope share. */
  readonly #shared = new Map<string, SharedAccess>()
  readonly #reader: TokenReader
  #generation = -1

  constructor(private readonly parts: AccessTokenParts) {
    this.#reader = new TokenReader(parts.control)
  }

  /**
   * The access of a token, or undefined when it is unknown or expired, or its family, client or
   * integration has ended or is inactive. A promise if an asynchronous engine looks it up. Throws,
   * or rejects with, StoreUnavailableError if the token is not cached and cannot be looked up.
   */
  find(secret: string): IntegrationAccess | undefined | Promise<IntegrationAccess | undefined> {
    const { control, watch } = this.parts
    // Before the token is looked up: a write after that is another generation.
    const generation = watch.generation()
    if (generation !== this.#generation) {
      this.#known.clear()
      this.#unknown.clear()
      this.#shared.clear()
      this.#generation = generation
    }
    const known = this.#known.get(secret)
    if (!control.noticesAtOnce) return this.#findCached(secret, known, generation)
    if (known !== undefined) return this.#unexpired(known)
    const hash = hexHashOfSecret(secret)
    const row = control.look(() => findAccessToken(Buffer.from(hash, 'hex')))
    if (row instanceof Promise) {
      return row.then((found) => this.#unexpired(this.#accessOf(secret, hash, found, generation)))
    }
    return this.#unexpired(this.#accessOf(secret, hash, row, generation))
  }

  /** {@link find} in a store that does not notice every write at once. */
  #findCached(
    secret: string,
    known: TokenAccess | undefined,
    generation: number,
  ): IntegrationAccess | undefined | Promise<IntegrationAccess | undefined> {
    const { trust, ticks, control } = this.parts
    const isCurrent = known?.checkedRenewals === control.renewalCount
    const ageMs = known && isCurrent ? ticks() - known.checkedMs : Number.POSITIVE_INFINITY
    if (trust.isSilent) {
      if (known === undefined) throw cannotLookUp()
      return this.#unexpired(known)
    }
    if (ageMs >= TOKEN_TTL_MS) return this.#lookUp(secret, known, generation)
    if (known !== undefined && ageMs >= TOKEN_RECHECK_MS && !known.isChecking) {
      known.isChecking = true
      // An error is not lost: the next request that has to wait gets it from its own look-up.
      this.#lookUp(secret, known, generation).catch(() => undefined)
    }
    return this.#unexpired(known)
  }

  async #lookUp(
    secret: string,
    known: TokenAccess | undefined,
    generation: number,
  ): Promise<IntegrationAccess | undefined> {
    const { ticks, trust, watch, control } = this.parts
    const askedMs = ticks()
    const { renewalCount } = control
    if (askedMs - (this.#unknown.get(secret) ?? Number.NEGATIVE_INFINITY) < TOKEN_TTL_MS) {
      return undefined
    }
    const hash = hexHashOfSecret(secret)
    try {
      const row = await trust.inTime(this.#reader.find(Buffer.from(hash, 'hex')))
      const isCurrent = generation === this.#generation
      if (isCurrent && row === undefined) this.#forget(secret, askedMs)
      const access = this.#accessOf(secret, hash, row, generation)
      if (access !== undefined) {
        access.checkedMs = askedMs
        access.checkedRenewals = renewalCount
      }
      return this.#unexpired(access)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      // Later changes are unknown, so only a token cached in this generation is still accepted.
      if (known === undefined || watch.generation() !== generation) throw error
      known.isChecking = false
      return this.#unexpired(known)
    }
  }

  #forget(secret: string, askedMs: number): void {
    this.#known.delete(secret)
    if (this.#unknown.size >= ACCESS_TOKENS_KNOWN_MAX) this.#unknown.clear()
    this.#unknown.set(detached(secret), askedMs)
  }

  #unexpired(access: IntegrationAccess | undefined): IntegrationAccess | undefined {
    return access === undefined || access.expiresAtMs <= this.parts.clock() ? undefined : access
  }

  /** @param generation of control data when the row was looked for */
  #accessOf(
    secret: string,
    hash: string,
    row: AccessTokenRow | undefined,
    generation: number,
  ): TokenAccess | undefined {
    if (row === undefined) return undefined
    // What was found in an earlier generation answers its own request, and no later one.
    const isCurrent = generation === this.#generation
    const shared = isCurrent ? this.#sharedOf(row) : sharedOf(row)
    // 64 bits of a hash: enough to differ, too few to reveal it.
    const access = new TokenAccess(row, shared, `t${hash.slice(0, 16)}${shared.tag}`)
    if (!isCurrent) return access
    if (this.#known.size >= ACCESS_TOKENS_KNOWN_MAX) this.#known.clear()
    this.#known.set(detached(secret), access)
    return access
  }

  #sharedOf(row: AccessTokenRow): SharedAccess {
    const key = `${row.clientId} ${row.scope}`
    let shared = this.#shared.get(key)
    if (shared === undefined) {
      shared = sharedOf(row)
      this.#shared.set(key, shared)
    }
    return shared
  }
}

type SharedAccess = Pick<
  IntegrationAccess,
  'scopes' | 'accountIds' | 'integration' | 'credentialId' | 'tag'
> & {
  readonly keyScope: Omit<KeyScope, 'createdAt' | 'expiresAt'>
}

function sharedOf(row: AccessTokenRow): SharedAccess {
  const accountIds = accountIdsOf(row.accounts)
  const scopes = scopesOfAll(row.scope, row.clientScopes, row.integrationScopes)
  const { workspaceId, integrationId, clientId } = row
  const keyScope = {
    workspaceId,
    type: 'oauth' as const,
    scopes,
    accounts: accountIds,
    name: row.clientName,
    clientId,
    integrationId,
  }
  return {
    scopes: new Set(scopes),
    accountIds: accountIds === null ? null : new Set(accountIds),
    credentialId: `client:${clientId}`,
    tag: accessTag('', keyScope),
    keyScope,
    integration: integrationPart({
      id: integrationId,
      kind: row.kind,
      name: row.integrationName,
      tools: row.tools,
      masksIbans: row.masksIbans === 1,
      masksNames: row.masksNames === 1,
    }),
  }
}

class TokenAccess implements IntegrationAccess {
  readonly key = null
  /** When the token was last looked up, in ticks; only where writes are not noticed at once. */
  checkedMs = 0
  /** {@link ControlVersions.renewalCount} before that. */
  checkedRenewals = 0
  /** Whether it is being looked up again. */
  isChecking = false

  constructor(
    private readonly row: AccessTokenRow,
    private readonly shared: SharedAccess,
    readonly tag: string,
  ) {}

  get workspaceId(): string {
    return this.row.workspaceId
  }

  get workspaceUid(): string | null {
    return this.row.workspaceUid
  }

  get credentialId(): string {
    return this.shared.credentialId
  }

  get scopes(): IntegrationAccess['scopes'] {
    return this.shared.scopes
  }

  get accountIds(): IntegrationAccess['accountIds'] {
    return this.shared.accountIds
  }

  get expiresAtMs(): EpochMs {
    return this.row.expiresAt
  }

  get integration(): IntegrationAccess['integration'] {
    return this.shared.integration
  }

  /** Built on first use: one operation needs it, every first use of a token would pay for it. */
  get keyScope(): KeyScope {
    const createdAt = formatInstant(this.row.createdAt)
    return { ...this.shared.keyScope, createdAt, expiresAt: formatInstant(this.row.expiresAt) }
  }
}
