import { strict as assert } from 'node:assert'
import type { EpochMs } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import { hasExpired, sweepExpired } from '../store/sweep.js'
import { bindToWorkspaceFile } from '../store/workspace-uid-rows.js'
import { whenKnown } from '../when-known.js'
import type { Access, Caller, IntegrationAccess } from './access.js'
import { AccessTokens } from './access-tokens.js'
import { BlockedKeyUses } from './blocked-key-uses.js'
import { ControlWatch } from './control-watch.js'
import { heldApiKeys, heldMcpKeys } from './held-keys.js'
import { KeyRing } from './key-ring.js'
import { LastUses } from './last-uses.js'
import { flushRefusals, hasRefusalsToFlush } from './refusals.js'
import { hasPrefix } from './secret.js'
import { StoreTrust } from './store-trust.js'

/** Interval between writes of last uses and sweeps of expired rows. */
const CONTROL_UPKEEP_MS = 60_000

/**
 * Rows of each kind that one sweep of expired ones removes: a millisecond or two, three when
 * families are among them. Hashes are scattered: a sweep of a thousand took sixty.
 */
export const SWEEP_ROWS_MAX = 50

/** Pause between two sweeps while rows are left: requests run in between, 1,000 rows a second. */
const SWEEP_PAUSE_MS = 50

assert(SWEEP_PAUSE_MS < CONTROL_UPKEEP_MS)

/** Clocks of a service, and the limit on the age of its control data. */
interface CredentialOptions {
  /** Epoch ms. */
  readonly clock: () => EpochMs
  /** ms with fractions, never decreasing. */
  readonly ticks: () => number
  /** Absent = a limit of one minute. */
  readonly trust?: StoreTrust
}

/**
 * Resolves every valid credential to its access, each on its own surface alone
 * (docs/contract/credentials.md, "Authorization field"). A credential of another surface or kind is
 * treated as unknown.
 */
export class Credentials {
  readonly #trust: StoreTrust
  readonly #apiKeys: KeyRing<Access>
  readonly #mcpKeys: KeyRing<IntegrationAccess>
  readonly #accessTokens: AccessTokens
  readonly #lastUses: LastUses
  readonly #blockedKeyUses: BlockedKeyUses
  /** Workspace -> uid of the file on the first use of a credential without one. */
  readonly #filesMet = new Map<string, string>()

  constructor(
    private readonly control: ControlStore,
    private readonly options: CredentialOptions,
  ) {
    const { clock, ticks, trust = new StoreTrust(control) } = options
    this.#trust = trust
    const watch = new ControlWatch(control, ticks)
    this.#blockedKeyUses = new BlockedKeyUses(control, clock)
    const onBlockedUse = (access: Access, caller: Caller): void =>
      this.#blockedKeyUses.note(access, caller)
    const common = { control, watch, trust, clock, onBlockedUse }
    this.#apiKeys = new KeyRing({ ...common, read: heldApiKeys })
    this.#mcpKeys = new KeyRing({ ...common, read: heldMcpKeys })
    this.#accessTokens = new AccessTokens({ control, watch, trust, clock, ticks })
    this.#lastUses = new LastUses(control, clock)
  }

  /**
   * The access of a credential on the REST operations: an API key, or an oauth2 token. A promise
   * if an asynchronous engine has to read control data. Throws, or rejects with,
   * StoreUnavailableError if the credential cannot be checked.
   */
  forRest(secret: string, caller: Caller): Access | undefined | Promise<Access | undefined> {
    this.#trust.requireValid()
    if (hasPrefix(secret, 'sk-')) return this.#apiKeys.find(secret, caller)
    if (hasPrefix(secret, 'at-')) return this.#tokenOf(secret, 'oauth2')
    return undefined
  }

  /**
   * The access of a credential on an integration's MCP endpoint: one of its keys or tokens. A
   * promise, and an error, as {@link forRest}.
   */
  forMcp(
    secret: string,
    integrationId: string,
    caller: Caller,
  ): IntegrationAccess | undefined | Promise<IntegrationAccess | undefined> {
    this.#trust.requireValid()
    const found = hasPrefix(secret, 'mcp-')
      ? this.#mcpKeys.find(secret, caller)
      : hasPrefix(secret, 'at-')
        ? this.#tokenOf(secret, 'mcp')
        : undefined
    return whenKnown(found, (access) =>
      access?.integration.id === integrationId ? access : undefined,
    )
  }

  /**
   * Rereads the keys if any has changed, so that revoked ones are no longer accepted. Rejects with
   * StoreUnavailableError.
   */
  async readKeys(): Promise<void> {
    await Promise.all([this.#apiKeys.reread(), this.#mcpKeys.reread()])
  }

  /**
   * Notes that a credential was used.
   * @param operation operationId, or name of a tool; `mcp` for other requests of an MCP client
   */
  noteUse(access: Access, operation: string): void {
    this.#lastUses.note(access, operation)
  }

  /** Notes the file with which a credential without one was first used: it will belong to this. */
  noteWorkspaceFile(workspaceId: string, uid: string): void {
    if (!this.#filesMet.has(workspaceId)) this.#filesMet.set(workspaceId, uid)
  }

  /**
   * Writes last uses, blocked uses and refusal counts, and removes expired rows.
   * @returns whether more expired rows may be left
   * @throws StoreError
   */
  async keepUp(): Promise<boolean> {
    await this.#lastUses.write()
    await this.#bindToFiles()
    await this.#blockedKeyUses.write()
    const { control } = this
    const nowMs = this.options.clock()
    // Looked for first: there is mostly nothing to write.
    if (await control.look(() => hasRefusalsToFlush(nowMs))) {
      await control.atomically(() => flushRefusals(nowMs))
    }
    if (!(await control.look(() => hasExpired(nowMs)))) return false
    return (await control.atomically(() => sweepExpired(nowMs, SWEEP_ROWS_MAX))) >= SWEEP_ROWS_MAX
  }

  /**
   * Runs {@link keepUp} every {@link CONTROL_UPKEEP_MS}, sooner while more rows are left to remove,
   * until stopped, and a last time then.
   * @param onFault receives a StoreError; the next run tries again
   * @returns a function that stops it, and resolves after the last run
   */
  keepUpRegularly(onFault: (error: unknown) => void): () => Promise<void> {
    const keepUp = async (): Promise<number> => {
      try {
        return (await this.keepUp()) ? SWEEP_PAUSE_MS : CONTROL_UPKEEP_MS
      } catch (error) {
        onFault(error)
        return CONTROL_UPKEEP_MS
      }
    }
    let timer: NodeJS.Timeout
    let underWay: Promise<unknown> = Promise.resolve()
    let isStopped = false
    const keepUpAfter = (delayMs: number): void => {
      timer = setTimeout(() => {
        underWay = keepUp().then((nextMs) => {
          if (!isStopped) keepUpAfter(nextMs)
        })
      }, delayMs)
      timer.unref()
    }
    keepUpAfter(CONTROL_UPKEEP_MS)
    return async () => {
      isStopped = true
      clearTimeout(timer)
      await underWay
      await keepUp()
    }
  }

  async #bindToFiles(): Promise<void> {
    const met = [...this.#filesMet]
    for (const [workspaceId, uid] of met) {
      await this.control.alone(() => bindToWorkspaceFile(workspaceId, uid))
    }
    for (const [workspaceId] of met) this.#filesMet.delete(workspaceId)
  }

  #tokenOf(
    secret: string,
    kind: 'oauth2' | 'mcp',
  ): IntegrationAccess | undefined | Promise<IntegrationAccess | undefined> {
    return whenKnown(this.#accessTokens.find(secret), (access) =>
      access?.integration.kind === kind ? access : undefined,
    )
  }
}
