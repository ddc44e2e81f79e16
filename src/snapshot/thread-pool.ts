import { Piscina } from 'piscina'

/** One thread that does what a file under workers/ exports, started when it is needed. */
export function poolOf(workerFile: string, idleMs: number): Piscina {
  return new Piscina({
    filename: new URL(`../../workers/${workerFile}`, import.meta.url).href,
    minThreads: 0,
    // One, so that requests keep the other core.
    maxThreads: 1,
    idleTimeout: idleMs,
    // Atomics.wait in an idle thread would keep the process from noticing the thread's end.
    atomics: 'disabled',
  })
}
