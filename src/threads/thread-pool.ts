import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Piscina } from 'piscina'
import { HALT_MS_MAX, Safepoint } from '../store/sqlite/safepoint.js'

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
  /** Fulfilled when no thread is being ended. */
  #ending = Promise.resolve()

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
   * @param signal ends the thread, once no thread of the pool is in a call of SQLite
   * @throws what the function throws, the reason of the signal, or Error when the thread ends
   */
  async run<Result>(name: string, task: unknown, signal?: AbortSignal): Promise<Result> {
    // Piscina would start a thread.
    if (this.#isEnded) throw new Error('the threads have been ended')
    if (signal === undefined) return this.#pool.run(task, { name })
    signal.throwIfAborted()
    const end = new AbortController()
    const abort = (): void => {
      // One after the other, because a release ends every halt.
      this.#ending = this.#ending.then(() => this.#abort(end))
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

  /** Ends the thread of a task. Until it has exited, no thread of the pool calls SQLite. */
  async #abort(end: AbortController): Promise<void> {
    await this.#halt()
    const threads = this.#pool.threads
    end.abort()
    const left = new Set(this.#pool.threads)
    const ended = threads.filter((thread) => !left.has(thread))
    // A read that hangs keeps a thread from exiting, and does not call SQLite.
    await Promise.race([
      Promise.all(ended.map((thread) => thread.terminate())),
      pause(HALT_MS_MAX, undefined, { ref: false }),
    ])
    this.#safepoint.release()
  }

  /**
   * Ends the threads once their present calls of SQLite are over. Tasks under way are rejected, and
   * so are later ones.
   */
  async end(): Promise<void> {
    this.#isEnded = true
    // A thread that starts during an abort may wait for its release.
    this.#ending = this.#ending.then(() => this.#endAll())
    await this.#ending
  }

  async #endAll(): Promise<void> {
    this.#pool.on('error', throwUnlessUnawaited)
    // A thread that is ended while it loads its file now and then aborts the process. Threads do
    // not keep the process alive by themselves.
    const awake = setInterval(() => undefined, 1_000)
    while (this.#threadIds().some((id) => !this.#ready.has(id))) {
      await Promise.race([once(this.#pool, 'workerCreate'), once(this.#pool, 'workerDestroy')])
    }
    clearInterval(awake)
    await this.#halt()
    await this.#pool.destroy()
  }

  #halt(): Promise<void> {
    return this.#safepoint.halt(() => this.#threadIds())
  }

  /** Ids of the threads that have not exited. */
  #threadIds(): number[] {
    return this.#pool.threads.map(({ threadId }) => threadId).filter((id) => id > 0)
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
