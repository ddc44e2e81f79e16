import { once } from 'node:events'
import { Piscina } from 'piscina'

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
  /** Ids of the threads that have loaded their file. */
  readonly #ready = new Set<number>()
  #isEnded = false

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
  run<Result>(name: string, task: unknown, signal?: AbortSignal): Promise<Result> {
    // Piscina would start a thread.
    if (this.#isEnded) return Promise.reject(new Error('the threads have been ended'))
    return this.#pool.run(task, signal === undefined ? { name } : { name, signal })
  }

  /** Ends the threads; tasks under way are rejected, and so are later ones. */
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
