import type { ControlStore } from '../store/control-store.js'
import { StoreUnavailableError } from '../store/store-error.js'
import { type AccessTokenRow, findAccessTokens, TOKENS_AT_ONCE_MAX } from '../store/token-rows.js'

/** Maximum number of waiting look-ups; more are refused: guessed tokens, or a slow store. */
export const LOOK_UPS_WAITING_MAX = 1_000

interface WaitingLookUp {
  readonly hash: Buffer
  readonly resolve: (row: AccessTokenRow | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Looks up access tokens in an asynchronous store, in batches: one statement for all tokens that
 * are requested within one turn of the event loop or while the previous statement runs.
 */
export class TokenReader {
  #waiting: WaitingLookUp[] = []
  #isRunning = false

  constructor(private readonly control: ControlStore) {}

  /** See {@link findAccessTokens}. Rejects with StoreError. */
  find(hash: Buffer): Promise<AccessTokenRow | undefined> {
    if (this.#waiting.length >= LOOK_UPS_WAITING_MAX) {
      return Promise.reject(new StoreUnavailableError('too many look-ups of tokens are waiting'))
    }
    const found = new Promise<AccessTokenRow | undefined>((resolve, reject) => {
      this.#waiting.push({ hash, resolve, reject })
    })
    if (!this.#isRunning) {
      this.#isRunning = true
      setImmediate(() => void this.#run())
    }
    return found
  }

  /** Retried once: an idle connection may have broken, which only its next statement shows. */
  async #find(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, AccessTokenRow>> {
    try {
      return await this.control.look(() => findAccessTokens(hashes))
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      return this.control.look(() => findAccessTokens(hashes))
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, TOKENS_AT_ONCE_MAX)
      try {
        const rows = await this.#find(batch.map(({ hash }) => hash))
        for (const { hash, resolve } of batch) resolve(rows.get(hash.toString('hex')))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isRunning = false
  }
}
