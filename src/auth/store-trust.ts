import type { ControlVersions } from '../store/control-store.js'
import { StoreUnavailableError } from '../store/store-error.js'

/** Up to this age control data count as current: a node polls every half second, or a bit later. */
export const HEARD_FRESH_MS = 2_000

/** Default of `--offline`: how long control data are used without contact with the store. */
export const OFFLINE_MS_DEFAULT = 60_000

/** How long a request waits for a look-up of its credential. */
const LOOK_UP_MS_MAX = 2_000

/**
 * Whether the control data in memory may be used. Where every commit is noticed at once, always.
 * A database may be out of contact: control data are then used up to a limit, and a credential that
 * cannot be looked up counts as unknown, not as invalid.
 */
export class StoreTrust {
  /** @param offlineMs time without contact after which they are unusable; 0 = once it is noticed */
  constructor(
    private readonly versions: ControlVersions,
    private readonly offlineMs = OFFLINE_MS_DEFAULT,
  ) {}

  /** Whether the store is out of contact, so that a query is not worth the wait. */
  get isSilent(): boolean {
    return this.versions.heardAgeMs() > HEARD_FRESH_MS
  }

  /** Milliseconds since the last contact with the store; 0 = it is in contact. */
  get silentMs(): number {
    return this.isSilent ? this.versions.heardAgeMs() : 0
  }

  /** Whether the control data in memory are too old to be used. */
  get hasExpired(): boolean {
    return this.versions.heardAgeMs() > Math.max(HEARD_FRESH_MS, this.offlineMs)
  }

  /** @throws StoreUnavailableError when the control data in memory are too old to be used */
  requireValid(): void {
    if (this.hasExpired) {
      throw new StoreUnavailableError('the database has not answered for too long')
    }
  }

  /** Waits for a look-up. Rejects as it does, or with StoreUnavailableError after two seconds. */
  async inTime<T>(lookUp: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(cannotLookUp()), LOOK_UP_MS_MAX)
      timer.unref()
    })
    try {
      return await Promise.race([lookUp, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The error about a credential that cannot be looked up now; it may be valid. */
export function cannotLookUp(): StoreUnavailableError {
  return new StoreUnavailableError('a credential cannot be looked up now')
}
