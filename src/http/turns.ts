/**
 * Lets one caller go on in each turn of the event loop, in the order they came: requests that
 * arrive together would else be answered in one go, and a read that arrives meanwhile would wait
 * for all of them instead of one.
 *
 *   TURN    SOCKETS            THEN
 *   1       call A, call B     A
 *   2       read C: answered   B
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Fulfilled when it is the caller's turn; never rejects. */
  async take(): Promise<void> {
    if (this.#isTaken) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    } else {
      this.#isTaken = true
      // Whoever comes alone goes on at once, among the sockets; the next one in the turn after.
      setImmediate(() => this.#begin())
    }
  }

  #begin(): void {
    this.#isTaken = true
    setImmediate(() => {
      this.#isTaken = false
      const goOn = this.#waiting.shift()
      if (goOn === undefined) return
      this.#begin()
      goOn()
    })
  }
}
