import {
  blocksLeft,
  type RowRange,
  type ScanPart,
  type ScanTask,
  type ScanTurn,
  stopScan,
  yieldScan,
} from '../match/scan.js'
import { RoundRobin } from './round-robin.js'
import { IDLE_SEARCH_THREAD_MS } from './search-pool.js'
import { type PoolLoad, ThreadPool } from './thread-pool.js'

/**
 * Time slice of a thread on one scan while a scan of another credential waits: long enough for most
 * scans to end in one turn, and the longest that the other waits for a thread.
 */
const SLICE_MS = 3

/**
 * Threads that score matches; they hold no state, and stay alive for a while. A scan of 100,000
 * rows may keep them for a quarter of a second, so threads rotate between credentials: a free one
 * works for the credential that has the fewest threads, and moves on after a slice when others
 * wait.
 */
export class MatchPool {
  readonly #pool
  /** Scans under way. */
  readonly #scans = new Set<Scan>()
  readonly #turns = new RoundRobin<Scan>()
  /** Busy threads by credential; credentials without one are absent. */
  readonly #busy = new Map<string, number>()
  #busyCount = 0
  #isClosed = false
  /** Matches submitted so far; each is a task of every thread that takes part. */
  taskCount = 0

  /** @param threadCount 1 or more   @param sliceMs 3 unless given */
  constructor(
    readonly threadCount: number,
    private readonly sliceMs = SLICE_MS,
  ) {
    this.#pool = new ThreadPool('score-matches.js', IDLE_SEARCH_THREAD_MS, threadCount)
  }

  /**
   * Has the threads score the rows. Resolves with the hits, in parts; a part is undefined past the
   * deadline, and when the scan was cancelled.
   * @param credentialId whose turn it takes
   */
  scan(task: ScanTask, credentialId = ''): Promise<(ScanPart | undefined)[]> {
    this.taskCount += 1
    if (this.#isClosed) return Promise.resolve([undefined])
    const scan = scanOf(task, credentialId)
    this.#scans.add(scan)
    this.#turns.push(credentialId, scan)
    this.#dispatch()
    return scan.ended
  }

  get load(): PoolLoad {
    let queueCount = 0
    for (const { turnCount } of this.#scans) if (turnCount === 0) queueCount += 1
    return { threadCount: this.#pool.load.threadCount, queueCount }
  }

  /**
   * Ends the threads; a scan under way finds nothing. A thread that works or is starting is not
   * ended: now and then that ends the process with it.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const scan of this.#scans) {
      stopScan(scan.task.progress)
      if (scan.turnCount === 0) this.#settle(scan, [undefined])
    }
    await Promise.allSettled([...this.#scans].map(({ ended }) => ended))
    await this.#pool.end()
  }

  /** Assigns every free thread a turn, and ends turns that others wait for. */
  #dispatch(): void {
    while (this.#busyCount < this.threadCount) {
      const scan = this.#nextScan()
      if (scan === undefined) break
      void this.#giveTurn(scan)
    }
    const waiting = new Set<string>()
    for (const scan of this.#scans) if (needsThread(scan)) waiting.add(scan.credentialId)
    for (const { task, credentialId, turnCount } of this.#scans) {
      if (turnCount === 0) continue
      const ownCount = waiting.has(credentialId) ? 1 : 0
      yieldScan(task.progress, waiting.size > ownCount)
    }
  }

  #nextScan(): Scan | undefined {
    if (this.#isClosed) return undefined
    for (let busyCount = 0; busyCount < this.threadCount; busyCount++) {
      const scan = this.#turns.next((one) => {
        return (this.#busy.get(one.credentialId) ?? 0) === busyCount && needsThread(one)
      })
      if (scan !== undefined) return this.#withoutThread(scan.credentialId) ?? scan
    }
    return undefined
  }

  /** Two scans, by a thread each, take less time than one after the other by both. */
  #withoutThread(credentialId: string): Scan | undefined {
    return this.#turns.next((one) => {
      return one.credentialId === credentialId && one.turnCount === 0 && needsThread(one)
    })
  }

  async #giveTurn(scan: Scan): Promise<void> {
    const { task, credentialId, parts, unscored } = scan
    const turn: ScanTurn = { unscored: unscored.pop(), sliceTicks: this.sliceMs }
    scan.turnCount += 1
    this.#count(credentialId, 1)
    try {
      const part = await this.#pool.run<ScanPart | undefined>('score', { task, turn })
      parts.push(part)
      if (part?.unscored !== undefined) unscored.push(part.unscored)
    } catch (error) {
      scan.failure ??= { error }
      stopScan(task.progress)
    }
    scan.turnCount -= 1
    this.#count(credentialId, -1)
    this.#turns.toBack(credentialId)
    if (this.#isClosed && needsThread(scan)) parts.push(undefined)
    if (scan.turnCount === 0 && !needsThread(scan)) this.#settle(scan, parts)
    this.#dispatch()
  }

  #count(credentialId: string, change: number): void {
    const count = (this.#busy.get(credentialId) ?? 0) + change
    this.#busyCount += change
    if (count === 0) this.#busy.delete(credentialId)
    else this.#busy.set(credentialId, count)
  }

  #settle(scan: Scan, parts: (ScanPart | undefined)[]): void {
    this.#scans.delete(scan)
    this.#turns.remove(scan.credentialId, scan)
    if (scan.failure === undefined) scan.resolve(parts)
    else scan.reject(scan.failure.error)
  }
}

function scanOf(task: ScanTask, credentialId: string): Scan {
  let resolve: Scan['resolve'] = () => undefined
  let reject: Scan['reject'] = () => undefined
  const ended = new Promise<(ScanPart | undefined)[]>((...settle) => {
    ;[resolve, reject] = settle
  })
  const state = { parts: [], unscored: [], turnCount: 0, failure: undefined }
  return { task, credentialId, ended, resolve, reject, ...state }
}

/** Whether another thread would find rows to score. */
function needsThread({ task, parts, unscored, turnCount, failure }: Scan): boolean {
  if (failure !== undefined || parts.includes(undefined)) return false
  return turnCount < unscored.length + blocksLeft(task) || (turnCount === 0 && parts.length === 0)
}

/** A scan under way. */
interface Scan {
  readonly task: ScanTask
  readonly credentialId: string
  /** Settled at the end of the scan. */
  readonly ended: Promise<(ScanPart | undefined)[]>
  readonly resolve: (parts: (ScanPart | undefined)[]) => void
  readonly reject: (error: unknown) => void
  /** Hits of the turns that have ended. */
  readonly parts: (ScanPart | undefined)[]
  /** Rows that turns took and did not score. */
  readonly unscored: RowRange[]
  /** Threads working on it. */
  turnCount: number
  /** Why a thread failed. */
  failure: { readonly error: unknown } | undefined
}
