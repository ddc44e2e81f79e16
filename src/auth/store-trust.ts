import type { ControlVersions } from '../store/control-store.js'
import { StoreAwayError } from '../store/store-error.js'

/** Silence of the store that means nothing: it is heard each half second, or somewhat later. */
export const HEARD_FRESH_MS = 2_000

/** How long what was known is believed while the store is silent, unless an operator decides. */
export const OFFLINE_MS_DEFAULT = 60_000

/** How long a request waits for a look-up of its credential. */
const LOOK_UP_MS_MAX = 2_000

/**
 * What may be believed of control data in memory. Where every commit is noticed at once that is
 * all of it. Where the store is another machine it may be silent: what is known is then believed
 * for a while, and what cannot be looked up is not known to be wrong.
 */
export class StoreTrust {
  /** @param offlineMs silence after which nothing is believed; 0 = as soon as it is noticed */
  constructor(
    private readonly versions: ControlVersions,
    private readonly offlineMs = OFFLINE_MS_DEFAULT,
  ) {}

  /** Whether the store has not been heard lately: it is not worth asking. */
  get isSilent(): boolean {
    return this.versions.heardAgeMs() > HEARD_FRESH_MS
  }

  /** For how many milliseconds the store has been silent; 0 = it is heard. */
  get silentMs(): number {
    return this.isSilent ? this.versions.heardAgeMs() : 0
  }

  /** Whether all that is in memory is too old to be believed. */
  get isOver(): boolean {
    return this.versions.heardAgeMs() > Math.max(HEARD_FRESH_MS, this.offlineMs)
  }

  /** @throws StoreAwayError when nothing in memory is believed any more */
  refuseOver(): void {
    if (this.isOver) throw new StoreAwayError('the database has not been heard for too long')
  }

  /** Waits for a look-up. Rejects as it does, and with StoreAwayError when it takes too long. */
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

/** The error about a credential that cannot be looked up now: it may be a valid one. */
export function cannotLookUp(): StoreAwayError {
  return new StoreAwayError('a credential cannot be looked up now')
}
