import type { EpochMs } from '../../instant.js'
import { StoreUnavailableError } from '../store-error.js'

/** One reading of the clock of a database. */
export interface TimeAnswer {
  /** Monotonic milliseconds before the request was sent, and after the answer was received. */
  readonly askedMs: number
  readonly answeredMs: number
  /** Time of the database's clock in between. */
  readonly databaseMs: EpochMs
}

/**
 * Estimates the clock of a database between two readings: monotonic time plus an offset, so that
 * the clock of this machine and its steps have no effect.
 */
export class DatabaseTime {
  #offsetMs: number | undefined
  #latestMs = Number.NEGATIVE_INFINITY

  /** @param clock monotonic milliseconds */
  constructor(private readonly clock: () => number) {}

  /**
   * Each reading bounds the offset. The present offset stays while it is within the bounds; the
   * midpoint of each reading would shift it by up to half of the round-trip time.
   */
  note({ askedMs, answeredMs, databaseMs }: TimeAnswer): void {
    const [least, most] = [databaseMs - answeredMs, databaseMs - askedMs]
    const offsetMs = this.#offsetMs ?? (least + most) / 2
    this.#offsetMs = Math.min(Math.max(offsetMs, least), most)
  }

  /**
   * Whole milliseconds, never decreasing: if the database's clock is set back, time stands still
   * until that clock has caught up.
   * @throws StoreUnavailableError before the first answer
   */
  now(): EpochMs {
    if (this.#offsetMs === undefined) {
      throw new StoreUnavailableError('the time of the database is not known yet')
    }
    this.#latestMs = Math.max(this.#latestMs, Math.floor(this.clock() + this.#offsetMs))
    return this.#latestMs
  }
}
