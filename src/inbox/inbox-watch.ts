import { watch } from 'node:fs'
import type { Inbox } from './inbox.js'

/** Longest time between two scans: changes on a network file system cause no events. */
export const SWEEP_MS = 10_000

/** Time from an event to its scan: a file that is being written causes an event for each block. */
export const WAKE_MS = 1_000

/** Added to the time in which a file must not change, as timers may be early by a fraction. */
const TIMER_SLACK_MS = 20

/** Watches a folder. @returns the function that ends it; undefined = it cannot be watched */
type WatchFolder = (path: string, onChange: () => void) => (() => void) | undefined

/** The parts of a watch. */
export interface InboxWatchParts {
  readonly inbox: Pick<Inbox, 'scan' | 'paths' | 'isUnsettled'>
  /** See {@link InboxParts.settleMs}. */
  readonly settleMs: number
  /** Called when a scan failed by a bug; the scans go on. */
  readonly onFault: (error: unknown) => void
  /** Uses the events of the file system if absent. */
  readonly watchFolder?: WatchFolder
  /** Uses setTimeout if absent. @returns the function that cancels it */
  readonly schedule?: (run: () => void, ms: number) => () => void
}

/**
 * Decides when an inbox is scanned: at once, {@link WAKE_MS} after an event of the file system,
 * after the time in which a file must not change, and every {@link SWEEP_MS}.
 */
export class InboxWatch {
  readonly #watched = new Map<string, () => void>()
  #cancel: (() => void) | undefined
  /** Delay of the planned scan. */
  #plannedMs = Number.POSITIVE_INFINITY
  #scanning: Promise<void> | undefined
  #isRequested = false
  #isEnded = false

  constructor(private readonly parts: InboxWatchParts) {}

  begin(): void {
    this.#plan(0)
  }

  /** Ends the watch; resolves when no scan is running. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#cancel?.()
    for (const close of this.#watched.values()) close()
    this.#watched.clear()
    await this.#scanning
  }

  /** Plans a scan, unless an earlier one is planned. */
  #plan(ms: number): void {
    if (this.#isEnded) return
    if (this.#scanning !== undefined) {
      this.#isRequested = true
      return
    }
    if (this.#cancel !== undefined && this.#plannedMs <= ms) return
    this.#cancel?.()
    this.#plannedMs = ms
    const { schedule = scheduleByTimer } = this.parts
    this.#cancel = schedule(() => {
      this.#scanning = this.#scan()
    }, ms)
  }

  async #scan(): Promise<void> {
    const { inbox, settleMs, onFault } = this.parts
    this.#cancel = undefined
    this.#isRequested = false
    await inbox.scan().catch(onFault)
    this.#watchPaths()
    this.#scanning = undefined
    const restMs = inbox.isUnsettled ? settleMs + TIMER_SLACK_MS : SWEEP_MS
    this.#plan(Math.min(SWEEP_MS, restMs, this.#isRequested ? WAKE_MS : SWEEP_MS))
  }

  #watchPaths(): void {
    if (this.#isEnded) return
    const { inbox, watchFolder = watchByEvents } = this.parts
    const paths = new Set(inbox.paths)
    for (const [path, close] of this.#watched) {
      if (paths.has(path)) continue
      close()
      this.#watched.delete(path)
    }
    for (const path of paths) {
      if (this.#watched.has(path)) continue
      const close = watchFolder(path, () => this.#plan(WAKE_MS))
      if (close !== undefined) this.#watched.set(path, close)
    }
  }
}

function scheduleByTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Without events (too many watches, no inotify, the folder is gone), regular scans suffice. */
function watchByEvents(path: string, onChange: () => void): (() => void) | undefined {
  try {
    const watcher = watch(path, { persistent: false }, onChange)
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
