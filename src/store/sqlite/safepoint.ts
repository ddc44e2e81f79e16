import { setTimeout as pause } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

/** Cells of the shared array. */
const STATE = 0
const RELEASES = 1

/** Bit of STATE: threads are to halt. Above it is the number of calls of SQLite under way. */
const IS_HALTING = 1
const CALL = 2

/** Interval at which {@link Safepoint.halt} looks for calls under way. */
const POLL_MS = 2

/**
 * Longest wait for calls under way. A call that waits for a lock gives up sooner, after
 * BUSY_TIMEOUT_MS. A thread that ran out of memory inside a call has left it in the count.
 */
const HALT_MS_MAX = 6_000

/** The `workerData` of a thread with a safepoint. */
interface SafepointData {
  readonly kontorSafepoint: Int32Array
}

/**
 * A state in which the threads of a pool may be ended: none is in a call of SQLite. A call that
 * fails while its thread is being ended cannot construct its error, and better-sqlite3 12 then
 * aborts the whole process.
 */
export class Safepoint {
  #depth = 0

  /** @param cells shared with the threads */
  constructor(private readonly cells: Int32Array = new Int32Array(new SharedArrayBuffer(8))) {}

  /** The safepoint that this thread was started with, if it was with any. */
  static ofThread(data: unknown = workerData): Safepoint | undefined {
    const { kontorSafepoint } = (data ?? {}) as Partial<SafepointData>
    return kontorSafepoint === undefined ? undefined : new Safepoint(kontorSafepoint)
  }

  /** Starts a thread with this safepoint, as its `workerData`. */
  get workerData(): SafepointData {
    return { kontorSafepoint: this.cells }
  }

  /** Begins a call of SQLite on this thread, or one inside it; waits while threads are to halt. */
  enter(): void {
    this.#depth += 1
    if (this.#depth > 1) return
    for (;;) {
      const releases = Atomics.load(this.cells, RELEASES)
      if ((Atomics.add(this.cells, STATE, CALL) & IS_HALTING) === 0) return
      Atomics.sub(this.cells, STATE, CALL)
      Atomics.wait(this.cells, RELEASES, releases)
    }
  }

  /** Ends the call that this thread began last. */
  leave(): void {
    this.#depth -= 1
    if (this.#depth === 0) Atomics.sub(this.cells, STATE, CALL)
  }

  /** Resolves when no thread is in a call, or after `msMax`; until the release none begins one. */
  async halt(msMax = HALT_MS_MAX): Promise<void> {
    Atomics.or(this.cells, STATE, IS_HALTING)
    for (let waitedMs = 0; waitedMs < msMax; waitedMs += POLL_MS) {
      if (Atomics.load(this.cells, STATE) === IS_HALTING) return
      await pause(POLL_MS)
    }
  }

  /** Lets the threads go on. */
  release(): void {
    Atomics.and(this.cells, STATE, ~IS_HALTING)
    Atomics.add(this.cells, RELEASES, 1)
    Atomics.notify(this.cells, RELEASES)
  }
}
