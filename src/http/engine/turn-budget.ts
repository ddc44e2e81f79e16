import { RoundRobin } from '../../threads/round-robin.js'

/** Requests before the clock starts: nearly all turns have fewer, and cost no timer. */
const UNTIMED_MAX = 32

/** Requests that begin in any turn, however long they take: a client may pipeline some. */
const REQUESTS_MIN = 48

/** Requests that begin in any turn at most once its time is over, with those that cannot wait. */
const REQUESTS_MAX = 96

/** Time for requests of one turn, and for waiting ones at its end. */
const TURN_MS_MAX = 5

/**
 * Bounds the requests that begin in one turn of the event loop. All bytes that the sockets have are
 * parsed in one turn: without a bound, thousands of pipelined requests would be answered before the
 * next request of another connection is read. Requests past the bound wait for the end of the turn,
 * and begin caller by caller; their rest waits for the end of the next.
 *
 *   TURN    SOCKETS                                  AT THE END
 *   1       requests 1 to 48 of A, request 1 of B    A49, B1, A50; then the time is over
 *   2       request 1 of C                           A51
 */
export class TurnBudget {
  readonly #waiting = new RoundRobin<() => void>()
  /** Requests begun since the last end of a turn. */
  #begunCount = 0
  #startedMs = 0
  #isTimed = false
  #nameCount = 0

  /** @param ticks ms with fractions, never decreasing */
  constructor(private readonly ticks: () => number = () => performance.now()) {}

  /** A caller that no other call returns, and no credential is: for a connection without one. */
  nameCaller(): string {
    this.#nameCount += 1
    return `#${this.#nameCount}`
  }

  /** Whether one more request may begin in this turn; it is counted if so. */
  take(): boolean {
    const isOver = this.#begunCount >= UNTIMED_MAX && !this.hasTime()
    if (isOver && this.#begunCount >= REQUESTS_MIN) return false
    this.#begunCount += 1
    return true
  }

  /** {@link take} for a request that cannot wait: past the time, some more of these may begin. */
  takeExtra(): boolean {
    this.#begunCount += 1
    return this.#begunCount <= REQUESTS_MAX
  }

  /** Whether this turn has time left; starts its clock. */
  hasTime(): boolean {
    if (this.#isTimed) return this.ticks() - this.#startedMs < TURN_MS_MAX
    this.#isTimed = true
    this.#startedMs = this.ticks()
    setImmediate(() => this.#end())
    return true
  }

  /** Calls `begin` at the end of this turn or of a later one. @param caller takes turns */
  wait(caller: string, begin: () => void): void {
    this.hasTime()
    this.#waiting.push(caller, begin)
  }

  #end(): void {
    this.#isTimed = false
    this.#begunCount = 0
    const startedMs = this.ticks()
    for (let begin = this.#waiting.shift(); begin !== undefined; begin = this.#waiting.shift()) {
      begin()
      if (this.ticks() - startedMs >= TURN_MS_MAX) break
    }
    // The next turn, which has its input before its end, goes on with the rest.
    if (this.#waiting.count > 0) this.hasTime()
  }
}
