import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '../errors.js'
import { BUSY_TIMEOUT_MS, LOAD_RETRY_MS, WATCH_INTERVAL_MS } from '../limits.js'
import { ChangeWatch } from '../store/change-watch.js'
import { isBusy, StoreError } from '../store/database.js'
import type { BuildTask } from './pool.js'
import { type Snapshot, transactionCount } from './snapshot.js'

/** What happened to a workspace, for the log. */
export interface SnapshotNews {
  readonly kind: 'loaded' | 'reloaded' | 'dropped' | 'failed'
  readonly workspaceId: string
  readonly transactionCount?: number
  readonly durationMs?: number
  readonly reason?: string
}

/** Where snapshots come from and who is told about them. */
export interface CurrentOptions {
  readonly pathOf: (workspaceId: string) => string
  readonly build: (task: BuildTask) => Promise<Snapshot>
  readonly onNews: (news: SnapshotNews) => void
  /** Milliseconds that only grow. */
  readonly clock: () => number
}

interface Loaded {
  snapshot: Snapshot
  readonly watch: ChangeWatch
  reloading: boolean
}

/**
 * The current snapshot of each workspace that was asked for. The only place that publishes one: a
 * reader holds the snapshot it began with, a change puts another in its place by one assignment.
 */
export class CurrentSnapshots {
  readonly #loaded = new Map<string, Loaded>()
  readonly #loading = new Map<string, Promise<Snapshot>>()
  readonly #failed = new Map<string, { readonly error: Error; readonly atMs: number }>()
  readonly #timer: NodeJS.Timeout
  #generation = 0
  #closed = false

  constructor(private readonly options: CurrentOptions) {
    this.#timer = setInterval(() => this.#follow(), WATCH_INTERVAL_MS)
    this.#timer.unref()
  }

  /** The snapshot, when it is in memory. */
  find(workspaceId: string): Snapshot | undefined {
    return this.#loaded.get(workspaceId)?.snapshot
  }

  /**
   * The snapshot, loaded when it is not in memory; one load however many ask.
   * @throws Error with the reason when the file cannot be read, again at once for a while after
   */
  load(workspaceId: string): Promise<Snapshot> {
    const snapshot = this.find(workspaceId)
    if (snapshot !== undefined) return Promise.resolve(snapshot)
    const failed = this.#failed.get(workspaceId)
    if (failed !== undefined && this.options.clock() - failed.atMs < LOAD_RETRY_MS) {
      return Promise.reject(failed.error)
    }
    let loading = this.#loading.get(workspaceId)
    if (loading === undefined) {
      loading = this.#load(workspaceId).finally(() => this.#loading.delete(workspaceId))
      this.#loading.set(workspaceId, loading)
    }
    return loading
  }

  /** Stops following and forgets everything; loads under way are rejected without a word. */
  close(): void {
    this.#closed = true
    clearInterval(this.#timer)
    for (const { watch } of this.#loaded.values()) watch.close()
    this.#loaded.clear()
  }

  async #load(workspaceId: string): Promise<Snapshot> {
    const startedMs = this.options.clock()
    const path = this.options.pathOf(workspaceId)
    let watch: ChangeWatch | undefined
    try {
      // Watched before it is read: a change during the build is then seen at the next look.
      watch = await watchOf(path)
      const snapshot = await this.#build(workspaceId, path)
      this.#loaded.set(workspaceId, { snapshot, watch, reloading: false })
      this.#failed.delete(workspaceId)
      this.#tell('loaded', snapshot, startedMs)
      return snapshot
    } catch (error) {
      watch?.close()
      if (this.#closed) throw error
      const reason = error instanceof Error ? error : new Error(messageOf(error))
      this.#failed.set(workspaceId, { error: reason, atMs: this.options.clock() })
      this.options.onNews({ kind: 'failed', workspaceId, reason: reason.message })
      throw reason
    }
  }

  async #build(workspaceId: string, path: string): Promise<Snapshot> {
    const snapshot = await this.options.build({ workspaceId, path })
    if (this.#closed) throw new StoreError(`${path}: the service has stopped`)
    this.#generation += 1
    return { ...snapshot, generation: this.#generation }
  }

  #follow(): void {
    for (const [workspaceId, loaded] of this.#loaded) {
      if (loaded.reloading) continue
      try {
        const news = loaded.watch.news()
        if (news === 'unchanged') continue
        if (news === 'changed') void this.#reload(workspaceId, loaded)
        else this.#drop(workspaceId, loaded, `the file is ${news}`)
      } catch (error) {
        this.#drop(workspaceId, loaded, messageOf(error))
      }
    }
  }

  async #reload(workspaceId: string, loaded: Loaded): Promise<void> {
    const startedMs = this.options.clock()
    loaded.reloading = true
    try {
      const path = this.options.pathOf(workspaceId)
      const snapshot = await this.#build(workspaceId, path)
      loaded.snapshot = snapshot
      this.#tell('reloaded', snapshot, startedMs)
    } catch (error) {
      if (!this.#closed) this.#drop(workspaceId, loaded, messageOf(error))
    } finally {
      loaded.reloading = false
    }
  }

  #drop(workspaceId: string, loaded: Loaded, reason: string): void {
    loaded.watch.close()
    this.#loaded.delete(workspaceId)
    this.options.onNews({ kind: 'dropped', workspaceId, reason })
  }

  #tell(kind: 'loaded' | 'reloaded', snapshot: Snapshot, startedMs: number): void {
    this.options.onNews({
      kind,
      workspaceId: snapshot.workspaceId,
      transactionCount: transactionCount(snapshot),
      durationMs: Math.round(this.options.clock() - startedMs),
    })
  }
}

/**
 * A watch of the file, waited for while somebody holds a lock: not inside SQLite, whose wait would
 * stop every other workspace too.
 * @throws StoreError
 */
async function watchOf(path: string): Promise<ChangeWatch> {
  for (let waitedMs = 0; ; waitedMs += WATCH_INTERVAL_MS) {
    try {
      return new ChangeWatch(path)
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error
    }
    await pause(WATCH_INTERVAL_MS)
  }
}
