import type { KeyScope } from '../domain/key-scope.js'
import { type EpochMs, formatInstant } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import { type AccessTokenRow, findAccessToken } from '../store/token-rows.js'
import { accessTag, type IntegrationAccess, integrationPart } from './access.js'
import type { ControlWatch } from './control-watch.js'
import { detached, hexHashOfSecret } from './secret.js'
import { accountIdsOf, scopesOfAll } from './selection.js'

/** Access tokens whose access is cached: 15 MB; past it all are looked up again. */
export const ACCESS_TOKENS_KNOWN_MAX = 10_000

/**
 * The accesses of access tokens. A token is looked up in control.db, and the result stays valid
 * until the file is written again: so the end of a token, a family, a client or an integration
 * applies to the next request.
 */
export class AccessTokens {
  /** By the text of the token (docs/internals/request.md). */
  readonly #known = new Map<string, IntegrationAccess>()
  /** The part that all tokens of one client and scope share. */
  readonly #shared = new Map<string, SharedAccess>()
  #generation = -1

  constructor(
    private readonly control: ControlStore,
    private readonly watch: ControlWatch,
    private readonly clock: () => EpochMs,
  ) {}

  /**
   * The access of a token, or undefined when it is unknown or expired, or its family, client or
   * integration has ended or is inactive. A promise when it is looked up by an engine that waits.
   */
  find(secret: string): IntegrationAccess | undefined | Promise<IntegrationAccess | undefined> {
    // Before the token is looked up: a write after that is another generation.
    const generation = this.watch.generation()
    if (generation !== this.#generation) {
      this.#known.clear()
      this.#shared.clear()
      this.#generation = generation
    }
    const known = this.#known.get(secret)
    if (known !== undefined) return this.#unexpired(known)
    const hash = hexHashOfSecret(secret)
    const row = this.control.look(() => findAccessToken(Buffer.from(hash, 'hex')))
    if (row instanceof Promise) {
      return row.then((found) => this.#unexpired(this.#accessOf(secret, hash, found, generation)))
    }
    return this.#unexpired(this.#accessOf(secret, hash, row, generation))
  }

  #unexpired(access: IntegrationAccess | undefined): IntegrationAccess | undefined {
    return access === undefined || access.expiresAtMs <= this.clock() ? undefined : access
  }

  /** @param generation of control data when the row was looked for */
  #accessOf(
    secret: string,
    hash: string,
    row: AccessTokenRow | undefined,
    generation: number,
  ): IntegrationAccess | undefined {
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
