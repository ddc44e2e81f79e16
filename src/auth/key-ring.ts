import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import type { Access, Caller } from './access.js'
import type { ControlWatch } from './control-watch.js'
import { type IpRanges, ipAllowOf } from './ip-allow.js'
import { hexHashOfSecret } from './secret.js'

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

/** What a ring of keys works with. */
interface KeyRingParts<A extends Access> {
  readonly control: ControlFile
  readonly watch: ControlWatch
  readonly clock: () => EpochMs
  /** All keys that are not revoked. */
  readonly read: () => readonly HeldKey<A>[]
  /** Told of a valid key that is not to be used from where the caller is. */
  readonly onBlockedUse: (access: A, caller: Caller) => void
}

/**
 * The keys of one kind that are valid now, by hash, in memory; read anew when a key or an
 * integration was changed, which is asked when control.db was written at all.
 */
export class KeyRing<A extends Access> {
  #byHash = new Map<string, Entry<A>>()
  #generation = -1
  #keyVersion = -1

  constructor(private readonly parts: KeyRingParts<A>) {}

  /**
   * The access of a key, or undefined when it is unknown, expired, revoked, or not to be used from
   * where the caller is. Looked up by its SHA-256, so the time taken tells nothing about a key that
   * is nearly right.
   */
  find(secret: string, caller: Caller): A | undefined {
    this.#refresh()
    const entry = this.#byHash.get(hexHashOfSecret(secret))
    if (entry === undefined) return undefined
    const { access, ipAllow } = entry
    const { expiresAtMs } = access
    const isEnding = expiresAtMs !== Number.POSITIVE_INFINITY
    if (isEnding && expiresAtMs <= this.parts.clock()) return undefined
    if (ipAllow === null || ipAllow.includes(caller.remoteAddress)) return access
    this.parts.onBlockedUse(access, caller)
    return undefined
  }

  #refresh(): void {
    const { control, watch, read } = this.parts
    const generation = watch.generation()
    if (generation === this.#generation) return
    // The version before the keys: what is committed in between is then read once more.
    const keyVersion = control.keyVersion()
    if (keyVersion !== this.#keyVersion) {
      this.#byHash = new Map(
        read().map(({ hash, ipAllow, access }) => [
          hash.toString('hex'),
          { access, ipAllow: ipAllowOf(ipAllow) },
        ]),
      )
      this.#keyVersion = keyVersion
    }
    this.#generation = generation
  }
}
