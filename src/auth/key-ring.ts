import type { EpochMs } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import { StoreUnavailableError } from '../store/store-error.js'
import type { Work } from '../store/work.js'
import type { Access, Caller } from './access.js'
import type { ControlWatch } from './control-watch.js'
import { type IpRanges, ipAllowOf } from './ip-allow.js'
import { detached, hexHashOfSecret } from './secret.js'
import { cannotLookUp, type StoreTrust } from './store-trust.js'

/** A key that is valid until it expires. */
export interface HeldKey<A extends Access> {
  /** SHA-256, 32 bytes. */
  readonly hash: Buffer
  /** As stored; null = from anywhere. */
  readonly ipAllow: string | null
  readonly access: A
}

interface Entry<A extends Access> {
  readonly access: A
  readonly ipAllow: IpRanges | null
}

/** The source and the callbacks of a key ring. */
interface KeyRingParts<A extends Access> {
  readonly control: ControlStore
  readonly watch: ControlWatch
  readonly trust: StoreTrust
  readonly clock: () => EpochMs
  /** All keys that are not revoked. */
  readonly read: () => Work<readonly HeldKey<A>[]>
  /** Receives a valid key that is not allowed from the caller's address. */
  readonly onBlockedUse: (access: A, caller: Caller) => void
}

/**
 * The valid keys of one kind, by hash, in memory; reread after a change of a key or an integration,
 * which is checked for after each write to control.db.
 * @see docs/internals/request.md, "Credentials are looked up by SHA-256"
 */
export class KeyRing<A extends Access> {
  #byHash = new Map<string, Entry<A>>()
  /** Those used since the keys were read, by their text. */
  #byText = new Map<string, Entry<A>>()
  #generation = -1
  #keyVersion = -1
  /** A read of the keys by an asynchronous engine, while it is in progress. */
  #reading: { readonly keyVersion: number; readonly done: Promise<void> } | undefined
  /** Whether the last read has failed: keys may have changed since those in memory were read. */
  #isBehind = false

  constructor(private readonly parts: KeyRingParts<A>) {}

  /**
   * The access of a key, or undefined when it is unknown, expired, revoked, or not allowed from the
   * caller's address. A promise while an asynchronous engine rereads the keys. Throws, or rejects
   * with, StoreUnavailableError if the key is not in memory and cannot be looked up.
   */
  find(secret: string, caller: Caller): A | undefined | Promise<A | undefined> {
    const refreshing = this.#refresh()
    if (refreshing === undefined) return this.#findHeld(secret, caller)
    // Copied now: the address is gone once the client has disconnected.
    const { remoteAddress } = caller
    return refreshing.then(() => this.#findHeld(secret, { remoteAddress }))
  }

  /** Rereads the keys now if any has changed. Rejects with StoreUnavailableError. */
  async reread(): Promise<void> {
    // A request may have checked a moment before the change was heard.
    this.parts.watch.expire()
    await this.#refresh(true)
    if (this.#isBehind) throw cannotLookUp()
  }

  #findHeld(secret: string, caller: Caller): A | undefined {
    const entry = this.#byText.get(secret) ?? this.#lookUp(secret)
    if (entry === undefined) {
      if (this.#isBehind || this.parts.trust.isSilent) throw cannotLookUp()
      return undefined
    }
    const { access, ipAllow } = entry
    const { expiresAtMs } = access
    const isEnding = expiresAtMs !== Number.POSITIVE_INFINITY
    if (isEnding && expiresAtMs <= this.parts.clock()) return undefined
    if (ipAllow === null || ipAllow.includes(caller.remoteAddress)) return access
    this.parts.onBlockedUse(access, caller)
    return undefined
  }

  #lookUp(secret: string): Entry<A> | undefined {
    const entry = this.#byHash.get(hexHashOfSecret(secret))
    if (entry !== undefined) this.#byText.set(detached(secret), entry)
    return entry
  }

  /**
   * @param asksSilent whether to query the store even if it is out of contact
   * @returns undefined: the keys are up to date, or as recent as they can be now
   */
  #refresh(asksSilent = false): Promise<void> | undefined {
    const { control, watch, trust, read } = this.parts
    const generation = watch.generation()
    if (generation === this.#generation) return undefined
    // The version is read before the keys: a commit in between then causes another read.
    const keyVersion = control.keyVersion()
    if (keyVersion === this.#keyVersion) {
      this.#generation = generation
      return undefined
    }
    if (trust.isSilent && !asksSilent) return undefined
    if (this.#reading?.keyVersion === keyVersion) return this.#reading.done
    const keys = control.look(read)
    if (keys instanceof Promise) return this.#holdRead(keys, keyVersion, generation)
    this.#hold(keys, keyVersion, generation)
    return undefined
  }

  /** One read for all callers of the same version; if it fails, the known keys stay. */
  #holdRead(
    keys: Promise<readonly HeldKey<A>[]>,
    keyVersion: number,
    generation: number,
  ): Promise<void> {
    const hold = async (): Promise<void> => {
      try {
        this.#hold(await this.parts.trust.inTime(keys), keyVersion, generation)
        this.#isBehind = false
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error
        this.#isBehind = true
      } finally {
        if (this.#reading === reading) this.#reading = undefined
      }
    }
    const reading = { keyVersion, done: hold() }
    this.#reading = reading
    return reading.done
  }

  #hold(keys: readonly HeldKey<A>[], keyVersion: number, generation: number): void {
    // A later reading may have ended before.
    if (generation < this.#generation) return
    this.#byHash = new Map(
      keys.map(({ hash, ipAllow, access }) => [
        hash.toString('hex'),
        { access, ipAllow: ipAllowOf(ipAllow) },
      ]),
    )
    this.#byText = new Map()
    this.#keyVersion = keyVersion
    this.#generation = generation
  }
}
