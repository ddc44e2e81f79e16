import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { memoryFigures, untilAtRest } from '../bench/process-figures.js'
import { randomOf } from '../src/demo/random.js'
import { Gun } from './connection.js'
import { type Kind, nextShot } from './grammar/grammars.js'
import type { HonestFigures, HonestOptions } from './honest-client.js'
import type { Shot } from './shot.js'
import type { Target } from './target.js'

/** Duration and amount of a run. */
export interface RunOptions {
  readonly seed: number
  readonly requestCountMax: number
  readonly msMax: number
  /** Receives the number of requests sent, at intervals. */
  readonly progress: (requestCount: number) => void
}

/** A reply or exit that must not occur. */
interface Failure {
  readonly what: string
  readonly kind: Kind | undefined
  /** The first bytes of the shot, base64. */
  readonly sent: string
}

/** Figures of a run. */
export interface RunFigures {
  readonly requestCount: number
  readonly seconds: number
  readonly countByKind: ReadonlyMap<Kind, number>
  /** Of these, the replies below 400. */
  readonly acceptedByKind: ReadonlyMap<Kind, number>
  readonly countByStatus: ReadonlyMap<number, number>
  /** Shots without a whole reply: the connection closed, or nothing came. */
  readonly silentCount: number
  readonly failures: readonly Failure[]
  readonly honest: HonestFigures
  /** Memory at rest after the warm-up ({@link warmUp}) and at the end ({@link residentAfter}). */
  readonly residentBytes: readonly [before: number, after: number]
}

/** Upper bound of memory at rest at the end over that after the warm-up. */
export const RESIDENT_RATIO_MAX = 1.25
const LOOKS_MAX = 4

/** The warm-up ends with a round after which memory at rest is at most this many times larger. */
const WARM_RATIO_MAX = 1.03
const WARM_ROUNDS_MAX = 6

/** Time for a garbage collection to begin and to release buffers. */
const COLLECTED_MS = 300

const GUNS = 128
const FAILURES_MAX = 20
const SENT_BYTES_SHOWN = 3_000
const PROGRESS_EVERY = 1_000

/** Sends shots to a service until time or requests are used up, or the service has ended. */
export async function runFuzz(target: Target, options: RunOptions): Promise<RunFigures> {
  const tally = new Tally(target, options)
  const before = await warmUp(target, tally, options)
  const honest = startHonestClient(target)
  await tally.shootUntil(options.requestCountMax, options.msMax)
  const figures = await honest.stop()
  const after = await residentAfter(before, target, tally, options)
  return { ...tally.figures(), honest: figures, residentBytes: [before, after] }
}

/**
 * Sends rounds of the same traffic, each a tenth of the run, until memory at rest no longer grows:
 * caches and pools fill first, in short runs and in long ones. @returns memory at rest
 */
async function warmUp(
  target: Target,
  tally: Tally,
  { requestCountMax, msMax }: RunOptions,
): Promise<number> {
  let residentBytes = 0
  for (let round = 0; round < WARM_ROUNDS_MAX; round++) {
    await tally.shootUntil(tally.requestCount + Math.ceil(requestCountMax / 10), msMax / 10)
    const lastBytes = residentBytes
    residentBytes = await residentAtRest(target)
    if (round > 0 && !(residentBytes > WARM_RATIO_MAX * lastBytes)) break
  }
  return residentBytes
}

/**
 * Memory at rest at the end. A high reading is repeated after another tenth of the traffic, and the
 * minimum taken: a leak only grows with traffic, but a thread that has just ended frees late.
 */
async function residentAfter(
  before: number,
  target: Target,
  tally: Tally,
  { requestCountMax, msMax }: RunOptions,
): Promise<number> {
  let after = await residentAtRest(target)
  for (let look = 1; look < LOOKS_MAX && after > RESIDENT_RATIO_MAX * before; look++) {
    await tally.shootUntil(tally.requestCount + Math.ceil(requestCountMax / 10), msMax / 10)
    after = Math.min(after, await residentAtRest(target))
  }
  return after
}

/**
 * Resident bytes of the service when it is idle and its garbage is collected; NaN where the system
 * does not report them, or where the service has ended.
 */
async function residentAtRest({ service }: Target): Promise<number> {
  await untilAtRest(service.pid)
  for (let i = 0; i < 2 && memoryFigures(service.pid) !== undefined; i++) {
    process.kill(service.pid, 'SIGUSR2')
    await wait(COLLECTED_MS)
  }
  await untilAtRest(service.pid)
  return memoryFigures(service.pid)?.residentBytes ?? Number.NaN
}

function startHonestClient({ port, ground }: Target): { stop(): Promise<HonestFigures> } {
  const workerData: HonestOptions = { port, key: ground.apiKey }
  const worker = new Worker(new URL('./honest-client.js', import.meta.url), { workerData })
  return {
    stop: async () => {
      worker.postMessage('stop')
      const [figures] = (await once(worker, 'message')) as [HonestFigures]
      await worker.terminate()
      return figures
    },
  }
}

/** Counts shots and their outcomes. */
class Tally {
  #requestCount = 0
  #silentCount = 0
  #shootingMs = 0
  readonly #countByKind = new Map<Kind, number>()
  readonly #acceptedByKind = new Map<Kind, number>()
  readonly #countByStatus = new Map<number, number>()
  readonly #failures: Failure[] = []
  readonly #random
  #hasEnded = false

  constructor(
    private readonly target: Target,
    private readonly options: RunOptions,
  ) {
    this.#random = randomOf(options.seed)
    void target.service.ended.then(() => {
      this.#hasEnded = true
    })
  }

  get requestCount(): number {
    return this.#requestCount
  }

  async shootUntil(requestCount: number, msMax: number): Promise<void> {
    const startedMs = performance.now()
    const isOver = (): boolean =>
      this.#requestCount >= requestCount ||
      this.#hasEnded ||
      this.#failures.length >= FAILURES_MAX ||
      performance.now() - startedMs > msMax
    await Promise.all(Array.from({ length: GUNS }, () => this.#shoot(isOver)))
    this.#shootingMs += performance.now() - startedMs
  }

  async #shoot(isOver: () => boolean): Promise<void> {
    const gun = new Gun(this.target.port)
    while (!isOver()) {
      const { kind, shot } = nextShot(this.#random, this.target.ground)
      this.#requestCount += 1
      count(this.#countByKind, kind)
      if (this.#requestCount % PROGRESS_EVERY === 0) this.options.progress(this.#requestCount)
      const { statuses, isLate } = await gun.fire(shot)
      if (statuses.length === 0) this.#silentCount += 1
      for (const status of statuses) {
        count(this.#countByStatus, status)
        if (status < 400) count(this.#acceptedByKind, kind)
        // 503 reports overload, which is true here.
        if (status >= 500 && status !== 503) this.#note(`status ${status}`, kind, shot)
      }
      if (isLate) this.#note('no reply within 20 s', kind, shot)
      if (this.#hasEnded) this.#note('the service has ended', kind, shot)
    }
    gun.close()
  }

  #note(what: string, kind: Kind, { bytes }: Shot): void {
    const sent = bytes.subarray(0, SENT_BYTES_SHOWN).toString('base64')
    if (this.#failures.length < FAILURES_MAX) this.#failures.push({ what, kind, sent })
  }

  figures(): Omit<RunFigures, 'honest' | 'residentBytes'> {
    return {
      requestCount: this.#requestCount,
      seconds: this.#shootingMs / 1_000,
      countByKind: this.#countByKind,
      acceptedByKind: this.#acceptedByKind,
      countByStatus: this.#countByStatus,
      silentCount: this.#silentCount,
      failures: this.#failures,
    }
  }
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
