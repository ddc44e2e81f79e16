import { IDLE_SEARCH_THREAD_MS } from '../limits.js'
import {
  blocksLeft,
  pauseScan,
  resumeScan,
  type ScanPart,
  type ScanTask,
  stopScan,
} from '../match/scan.js'
import { RoundRobin } from './round-robin.js'
import { loadOf, type PoolLoad, poolOf } from './thread-pool.js'

/**
 * How long a scan may go on while those of another credential wait: several blocks of usual rows,
 * and little beside what the other has to wait anyway.
 */
const SLICE_MS = 5

/**
 * Threads that score matches; they hold nothing, and stay for the next one for a while. A scan of
 * 100,000 rows may take them for a quarter of a second, so scans take turns by credential: one
 * that has had its slice gives way at the end of a block, and goes on from there.
 */
export class MatchPool {
  readonly #pool
  readonly #waiting = new RoundRobin<Scanning>()
  readonly #running = new Set<Scanning>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Matches that were given to it so far; each is a task of every thread that takes part. */
  taskCount = 0

  /** @param threadCount 1 or more */
  constructor(readonly threadCount: number) {
    this.#pool = poolOf('score-matches.js', IDLE_SEARCH_THREAD_MS, threadCount)
  }

  /**
   * Has as many threads score the rows as there are blocks for. Resolves with what they have found,
   * in parts; undefined of one that has run out of time.
   * @param credentialId whose turn it takes
   */
  scan(task: ScanTask, credentialId = ''): Promise<(ScanPart | undefined)[]> {
    this.taskCount += 1
    return new Promise((resolve, reject) => {
      this.#waiting.push(credentialId, {
        ...{ task, credentialId, resolve, reject },
        parts: [],
        beganMs: 0,
        settled: undefined,
      })
      this.#begin()
    })
  }

  get load(): PoolLoad {
    const { threadCount, queueCount } = loadOf(this.#pool)
    return { threadCount, queueCount: queueCount + this.#waiting.count }
  }

  /**
   * Ends the threads; a match under way finds nothing, and one that waits is not begun. A thread is
   * not ended while it works or is being started, which now and then ends the process with it.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { task } of this.#running) stopScan(task.progress)
    await Promise.all([...this.#running].map(({ settled }) => settled))
    await this.#pool.destroy()
  }

  #begin(): void {
    if (this.#isClosed) return
    // One more than there are threads: what comes next is there when a thread has nothing to do.
    while (this.#running.size <= this.threadCount) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#run(next)
    }
    this.#giveWay()
  }

  #run(scanning: Scanning): void {
    const { task, credentialId, parts, resolve, reject } = scanning
    this.#running.add(scanning)
    scanning.beganMs = performance.now()
    resumeScan(task.progress)
    const taskCount = Math.max(1, Math.min(this.threadCount, blocksLeft(task)))
    const shares = Array.from(
      { length: taskCount },
      () => this.#pool.run(task, { name: 'score' }) as Promise<ScanPart | undefined>,
    )
    scanning.settled = Promise.all(shares)
      .then((made) => {
        parts.push(...made)
        // Who takes a block comes to its end, so what is taken by now is scored.
        const isOver = made.includes(undefined) || blocksLeft(task) === 0
        if (isOver) resolve(parts)
        this.#running.delete(scanning)
        if (!isOver) this.#waiting.push(credentialId, scanning)
        this.#begin()
      })
      .catch((error: unknown) => {
        this.#running.delete(scanning)
        reject(error)
      })
  }

  /** Pauses what has had its slice while others wait, and looks again when the next one has. */
  #giveWay(): void {
    clearTimeout(this.#timer)
    const nowMs = performance.now()
    let nextMs = Number.POSITIVE_INFINITY
    for (const { task, credentialId, beganMs } of this.#running) {
      const isWaitedFor = this.#waiting.count > this.#waiting.countOf(credentialId)
      if (!isWaitedFor) continue
      const leftMs = beganMs + SLICE_MS - nowMs
      if (leftMs <= 0) pauseScan(task.progress)
      else nextMs = Math.min(nextMs, leftMs)
    }
    if (nextMs < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#giveWay(), Math.ceil(nextMs))
    }
  }
}

/** A scan that waits or is under way. */
interface Scanning {
  readonly task: ScanTask
  readonly credentialId: string
  readonly resolve: (parts: (ScanPart | undefined)[]) => void
  readonly reject: (error: unknown) => void
  /** What was found before it gave way. */
  readonly parts: (ScanPart | undefined)[]
  /** When it went on, in ticks. */
  beganMs: number
  /** Fulfilled once no thread works on it; undefined = none has. */
  settled: Promise<void> | undefined
}
