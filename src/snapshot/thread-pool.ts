import { Piscina } from 'piscina'

/** What a pool has to do. */
export interface PoolLoad {
  /** Threads that are there, busy or not. */
  readonly threadCount: number
  /** Tasks that no thread has taken yet. */
  readonly queueCount: number
}

export function loadOf(pool: Piscina): PoolLoad {
  return { threadCount: pool.threads.length, queueCount: pool.queueSize }
}

/**
 * Threads that do what a file under workers/ exports, started when they are needed.
 * @param threadCount one unless told otherwise, so that requests keep the other cores
 */
export function poolOf(workerFile: string, idleMs: number, threadCount = 1): Piscina {
  return new Piscina({
    filename: new URL(`../../workers/${workerFile}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: threadCount,
    idleTimeout: idleMs,
    // What the process was told to load before it began (a tracer, a test runner) is its own
    // affair: every thread would load it once more, for longer than it takes to start.
    execArgv: [],
    // Atomics.wait in an idle thread would keep the process from noticing the thread's end.
    atomics: 'disabled',
  })
}
