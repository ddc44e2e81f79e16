import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServerProcess, startServer } from './child.js'
import type { Target } from './client.js'
import { cpuMicroseconds } from './process-figures.js'
import type { Quantiles } from './statistics.js'

/** Milliseconds that readers wait and by which the event loop is late. */
export interface ReadFigures {
  readonly requestMs: Quantiles
  readonly requestCount: number
  readonly requestsPerSecond: number
  /** Time between two ticks of a timer of one millisecond. */
  readonly delayMs: Quantiles
  /**
   * Share of one core used by all threads of the server; NaN where the system does not report it.
   */
  readonly serverBusy: number
}

/**
 * Callers that read from a live-server.js with pauses, in a process of their own: the large heap of
 * a bench would add its garbage collection to the waiting times.
 */
export class Readers {
  readonly #server: ServerProcess
  readonly #callers: ServerProcess

  private constructor(server: ServerProcess, callers: ServerProcess) {
    this.#server = server
    this.#callers = callers
  }

  /** @param targets requested in turn */
  static async start(server: ServerProcess, targets: readonly Target[]): Promise<Readers> {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-readers-'))
    try {
      const path = join(folder, 'targets.json')
      writeFileSync(path, JSON.stringify(targets))
      const callers = await startServer('bench/read-callers.js', [path, String(server.port)])
      return new Readers(server, callers)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  /** Reads for so long, and watches the server's event loop. */
  async readFor(seconds: number): Promise<ReadFigures> {
    const { pid } = this.#server
    const cpuBefore = cpuMicroseconds(pid)
    const startedMs = performance.now()
    process.kill(pid, 'SIGUSR2')
    process.kill(this.#callers.pid, 'SIGUSR2')
    await wait(seconds * 1_000)
    const { requestCount, ...requestMs } = await this.#figuresOf(this.#callers)
    const elapsedMs = performance.now() - startedMs
    const delayMs = await this.#figuresOf(this.#server)
    const cpuAfter = cpuMicroseconds(pid)
    const cpuUs = cpuBefore === undefined || cpuAfter === undefined ? NaN : cpuAfter - cpuBefore
    return {
      requestMs,
      requestCount,
      requestsPerSecond: requestCount / (elapsedMs / 1_000),
      delayMs,
      serverBusy: cpuUs / 1_000 / elapsedMs,
    }
  }

  async stop(): Promise<void> {
    await this.#callers.stop()
  }

  async #figuresOf(program: ServerProcess): Promise<Quantiles & { requestCount: number }> {
    const line = program.nextLine()
    // If the program has ended, the promise awaited below reports why.
    line.catch(() => undefined)
    process.kill(program.pid, 'SIGUSR2')
    return JSON.parse(await line) as Quantiles & { requestCount: number }
  }
}
