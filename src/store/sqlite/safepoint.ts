import { setTimeout as pause } from 'node:timers/promises'
import { threadId, workerData } from 'node:worker_threads'

/** Cells of the shared array: whether threads are to halt, and how often they were released. */
const IS_HALTING = 0
const RELEASES = 1

/**
 * First of the counters of calls under way. A thread uses the one of its id: a thread that ran out
 * of memory inside a call leaves it behind, and must not be waited for.
 */
const CALLS = 2
const COUNTERS = 64

/** Interval at which {@link Safepoint.halt} looks for calls under way. */
const POLL_MS = 2

/** Longest wait for calls under way; one that waits for a lock gives up after BUSY_TIMEOUT_MS. */
export const HALT_MS_MAX = 6_000

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
  readonly #counter = CALLS + (threadId % COUNTERS)
  #depth = 0

  /** @param cells shared with the threads */
  constructor(private readonly cells: Int32Array = newCells()) {}

  /** The safepoint that this thread was started with; undefined without one. */
  static ofThread(data: unknown = workerData): Safepoint | undefined {
    const { kontorSafepoint } = (data ?? {}) as Partial<SafepointData>
    return kontorSafepoint === undefined ? undefined : new Safepoint(kontorSafepoint)
  }

  /** The `workerData` with which a thread gets this safepoint. */
  get workerData(): SafepointData {
    return { kontorSafepoint: this.cells }
  }

  /** Begins a call of SQLite on this thread, or one inside it; waits while threads are to halt. */
  beginCall(): void {
    this.#depth += 1
    if (this.#depth > 1) return
    for (;;) {
      const releases = Atomics.load(this.cells, RELEASES)
      Atomics.add(this.cells, this.#counter, 1)
      if (Atomics.load(this.cells, IS_HALTING) === 0) return
      Atomics.sub(this.cells, this.#counter, 1)
      Atomics.wait(this.cells, RELEASES, releases)
    }
  }

  /** Ends the call that this thread began last. */
  endCall(): void {
    this.#depth -= 1
    if (this.#depth === 0) Atomics.sub(this.cells, this.#counter, 1)
  }

  /**
   * Resolves when no thread is in a call, or after `msMax`. No thread begins a call before
   * {@link release}.
   * @param threadIds ids of the threads that are alive
   */
  async halt(threadIds: () => readonly number[], msMax = HALT_MS_MAX): Promise<void> {
    Atomics.store(this.cells, IS_HALTING, 1)
    const isCalling = (id: number): boolean =>
      id > 0 && Atomics.load(this.cells, CALLS + (id % COUNTERS)) > 0
    const endMs = performance.now() + msMax
    while (threadIds().some(isCalling) && performance.now() < endMs) await pause(POLL_MS)
  }

  /** Lets the threads go on. */
  release(): void {
    Atomics.store(this.cells, IS_HALTING, 0)
    Atomics.add(this.cells, RELEASES, 1)
    Atomics.notify(this.cells, RELEASES)
  }
}

function newCells(): Int32Array {
  const length = CALLS + COUNTERS
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))
}
