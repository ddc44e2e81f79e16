import type { ControlStore } from '../store/control-store.js'
import { StoreAwayError } from '../store/store-error.js'
import { type AccessTokenRow, findAccessTokens, TOKENS_AT_ONCE_MAX } from '../store/token-rows.js'

/** Look-ups that wait; more are refused: tokens are guessed, or the store is slow. */
export const LOOK_UPS_WAITING_MAX = 1_000

interface WaitingLookUp {
  readonly hash: Buffer
  readonly resolve: (row: AccessTokenRow | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Looks up access tokens in a store that waits: those that are asked for within one turn of the
 * event loop, and while an earlier statement is under way, by one statement.
 */
export class TokenReader {
  #waiting: WaitingLookUp[] = []
  #isRunning = false

  constructor(private readonly control: ControlStore) {}

  /** See {@link findAccessTokens}. Rejects with StoreError. */
  find(hash: Buffer): Promise<AccessTokenRow | undefined> {
    if (this.#waiting.length >= LOOK_UPS_WAITING_MAX) {
      return Promise.reject(new StoreAwayError('too many look-ups of tokens wait'))
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

  /** Twice if need be: a connection that was lost while it was idle is found to be so once. */
  async #find(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, AccessTokenRow>> {
    try {
      return await this.control.look(() => findAccessTokens(hashes))
    } catch (error) {
      if (!(error instanceof StoreAwayError)) throw error
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
