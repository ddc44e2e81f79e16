import type { EpochMs } from '../../instant.js'
import { StoreAwayError } from '../store-error.js'

/** One look at the clock of a database. */
export interface TimeAnswer {
  /** Monotonic milliseconds before the question was sent, and after its answer had come. */
  readonly askedMs: number
  readonly answeredMs: number
  /** What the database's clock said in between. */
  readonly databaseMs: EpochMs
}

/**
 * The clock of a database, read between two looks at it: monotonic time and an offset, so that the
 * clock of this machine and its steps have no effect.
 */
export class DatabaseTime {
  #offsetMs: number | undefined
  #latestMs = Number.NEGATIVE_INFINITY

  /** @param clock monotonic milliseconds */
  constructor(private readonly clock: () => number) {}

  /**
   * An answer bounds the offset. The one in use stays as long as it is within the bounds: the
   * middle of each answer would move it by half of what the answer took.
   */
  note({ askedMs, answeredMs, databaseMs }: TimeAnswer): void {
    const [least, most] = [databaseMs - answeredMs, databaseMs - askedMs]
    const offsetMs = this.#offsetMs ?? (least + most) / 2
    this.#offsetMs = Math.min(Math.max(offsetMs, least), most)
  }

  /**
   * Whole milliseconds, never less than before: after a step back of the database's clock, time
   * stands still until that has caught up.
   * @throws StoreAwayError before the first answer
   */
  now(): EpochMs {
    if (this.#offsetMs === undefined) {
      throw new StoreAwayError('the database has not told its time yet')
    }
    this.#latestMs = Math.max(this.#latestMs, Math.floor(this.clock() + this.#offsetMs))
    return this.#latestMs
  }
}
