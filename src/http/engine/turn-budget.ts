import { RoundRobin } from '../../threads/round-robin.js'

/** Requests before the clock starts: nearly all turns have fewer, and cost no timer. */
const UNTIMED_MAX = 32

/** Requests that begin in any turn, however long they take: a client may pipeline some. */
const REQUESTS_MIN = 48

/** Requests that begin in any turn at most once its time is over, with those that cannot wait. */
const REQUESTS_MAX = 96

/** Waiting requests of one connection that are parsed though the turn has no time left. */
const PIPELINED_MAX = 32

/**
 * Waiting requests of all connections that are parsed in one turn; past it and the time, one of
 * each connection. Parsing is not free: with hundreds of connections it took most of a turn.
 */
const PIPELINED_TURN_MAX = 320

/** Time for requests of one turn, and for waiting ones at its end. */
const TURN_MS_MAX = 5

/**
 * The same in a turn that has accepted a connection: libuv accepts one in each turn, so the next in
 * the backlog waits for the end of it.
 */
const ACCEPTING_MS_MAX = 1

/** Requests that begin in such a turn, and that wait on one connection, however long they take. */
const ACCEPTING_MIN = 8

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
  /** Pipelined requests kept since the last end of a turn. */
  #pipelinedCount = 0
  #hasAccepted = false

  /** @param ticks ms with fractions, never decreasing */
  constructor(private readonly ticks: () => number = () => performance.now()) {}

  /** A caller that no other call returns, and no credential is: for a connection without one. */
  nameCaller(): string {
    this.#nameCount += 1
    return `#${this.#nameCount}`
  }

  /** A connection was accepted in this turn. */
  accept(): void {
    this.hasTime()
    this.#hasAccepted = true
  }

  /** Whether one more request may begin in this turn; it is counted if so. */
  take(): boolean {
    const [untimedMax, min] = this.#hasAccepted
      ? [ACCEPTING_MIN, ACCEPTING_MIN]
      : [UNTIMED_MAX, REQUESTS_MIN]
    const isOver = this.#begunCount >= untimedMax && !this.hasTime()
    if (isOver && this.#begunCount >= min) return false
    this.#begunCount += 1
    return true
  }

  /** {@link take} for a request that cannot wait: past the time, some more of these may begin. */
  takeExtra(): boolean {
    this.#begunCount += 1
    return this.#begunCount <= REQUESTS_MAX
  }

  /** Counts a request that waits behind another one of its connection. */
  keepPipelined(): void {
    this.#pipelinedCount += 1
  }

  /** Whether a connection with this many waiting requests is read further in this turn. */
  mayPipeline(waitingCount: number): boolean {
    const max = this.#hasAccepted ? ACCEPTING_MIN : PIPELINED_MAX
    if (this.#pipelinedCount >= PIPELINED_TURN_MAX) return waitingCount < 1 || this.hasTime()
    return waitingCount < max || this.hasTime()
  }

  /** Whether this turn has time left; starts its clock. */
  hasTime(): boolean {
    if (this.#isTimed) return this.ticks() - this.#startedMs < this.#msMax
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

  get #msMax(): number {
    return this.#hasAccepted ? ACCEPTING_MS_MAX : TURN_MS_MAX
  }

  #end(): void {
    const msMax = this.#msMax
    this.#isTimed = false
    this.#hasAccepted = false
    this.#begunCount = 0
    this.#pipelinedCount = 0
    const startedMs = this.ticks()
    for (let begin = this.#waiting.shift(); begin !== undefined; begin = this.#waiting.shift()) {
      begin()
      if (this.ticks() - startedMs >= msMax) break
    }
    // The next turn, which has its input before its end, goes on with the rest.
    if (this.#waiting.count > 0) this.hasTime()
  }
}
