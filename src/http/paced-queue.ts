/**
 * Resumes one caller at the end of a tick of the event loop, after all input of the sockets, and
 * the next one after a rest, in order of arrival: for work of lower priority than reads. However
 * many callers wait, reads have most of the time.
 *
 *   TURN    SOCKETS                      AT THE END
 *   1       call A, read B: answered     A
 *           rest
 *   9       call C, read D: answered     C
 */
export class PacedQueue {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /**
   * @param restMs from the start of one caller to the next, at least; its work is included
   * @param later runs a function after a number of milliseconds
   */
  constructor(
    private readonly restMs: number,
    private readonly later: (run: () => void, ms: number) => unknown = setTimeout,
  ) {}

  /** Fulfilled when it is the caller's turn; never rejects. */
  async waitTurn(): Promise<void> {
    if (!this.#isTaken) this.#begin()
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  #begin(): void {
    this.#isTaken = true
    setImmediate(() => {
      const proceed = this.#waiting.shift()
      if (proceed === undefined) {
        this.#isTaken = false
        return
      }
      this.later(() => this.#begin(), this.restMs)
      proceed()
    })
  }
}
