import { ApiError } from '../errors.js'
import { RoundRobin } from '../threads/round-robin.js'
import { TickQueue } from './tick-queue.js'

/** Long searches under way: the thread runs one, and the next is ready when that ends. */
export const SEARCH_SLOT_COUNT = 2

/** Sums under way at a time, not counting the first of each credential: each takes memory. */
export const SUM_SLOT_COUNT = 1

/** Batches under way, besides the first of each credential: one keeps all threads busy. */
export const BATCH_SLOT_COUNT = 1

/** The bounds of concurrent work. */
export interface ShareBounds {
  /** Pieces of work under way at a time, not counting the first of each credential; 1 or more. */
  readonly slotCount: number
  /** Pieces of work of one credential that wait at a time. */
  readonly waitingMax: number
}

/** A slot that a caller holds, or waits for. */
export interface Share {
  /** Fulfilled when it is the caller's turn, never rejected; undefined = its turn is now. */
  readonly begun: Promise<void> | undefined
  /** Frees the slot, or stops waiting for it; further calls have no effect. */
  release(): void
}

/**
 * Shares slots among credentials: a caller that finds none free waits for a turn of its credential,
 * so that a credential which asks without pause takes turns with the others and is refused alone. A
 * credential that holds none is given one at once, free or not: there is one more for each
 * credential that asks at a time.
 */
export class Shares {
  /** For replies to many callers that wait at a time. */
  readonly queue = new TickQueue()
  readonly #waiting = new RoundRobin<() => void>()
  /** Slots held per credential; credentials without one are absent. */
  readonly #held = new Map<string, number>()
  #heldCount = 0

  constructor(private readonly bounds: ShareBounds) {}

  /** Waiting callers of all credentials. */
  get waitingCount(): number {
    return this.#waiting.count
  }

  /**
   * A slot, now or later; undefined when too many of the credential's callers already wait for one.
   */
  take(credentialId: string): Share | undefined {
    if (this.#heldCount < this.bounds.slotCount || !this.#held.has(credentialId)) {
      this.#hold(credentialId)
      return { begun: undefined, release: once(() => this.#releaseSlot(credentialId)) }
    }
    if (this.#waiting.countOf(credentialId) >= this.bounds.waitingMax) return undefined
    let begin: () => void = () => undefined
    let hasSlot = false
    const begun = new Promise<void>((resolve) => {
      begin = () => {
        hasSlot = true
        this.#hold(credentialId)
        resolve()
      }
    })
    this.#waiting.push(credentialId, begin)
    const release = once(() => {
      if (hasSlot) this.#releaseSlot(credentialId)
      else this.#waiting.remove(credentialId, begin)
    })
    return { begun, release }
  }

  #hold(credentialId: string): void {
    this.#heldCount += 1
    this.#held.set(credentialId, (this.#held.get(credentialId) ?? 0) + 1)
  }

  /** Does work in a slot. @throws ApiError `workspace_unavailable` when too many wait for one */
  async run<Result>(credentialId: string, work: () => Promise<Result>): Promise<Result> {
    const share = this.take(credentialId)
    if (share === undefined) {
      const message = 'Too many requests of this credential are waiting; try again in a moment.'
      throw new ApiError('workspace_unavailable', message)
    }
    try {
      await share.begun
      return await work()
    } finally {
      share.release()
    }
  }

  /**
   * Work that was done synchronously has blocked the event loop; sockets have their turn before the
   * next work begins, however many pieces wait.
   */
  #releaseSlot(credentialId: string): void {
    setImmediate(() => {
      this.#heldCount -= 1
      const leftCount = (this.#held.get(credentialId) ?? 0) - 1
      if (leftCount > 0) this.#held.set(credentialId, leftCount)
      else this.#held.delete(credentialId)
      if (this.#heldCount < this.bounds.slotCount) this.#waiting.shift()?.()
      else if (leftCount === 0) this.#waiting.shiftOf(credentialId)?.()
    })
  }
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}
