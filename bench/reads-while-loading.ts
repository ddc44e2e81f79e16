// The event loop of a serving process while a second, large workspace loads.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from './child.js'
import { Client, type Target } from './client.js'
import { type Corpus, SECOND_ID, WORKSPACE_ID } from './corpus.js'
import { type Quantiles, quantilesOf } from './statistics.js'

/** Delays of a served workspace while another one loads. */
export interface ReadsWhileLoading {
  readonly loadMs: number
  /**
   * Time between two ticks of a timer of one millisecond in the serving process: the delay of the
   * event loop plus that millisecond.
   */
  readonly delayMs: Quantiles
  /** Requests for single transactions, one at a time, from send to last byte. */
  readonly requestMs: Quantiles
  readonly requestCount: number
}

/** Pause between two requests: light load, so that a request only waits for the event loop. */
const PAUSE_MS = 2

/**
 * Loads the corpus a second time in a process that serves it, and sends requests during the load.
 */
export async function measureReadsWhileLoading(
  corpus: Corpus,
  targets: readonly Target[],
): Promise<ReadsWhileLoading> {
  // The load is measured from the workspace file, not from the snapshot cache.
  rmSync(corpus.pairDirectory.cachePath, { recursive: true, force: true })
  const words = [corpus.pairDirectory.path, WORKSPACE_ID, SECOND_ID]
  const server = await startServer('bench/loading-server.js', words)
  const client = new Client(server.port)
  try {
    for (const target of targets.slice(0, 500)) await client.ask(target)
    process.kill(server.pid, 'SIGUSR2')
    let line: string | undefined
    const reported = server.nextLine().then((text) => {
      line = text
    })
    const durations: number[] = []
    for (let i = 0; line === undefined; i = (i + 1) % targets.length) {
      const startedMs = performance.now()
      await client.ask(targets[i]!) // i < length
      durations.push(performance.now() - startedMs)
      await Promise.race([wait(PAUSE_MS), reported])
    }
    const { loadMs, p50Ms, p99Ms, maxMs } = JSON.parse(line) as DelayFigures
    return {
      loadMs,
      delayMs: { p50: p50Ms, p99: p99Ms, max: maxMs },
      requestMs: quantilesOf(durations),
      requestCount: durations.length,
    }
  } finally {
    client.close()
    await server.stop()
  }
}

interface DelayFigures {
  readonly loadMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}
