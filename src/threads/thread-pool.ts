import { once } from 'node:events'
import { Piscina } from 'piscina'
import { Safepoint } from '../store/sqlite/safepoint.js'

/** The load of a pool. */
export interface PoolLoad {
  /** Running threads, busy or not. */
  readonly threadCount: number
  /** Tasks that no thread has taken yet. */
  readonly queueCount: number
}

/** Threads that run the functions that a file under workers/ exports, started when needed. */
export class ThreadPool {
  readonly #pool: Piscina
  readonly #safepoint = new Safepoint()
  /** Ids of the threads that have loaded their file. */
  readonly #ready = new Set<number>()
  #isEnded = false
  /** Fulfilled when no task is being aborted. */
  #aborts = Promise.resolve()

  /**
   * @param idleMs how long a thread stays without a task
   * @param threadCount one unless given, so that requests keep the other cores
   * @param heapMegabytes limit of the heap of each thread; beyond it the thread ends, and its task
   *   with it (see {@link isOutOfMemory}); V8's limit if absent
   */
  constructor(workerFile: string, idleMs: number, threadCount = 1, heapMegabytes?: number) {
    this.#pool = new Piscina({
      filename: new URL(`./workers/${workerFile}`, import.meta.url).href,
      minThreads: 0,
      maxThreads: threadCount,
      idleTimeout: idleMs,
      // Modules that flags of the process preload (a tracer, a test runner) are not loaded again in
      // each thread: that takes longer than the start of a thread.
      execArgv: [],
      workerData: this.#safepoint.workerData,
      // Histograms of times, which nothing reads, would be allocated with each pool.
      recordTiming: false,
      // Atomics.wait in an idle thread would keep the process from noticing the thread's end.
      atomics: 'disabled',
      ...(heapMegabytes === undefined
        ? {}
        : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
    })
    this.#pool.on('workerCreate', ({ id }: { readonly id: number }) => this.#ready.add(id))
    this.#pool.on('workerDestroy', ({ id }: { readonly id: number }) => this.#ready.delete(id))
  }

  get load(): PoolLoad {
    return { threadCount: this.#pool.threads.length, queueCount: this.#pool.queueSize }
  }

  /**
   * Has a thread run an exported function.
   * @param signal ends the thread   @throws what the function throws, or Error when the thread ends
   */
  async run<Result>(name: string, task: unknown, signal?: AbortSignal): Promise<Result> {
    // Piscina would start a thread.
    if (this.#isEnded) throw new Error('the threads have been ended')
    if (signal === undefined) return this.#pool.run(task, { name })
    signal.throwIfAborted()
    const end = new AbortController()
    const abort = (): void => {
      // One after the other, because a release ends every halt.
      this.#aborts = this.#aborts.then(() => this.#abort(end))
    }
    signal.addEventListener('abort', abort)
    try {
      const result: Result = await this.#pool.run(task, { name, signal: end.signal })
      signal.throwIfAborted()
      return result
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Ends the thread of a task at a safepoint, at which the other threads wait until then. */
  async #abort(end: AbortController): Promise<void> {
    await this.#safepoint.halt()
    const threads = this.#pool.threads
    end.abort()
    const left = new Set(this.#pool.threads)
    await Promise.all(
      threads.filter((thread) => !left.has(thread)).map((thread) => thread.terminate()),
    )
    if (!this.#isEnded) this.#safepoint.release()
  }

  /**
   * Ends the threads, after their calls of SQLite under way; tasks under way are rejected, and so
   * are later ones.
   */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#pool.on('error', throwUnlessUnawaited)
    // A thread that is ended while it loads its file now and then aborts the process. Threads do
    // not keep the process alive by themselves.
    const awake = setInterval(() => undefined, 1_000)
    while (this.#pool.threads.length > this.#ready.size) {
      await Promise.race([once(this.#pool, 'workerCreate'), once(this.#pool, 'workerDestroy')])
    }
    clearInterval(awake)
    await this.#safepoint.halt()
    await this.#pool.destroy()
  }
}

/** Whether a task was rejected because its thread reached the limit of its heap. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** A task that is done at the moment of the end has an answer that no caller waits for. */
function throwUnlessUnawaited(error: unknown): void {
  if (error instanceof Error && error.message.startsWith('Unexpected message from Worker')) return
  throw error
}
