import { Piscina } from 'piscina'

/** Load of a pool. */
export interface PoolLoad {
  /** Running threads, busy or not. */
  readonly threadCount: number
  /** Tasks that no thread has taken yet. */
  readonly queueCount: number
}

export function loadOf(pool: Piscina): PoolLoad {
  return { threadCount: pool.threads.length, queueCount: pool.queueSize }
}

/**
 * Threads that run the exports of a file under workers/, started on demand.
 * @param threadCount 1 by default, so that requests keep the other cores
 */
export function poolOf(workerFile: string, idleMs: number, threadCount = 1): Piscina {
  return new Piscina({
    filename: new URL(`../../workers/${workerFile}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: threadCount,
    idleTimeout: idleMs,
    // Preloads of the process (a tracer, a test runner) stay out of threads: every thread would
    // load them again, for longer than it takes to start.
    execArgv: [],
    // Atomics.wait in an idle thread would hide the thread's end from the process.
    atomics: 'disabled',
  })
}
