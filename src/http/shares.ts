import { ApiError } from '../errors.js'
import { RoundRobin } from './round-robin.js'

/** Long searches under way: one is done by the thread, and the next is there when that ends. */
export const SEARCH_SLOT_COUNT = 2

/** How much is done at once. */
export interface ShareBounds {
  /** Pieces of work under way at a time, whoever asked for them; 1 or more. */
  readonly slotCount: number
  /** Pieces of work of one credential that wait at a time. */
  readonly waitingMax: number
}

/** A slot that somebody has, or waits for. */
export interface Share {
  /** Fulfilled when it is the caller's turn, never rejected; undefined = it is so at once. */
  readonly begun: Promise<void> | undefined
  /** Gives the slot back, or waits for it no longer; once is enough, and more does no harm. */
  release(): void
}

/**
 * Shares slots among credentials: who finds none free waits for a turn of its credential, so that
 * one which asks without pause takes turns with the others and is refused alone.
 */
export class Shares {
  readonly #waiting = new RoundRobin<() => void>()
  #freeCount: number

  constructor(private readonly bounds: ShareBounds) {
    this.#freeCount = bounds.slotCount
  }

  /** Those that wait, of all credentials. */
  get waitingCount(): number {
    return this.#waiting.count
  }

  /** A slot, now or later; undefined when too many of the credential's wait for one already. */
  take(credentialId: string): Share | undefined {
    if (this.#freeCount > 0) {
      this.#freeCount -= 1
      return { begun: undefined, release: once(() => this.#giveBack()) }
    }
    if (this.#waiting.countOf(credentialId) >= this.bounds.waitingMax) return undefined
    let begin: () => void = () => undefined
    let hasSlot = false
    const begun = new Promise<void>((resolve) => {
      begin = () => {
        hasSlot = true
        resolve()
      }
    })
    this.#waiting.push(credentialId, begin)
    const release = once(() => {
      if (hasSlot) this.#giveBack()
      else this.#waiting.remove(credentialId, begin)
    })
    return { begun, release }
  }

  /** Does work in a slot. @throws ApiError `workspace_unavailable` when too many wait for one */
  async run<Result>(credentialId: string, work: () => Promise<Result>): Promise<Result> {
    const share = this.take(credentialId)
    if (share === undefined) {
      const message = 'Too many searches of this credential are waiting; try again in a moment.'
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
   * Work that was done at once has kept the event loop; sockets have their turn before the next
   * work begins, however many pieces wait.
   */
  #giveBack(): void {
    setImmediate(() => {
      const begin = this.#waiting.shift()
      if (begin === undefined) this.#freeCount += 1
      else begin()
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
