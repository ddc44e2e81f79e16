/**
 * Lets one caller go on at the end of a turn of the event loop, after all that the sockets have
 * brought, and the next one after a rest, in the order they came: for work that is waited for less
 * than a read is. However many ask, reads have most of the time.
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
   * @param restMs from one caller to the next, at least; its own work is counted
   * @param later runs a function after so many milliseconds
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
      const goOn = this.#waiting.shift()
      if (goOn === undefined) {
        this.#isTaken = false
        return
      }
      this.later(() => this.#begin(), this.restMs)
      goOn()
    })
  }
}
