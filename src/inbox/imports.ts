import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { AuditContext } from '../admin/audited-change.js'
import { recordImport } from '../admin/import-audit.js'
import type { Actor } from '../domain/audit.js'
import { messageOf } from '../errors.js'
import type { EpochMs } from '../instant.js'
import { StoreError } from '../store/store-error.js'
import type { WorkspaceAddress } from '../store/workspace.js'
import { IMPORTS_AT_ONCE_MAX } from '../threads/import-pool.js'
import {
  GOES_ON,
  type ImportOutcome,
  type ImportSettings,
  type ImportTask,
  IS_CANCELLED,
  IS_LATE,
  PROGRESS_BYTES,
  PROGRESS_LENGTH,
  PROGRESS_ROWS,
} from '../threads/import-task.js'

/** Files of all workspaces that wait to be imported: each takes space on disk. */
export const IMPORTS_WAITING_MAX = 1_000

/** Time one import may take: a file of UPLOAD_BYTES_DEFAULT takes some five minutes. */
const IMPORT_MS_MAX = 30 * 60_000

/** Time a cancelled import may run on before its thread is ended: enough for one entry. */
const IMPORT_GRACE_MS = 2_000

/** Imports of a workspace whose results are shown. */
export const IMPORTS_SHOWN_MAX = 100

/** A bank file on the disk of this machine, open or closed. */
export interface OpenedFile {
  readonly path: string
  /** Its descriptor, where the path alone is not safe; it stays open until the release. */
  readonly descriptor?: number
  /** See {@link ImportTask}. */
  readonly stamp?: string | undefined
}

/** How often a result is recorded that the store does not take, and the pause in between. */
export const RECORD_TRIES_MAX = 60
const RECORD_PAUSE_MS = 1_000

/** A bank file that has arrived, and its release after the import. */
export interface ArrivedFile {
  /** The file name; its extension hints at the format. */
  readonly name: string
  readonly bytes: number
  /**
   * Called at its turn.
   * @returns an outcome = the file is refused unread; undefined = it is gone, and its import is
   *   neither listed nor recorded
   */
  open(): Promise<OpenedFile | FailedImport | undefined>
  /**
   * Whether the file is to be imported again, and this import is neither listed nor recorded;
   * absent = never.
   */
  isToRepeat?(result: ImportResult): Promise<boolean>
  /**
   * Called once, after `open` has resolved and the import has ended, or instead of `open`. Never
   * rejects.
   * @param result undefined = the file is to be imported again
   */
  release(result: ImportResult | undefined): Promise<void>
}

/** A bank file before, during and after its import. */
export interface FileImport {
  /** The id for {@link Imports.cancel}; unique, across processes too. */
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly bytes: number
  readonly queuedAtMs: EpochMs
  /** The sender, as in the audit log. */
  readonly who: string
  readonly state: ImportState
  /** While it is running: bytes and entries read so far. */
  readonly readBytes: number
  readonly readRows: number
}

/** The progress or the result of an import. */
type ImportState =
  | 'waiting'
  | 'running'
  /** Cancelled, and being rolled back. */
  | 'ending'
  | ImportResult

/** The result of an import. */
export type ImportResult =
  | Exclude<ImportOutcome, { readonly kind: 'cancelled' }>
  /** Nothing of the file was kept. `by` is the actor of the cancellation, as in the audit log. */
  | { readonly kind: 'cancelled'; readonly by: string }

/** Nothing of the file was kept. */
export type FailedImport = Extract<ImportOutcome, { readonly kind: 'failed' }>

/** Files that arrived together, and their target. */
export interface ImportOrder {
  readonly workspaceId: string
  readonly address: WorkspaceAddress
  readonly files: readonly ArrivedFile[]
  readonly actor: Actor
  readonly settings: ImportSettings
}

/** The dependencies of imports. */
export interface ImportParts extends Pick<AuditContext, 'control'> {
  readonly clock: () => EpochMs
  /** Imports a file on another thread; see import-pool.ts. */
  readonly run: (task: ImportTask, signal: AbortSignal) => Promise<ImportOutcome>
  /** Deadline of one import, ms; IMPORT_MS_MAX if absent. */
  readonly msMax?: number
  /** Time that a cancelled or late import may run on, ms; IMPORT_GRACE_MS if absent. */
  readonly graceMs?: number
  /** Waits before a result is recorded again; absent = a timer. */
  readonly pause?: (ms: number) => Promise<unknown>
}

interface Entry {
  readonly id: string
  readonly order: ImportOrder
  readonly file: ArrivedFile
  readonly queuedAtMs: EpochMs
  readonly progress: Float64Array
  /** Shared with the import thread, see import-task.ts. */
  readonly stage: Int32Array
  /** Ends that thread. */
  readonly end: AbortController
  state: ImportState
  /** The actor of the cancellation. */
  cancelledBy?: Actor
  /** The file is to be imported again, by a later run of the program. */
  isWithdrawn?: true
  /** Ends the thread of a cancelled or late import. */
  grace?: NodeJS.Timeout
}

const BROKEN_OFF = { kind: 'failed', cause: 'broken off' } as const

/**
 * The queue of bank files and the results of the last imports. Files of one workspace are imported
 * one at a time, in order of arrival; several workspaces are imported concurrently, in turn. Each
 * import has a deadline and can be cancelled. In memory: imported rows are in the workspace,
 * results in the audit log.
 */
export class Imports {
  /** The oldest first. */
  #entries: Entry[] = []
  readonly #running = new Map<Entry, Promise<void>>()
  /** The last turn of each workspace, as a count of turns; absent = none yet. */
  readonly #turns = new Map<string, number>()
  #turnCount = 0
  readonly #paused = new Set<string>()
  /** Whether the program ends: nothing is tried again. */
  #isEnding = false

  constructor(private readonly parts: ImportParts) {}

  /** Takes ownership of the files until it releases them. */
  add(order: ImportOrder): void {
    const queuedAtMs = this.parts.clock()
    for (const file of order.files) {
      this.#entries.push({
        ...{ id: randomUUID(), order, file, queuedAtMs, state: 'waiting' },
        progress: new Float64Array(new SharedArrayBuffer(8 * PROGRESS_LENGTH)),
        stage: new Int32Array(new SharedArrayBuffer(4)),
        end: new AbortController(),
      })
    }
    this.#startNext()
  }

  /**
   * Cancels a waiting or running import; nothing of its file is kept then.
   * @param id of an import of this workspace
   * @returns false when no such import is in progress, or its commit has begun
   * @throws StoreError when it cannot be recorded; a waiting import then keeps waiting
   */
  async cancel(workspaceId: string, id: string, actor: Actor): Promise<boolean> {
    const entry = this.#entries.find(
      (each) => each.id === id && each.order.workspaceId === workspaceId,
    )
    if (entry?.state === 'waiting') {
      entry.cancelledBy = actor
      await this.#conclude(entry, { kind: 'cancelled', by: actor.who })
      return true
    }
    if (entry?.state !== 'running' || !this.#endEarly(entry, IS_CANCELLED)) return false
    entry.cancelledBy = actor
    entry.state = 'ending'
    return true
  }

  /**
   * Ends the waiting and running imports of an actor: nothing of their files is kept, unless a
   * commit has begun, and nothing is recorded.
   */
  withdraw(actor: Actor): void {
    this.#isEnding = true
    for (const entry of [...this.#entries]) {
      if (entry.order.actor !== actor) continue
      if (entry.state === 'waiting') {
        void this.#drop(entry)
      } else if (entry.state === 'running' && this.#endEarly(entry, IS_CANCELLED)) {
        entry.isWithdrawn = true
        entry.state = 'ending'
      }
    }
  }

  /** Records rejected files in the audit log. @param reason without text of the files */
  async appendRefusal(workspaceId: string, actor: Actor, reason: string): Promise<void> {
    const event = { workspaceId, result: { reason } }
    await recordImport({ control: this.parts.control, nowMs: this.parts.clock(), actor }, event)
  }

  /** Whether the queue has room for that many more files. */
  hasRoomFor(count: number): boolean {
    const waiting = this.#entries.filter(({ state }) => state === 'waiting').length
    return waiting + count <= IMPORTS_WAITING_MAX
  }

  /** The imports of a workspace, the newest first. */
  of(workspaceId: string): FileImport[] {
    const own = this.#entries.filter(({ order }) => order.workspaceId === workspaceId)
    return own.reverse().map(fileImportOf)
  }

  /** The imports of all workspaces that are running. */
  running(): FileImport[] {
    return Array.from(this.#running.keys(), fileImportOf)
  }

  /** Whether a file of a workspace is waiting or running. */
  isBusy(workspaceId: string): boolean {
    return this.#entries.some(
      ({ order, state }) => order.workspaceId === workspaceId && typeof state === 'string',
    )
  }

  /** Sequence of a workspace's last change after its last import; 0 = unknown. */
  lastSequence(workspaceId: string): number {
    let last = 0
    for (const { order, state } of this.#entries) {
      if (order.workspaceId !== workspaceId || typeof state === 'string') continue
      if (state.kind === 'done') last = Math.max(last, state.sequence)
    }
    return last
  }

  /** Lets no import of a workspace begin until `work` is over. Rejects as `work` does. */
  async pausing<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    this.#paused.add(workspaceId)
    try {
      return await work()
    } finally {
      this.#paused.delete(workspaceId)
      this.#startNext()
    }
  }

  /** Forgets the results of a deleted workspace. */
  forget(workspaceId: string): void {
    this.#entries = this.#entries.filter(
      ({ order, state }) => order.workspaceId !== workspaceId || typeof state === 'string',
    )
    this.#turns.delete(workspaceId)
  }

  /** Resolves when no import is running; what cannot be recorded then is not waited for. */
  async settled(): Promise<void> {
    this.#isEnding = true
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  #startNext(): void {
    while (this.#running.size < IMPORTS_AT_ONCE_MAX) {
      const entry = this.#nextWaiting()
      if (entry === undefined) return
      this.#turnCount += 1
      this.#turns.set(entry.order.workspaceId, this.#turnCount)
      const run = this.#import(entry).finally(() => {
        this.#running.delete(entry)
        this.#startNext()
      })
      this.#running.set(entry, run)
    }
  }

  /**
   * The first file of the workspace that has waited longest for a turn; no workspace runs twice.
   */
  #nextWaiting(): Entry | undefined {
    const busy = new Set([...this.#running.keys()].map(({ order }) => order.workspaceId))
    const turnOf = ({ order }: Entry): number => this.#turns.get(order.workspaceId) ?? 0
    let next: Entry | undefined
    for (const entry of this.#entries) {
      const { workspaceId } = entry.order
      if (entry.state !== 'waiting' || busy.has(workspaceId)) continue
      if (this.#paused.has(workspaceId)) continue
      if (next === undefined || turnOf(entry) < turnOf(next)) next = entry
    }
    return next
  }

  async #import(entry: Entry): Promise<void> {
    entry.state = 'running'
    const { msMax = IMPORT_MS_MAX } = this.parts
    const deadline = setTimeout(() => this.#endEarly(entry, IS_LATE), msMax)
    const outcome = await this.#run(entry)
    clearTimeout(deadline)
    clearTimeout(entry.grace)
    await this.#settle(entry, outcome)
  }

  /** @returns false when the import was cancelled before, or its commit has begun */
  #endEarly(entry: Entry, why: typeof IS_CANCELLED | typeof IS_LATE): boolean {
    if (Atomics.compareExchange(entry.stage, 0, GOES_ON, why) !== GOES_ON) return false
    // The thread checks the stage at the next entry; the timer ends one that hangs within an entry.
    const { graceMs = IMPORT_GRACE_MS } = this.parts
    entry.grace = setTimeout(() => entry.end.abort(), graceMs)
    return true
  }

  /** @returns undefined when the file is gone */
  async #run({ order, file, progress, stage, end }: Entry): Promise<ImportOutcome | undefined> {
    const { address, settings } = order
    const { name } = file
    try {
      const opened = await file.open()
      if (opened === undefined || 'kind' in opened) return opened
      if (Atomics.load(stage, 0) !== GOES_ON) return { kind: 'cancelled' }
      const nowMs = this.parts.clock()
      const task = { address, ...opened, name, ...settings, nowMs, progress, stage }
      return await this.parts.run(task, end.signal)
    } catch (error) {
      if (end.signal.aborted) return { kind: 'cancelled' }
      // The thread has ended: with the service, or out of memory.
      return { ...BROKEN_OFF, reason: `the import was aborted: ${messageOf(error)}` }
    }
  }

  async #settle(entry: Entry, outcome: ImportOutcome | undefined): Promise<void> {
    const result = outcome === undefined ? undefined : this.#resultOf(entry, outcome)
    if (result === undefined || (await this.#isToRepeat(entry, result))) return this.#drop(entry)
    return this.#concludePatiently(entry, result)
  }

  /** No caller gets an error here: the store is unavailable, or full, at the end of an import. */
  async #concludePatiently(entry: Entry, result: ImportResult): Promise<void> {
    const { pause = wait } = this.parts
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#conclude(entry, result)
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
      }
      if (this.#isEnding || tries === RECORD_TRIES_MAX) break
      await pause(RECORD_PAUSE_MS)
    }
    entry.state = result
    this.#trim(entry.order.workspaceId)
    // A file of a folder is imported again, which adds nothing twice, and is recorded then.
    return entry.file.release(undefined)
  }

  async #isToRepeat({ file, isWithdrawn }: Entry, result: ImportResult): Promise<boolean> {
    if (isWithdrawn === true && result.kind !== 'done') return true
    return (await file.isToRepeat?.(result)) === true
  }

  /** Forgets an import without a result. */
  #drop(entry: Entry): Promise<void> {
    this.#entries = this.#entries.filter((each) => each !== entry)
    return entry.file.release(undefined)
  }

  /** Records a result before it releases the file: a kill in between leaves both. */
  async #conclude(entry: Entry, result: ImportResult): Promise<void> {
    const { state } = entry
    // At once, so that a file that was cancelled while it waited is not begun meanwhile.
    entry.state = result
    try {
      await this.#record(entry, result)
    } catch (error) {
      entry.state = state
      throw error
    }
    this.#trim(entry.order.workspaceId)
    return entry.file.release(result)
  }

  #resultOf({ cancelledBy }: Entry, outcome: ImportOutcome): ImportResult {
    if (outcome.kind !== 'cancelled') return outcome
    if (cancelledBy !== undefined) return { kind: 'cancelled', by: cancelledBy.who }
    return { kind: 'failed', reason: this.#lateReason(), cause: 'took too long' }
  }

  #lateReason(): string {
    const minutes = Math.round((this.parts.msMax ?? IMPORT_MS_MAX) / 60_000)
    return `the import took longer than ${minutes} minutes; split the file`
  }

  async #record({ order, cancelledBy }: Entry, state: ImportResult): Promise<void> {
    const { workspaceId, actor } = order
    if (state.kind === 'cancelled') {
      await this.appendRefusal(workspaceId, cancelledBy ?? actor, 'cancelled')
      return
    }
    if (state.kind === 'failed') {
      await this.appendRefusal(workspaceId, actor, state.cause)
      return
    }
    const { format, bytes, sha256 } = state
    const { accounts, added, unchanged, updated, skipped, kept, changed, changedIds } = state
    const result = { accounts, added, unchanged, updated, skipped, kept, changed, changedIds }
    await recordImport(
      { control: this.parts.control, nowMs: this.parts.clock(), actor },
      { workspaceId, format, bytes, sha256, result },
    )
  }

  /** Forgets the oldest finished imports. */
  #trim(workspaceId: string): void {
    const over = this.#entries.filter(
      ({ order, state }) => order.workspaceId === workspaceId && typeof state !== 'string',
    )
    const gone = new Set(over.slice(0, Math.max(0, over.length - IMPORTS_SHOWN_MAX)))
    if (gone.size > 0) this.#entries = this.#entries.filter((entry) => !gone.has(entry))
  }
}

function fileImportOf({ id, order, file, queuedAtMs, state, progress }: Entry): FileImport {
  return {
    ...{ id, workspaceId: order.workspaceId, name: file.name, bytes: file.bytes },
    ...{ queuedAtMs, who: order.actor.who, state },
    readBytes: progress[PROGRESS_BYTES] ?? 0,
    readRows: progress[PROGRESS_ROWS] ?? 0,
  }
}
