import { RoundRobin } from '../threads/round-robin.js'

/**
 * Resumes one caller in each tick of the event loop, credential by credential and in order of
 * arrival: requests that arrive together would otherwise all be answered in one tick, and a read
 * that arrives meanwhile would wait for all of them instead of one.
 *
 *   TURN    SOCKETS                            THEN
 *   1       calls 1, 2, 3 of A, call 1 of B    A1
 *   2       read C: answered                   A2
 *   3                                          B1
 *   4                                          A3
 *
 * A queue with rests leaves the event loop to all others for a millisecond after some callers.
 */
export class TickQueue {
  readonly #waiting = new RoundRobin<() => void>()
  #isTaken = false
  /** Callers since the last rest. */
  #streak = 0

  /**
   * @param streakMax callers from one rest to the next
   * @param later runs a function after a millisecond
   */
  constructor(
    private readonly streakMax = Number.POSITIVE_INFINITY,
    private readonly later: (run: () => void) => unknown = (run) => setTimeout(run, 1),
  ) {}

  /** Fulfilled when it is the caller's turn; never rejects. */
  waitTurn(credentialId: string): Promise<void> {
    return new Promise((resolve) => this.callInTurn(credentialId, resolve))
  }

  /** Calls `proceed`, which does not throw, when it is the caller's turn. */
  callInTurn(credentialId: string, proceed: () => void): void {
    if (this.#isTaken) {
      this.#waiting.push(credentialId, proceed)
      return
    }
    this.#isTaken = true
    // A caller that arrives alone is resumed at once, among the sockets; the next one a tick later.
    setImmediate(() => this.#begin())
    proceed()
  }

  #begin(): void {
    this.#isTaken = true
    setImmediate(() => {
      const proceed = this.#waiting.shift()
      if (proceed === undefined) {
        this.#isTaken = false
        this.#streak = 0
        return
      }
      this.#streak = (this.#streak + 1) % this.streakMax
      if (this.#streak === 0) this.later(() => this.#begin())
      else this.#begin()
      proceed()
    })
  }
}
