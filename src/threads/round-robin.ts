/**
 * A queue that serves its callers in turn: the first entry of each, then the second of each. A
 * caller with a hundred entries delays every other caller by at most one of them at a time.
 *
 *   PUSHED    a1 a2 a3 b1 c1 b2
 *   SHIFTED   a1 b1 c1 a2 b2 a3
 */
export class RoundRobin<Entry> {
  /** Callers in the order of their turns; callers without entries are absent. */
  readonly #queues = new Map<string, Set<Entry>>()
  #count = 0

  /** Entries of all callers. */
  get count(): number {
    return this.#count
  }

  /** Entries of one caller. */
  countOf(caller: string): number {
    return this.#queues.get(caller)?.size ?? 0
  }

  /** Appends an entry to the caller's. @param entry in no queue yet */
  push(caller: string, entry: Entry): void {
    const queue = this.#queues.get(caller)
    if (queue === undefined) this.#queues.set(caller, new Set([entry]))
    else queue.add(entry)
    this.#count += 1
  }

  /** Takes the next entry; its caller's turn comes again after those of all others. */
  shift(): Entry | undefined {
    for (const caller of this.#queues.keys()) return this.shiftOf(caller)
    return undefined
  }

  /** Takes the next entry of a caller, whose turn then comes after those of all others. */
  shiftOf(caller: string): Entry | undefined {
    const queue = this.#queues.get(caller)
    if (queue === undefined) return undefined
    this.#queues.delete(caller)
    if (queue.size > 1) this.#queues.set(caller, queue)
    for (const entry of queue) {
      queue.delete(entry)
      this.#count -= 1
      return entry
    }
    return undefined
  }

  /**
   * The first entry, in turns, that is accepted, or undefined. It stays in the queue; its caller's
   * turn comes again after those of all others.
   */
  next(isAccepted: (entry: Entry) => boolean): Entry | undefined {
    for (const [caller, queue] of this.#queues) {
      for (const entry of queue) {
        if (!isAccepted(entry)) continue
        this.toBack(caller)
        return entry
      }
    }
    return undefined
  }

  /** Puts the caller's turn after those of all others. */
  toBack(caller: string): void {
    const queue = this.#queues.get(caller)
    if (queue === undefined) return
    this.#queues.delete(caller)
    this.#queues.set(caller, queue)
  }

  /** Takes an entry out, at any position; without effect when it has left the queue. */
  remove(caller: string, entry: Entry): void {
    const queue = this.#queues.get(caller)
    if (queue?.delete(entry) !== true) return
    this.#count -= 1
    if (queue.size === 0) this.#queues.delete(caller)
  }
}
