import { randomUUID } from 'node:crypto'
import type { AuditContext } from '../admin/audited-change.js'
import { recordImport } from '../admin/import-audit.js'
import type { Actor } from '../domain/audit.js'
import { messageOf } from '../errors.js'
import type { EpochMs } from '../instant.js'
import { IMPORTS_AT_ONCE_MAX } from '../threads/import-pool.js'
import {
  GOES_ON,
  type ImportOutcome,
  type ImportTask,
  IS_CANCELLED,
  IS_LATE,
  PROGRESS_BYTES,
  PROGRESS_LENGTH,
  PROGRESS_ROWS,
} from '../threads/import-task.js'
import { discardUploads, UploadError, type UploadedFile } from './upload.js'

/** Forms with files that arrive at once: their files wait on disk. */
export const UPLOADS_AT_ONCE_MAX = 4

/** Files that wait to be imported, of all workspaces: each takes space on disk. */
export const IMPORTS_WAITING_MAX = 1_000

/** Time one import may take: a file of UPLOAD_BYTES_DEFAULT takes some five minutes. */
const IMPORT_MS_MAX = 30 * 60_000

/** Time a cancelled import may run on before its thread is ended: enough for one entry. */
const IMPORT_GRACE_MS = 2_000

/** Imports of a workspace whose results are shown. */
export const IMPORTS_SHOWN_MAX = 100

/** An uploaded file before, during and after its import. */
export interface FileImport {
  /** The id for {@link Imports.cancel}; unique, across processes too. */
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly bytes: number
  readonly askedAtMs: EpochMs
  /** The sender, as in the audit log. */
  readonly who: string
  readonly state: ImportState
  /** While it is running: bytes and entries read so far. */
  readonly readBytes: number
  readonly readRows: number
}

/** The progress or the result of an import. */
export type ImportState =
  | 'waiting'
  | 'running'
  /** Cancelled, and being rolled back. */
  | 'ending'
  | Exclude<ImportOutcome, { readonly kind: 'given up' }>
  /** Nothing of the file was kept. `by` is the actor of the cancellation, as in the audit log. */
  | { readonly kind: 'cancelled'; readonly by: string }

/** Files that were sent at once, and their target. */
export interface ImportOrder {
  readonly workspaceId: string
  readonly workspacePath: string
  readonly files: readonly UploadedFile[]
  readonly actor: Actor
  readonly account?: string | undefined
  readonly currency?: string | undefined
  readonly columns?: string | undefined
  readonly encoding?: string | undefined
  /** Whether NDJSON may replace the content of existing rows. */
  readonly update: boolean
  /** Whether camt.054 entries are imported that no statement has brought. */
  readonly includesNotifications: boolean
}

/** The parts that imports need. */
export interface ImportParts extends Pick<AuditContext, 'control'> {
  readonly clock: () => EpochMs
  /** Imports a file on another thread; see import-pool.ts. */
  readonly run: (task: ImportTask, signal: AbortSignal) => Promise<ImportOutcome>
  /** Deadline of one import, ms; IMPORT_MS_MAX if absent. */
  readonly msMax?: number
  /** Time that a cancelled or late import may run on, ms; IMPORT_GRACE_MS if absent. */
  readonly graceMs?: number
}

interface Entry {
  readonly id: string
  readonly order: ImportOrder
  readonly file: UploadedFile
  readonly askedAtMs: EpochMs
  readonly progress: Float64Array
  /** Shared with the import thread, see import-task.ts. */
  readonly stage: Int32Array
  /** Ends that thread. */
  readonly end: AbortController
  state: ImportState
  /** The actor of the cancellation. */
  cancelledBy?: Actor
  /** Ends the thread of a cancelled or late import. */
  grace?: NodeJS.Timeout
}

const IS_BROKEN_OFF = { kind: 'failed', cause: 'broken off' } as const

/**
 * The queue of uploaded files and the results of the last imports. Files of one workspace are
 * imported one at a time, in order of arrival; several workspaces are imported concurrently, in
 * turn. Each import has a deadline and can be cancelled. In memory: imported rows are in the
 * workspace, results in the audit log.
 */
export class Imports {
  /** The oldest first. */
  #entries: Entry[] = []
  readonly #running = new Map<Entry, Promise<void>>()
  /** The last turn of each workspace, as a count of turns; absent = none yet. */
  readonly #turns = new Map<string, number>()
  #turnCount = 0
  #arrivingCount = 0

  constructor(private readonly parts: ImportParts) {}

  /** Takes ownership of the files; they are removed from disk when they have been imported. */
  add(order: ImportOrder): void {
    const askedAtMs = this.parts.clock()
    for (const file of order.files) {
      this.#entries.push({
        ...{ id: randomUUID(), order, file, askedAtMs, state: 'waiting' },
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
   */
  cancel(workspaceId: string, id: string, actor: Actor): boolean {
    const entry = this.#entries.find(
      (each) => each.id === id && each.order.workspaceId === workspaceId,
    )
    if (entry?.state === 'waiting') {
      entry.cancelledBy = actor
      this.#settle(entry, { kind: 'given up' })
      return true
    }
    if (entry?.state !== 'running' || !this.#giveUp(entry, IS_CANCELLED)) return false
    entry.cancelledBy = actor
    entry.state = 'ending'
    return true
  }

  /**
   * Runs `work`, which reads arriving files, within the limit of concurrent uploads.
   * @throws UploadError when UPLOADS_AT_ONCE_MAX uploads are arriving
   */
  async whileArriving<T>(work: () => Promise<T>): Promise<T> {
    if (this.#arrivingCount >= UPLOADS_AT_ONCE_MAX) {
      throw new UploadError('Other uploads are in progress. Try again in a moment.')
    }
    this.#arrivingCount += 1
    try {
      return await work()
    } finally {
      this.#arrivingCount -= 1
    }
  }

  /** Records rejected files in the audit log. @param reason without text of the files */
  appendRefusal(workspaceId: string, actor: Actor, reason: string): void {
    const event = { workspaceId, result: { reason } }
    recordImport({ control: this.parts.control, nowMs: this.parts.clock(), actor }, event)
  }

  /** Whether the queue has room for that many more files. */
  hasRoomFor(count: number): boolean {
    const waiting = this.#entries.filter(({ state }) => state === 'waiting').length
    return waiting + count <= IMPORTS_WAITING_MAX
  }

  /** The imports of a workspace, the newest first. */
  of(workspaceId: string): FileImport[] {
    const own = this.#entries.filter(({ order }) => order.workspaceId === workspaceId)
    return own.reverse().map(({ id, order, file, askedAtMs, state, progress }) => ({
      ...{ id, workspaceId },
      name: file.name,
      bytes: file.bytes,
      askedAtMs,
      who: order.actor.who,
      state,
      readBytes: progress[PROGRESS_BYTES] ?? 0,
      readRows: progress[PROGRESS_ROWS] ?? 0,
    }))
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

  /** Forgets a deleted workspace. */
  forget(workspaceId: string): void {
    this.#entries = this.#entries.filter(({ order }) => order.workspaceId !== workspaceId)
    this.#turns.delete(workspaceId)
  }

  /** Resolves when no import is running. */
  async settled(): Promise<void> {
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
      if (entry.state !== 'waiting' || busy.has(entry.order.workspaceId)) continue
      if (next === undefined || turnOf(entry) < turnOf(next)) next = entry
    }
    return next
  }

  async #import(entry: Entry): Promise<void> {
    entry.state = 'running'
    const { msMax = IMPORT_MS_MAX } = this.parts
    const deadline = setTimeout(() => this.#giveUp(entry, IS_LATE), msMax)
    const outcome = await this.#run(entry)
    clearTimeout(deadline)
    clearTimeout(entry.grace)
    this.#settle(entry, outcome)
  }

  /** @returns false when the import was cancelled before, or its commit has begun */
  #giveUp(entry: Entry, why: typeof IS_CANCELLED | typeof IS_LATE): boolean {
    if (Atomics.compareExchange(entry.stage, 0, GOES_ON, why) !== GOES_ON) return false
    // Its thread sees it at the next entry; the timer is for one that hangs within an entry.
    const { graceMs = IMPORT_GRACE_MS } = this.parts
    entry.grace = setTimeout(() => entry.end.abort(), graceMs)
    return true
  }

  async #run({ order, file, progress, stage, end }: Entry): Promise<ImportOutcome> {
    const { workspacePath, account, currency, columns, encoding } = order
    const { update, includesNotifications } = order
    try {
      return await this.parts.run(
        {
          ...{ workspacePath, path: file.path, name: file.name, progress, stage },
          ...{ update, includesNotifications },
          nowMs: this.parts.clock(),
          ...(account === undefined ? {} : { account }),
          ...(currency === undefined ? {} : { currency }),
          ...(columns === undefined ? {} : { columns }),
          ...(encoding === undefined ? {} : { encoding }),
        },
        end.signal,
      )
    } catch (error) {
      if (end.signal.aborted) return { kind: 'given up' }
      // The thread has ended: with the service, or out of memory.
      return { ...IS_BROKEN_OFF, reason: `the import was aborted: ${messageOf(error)}` }
    }
  }

  /** Stores the result of an import and records it in the audit log. */
  #settle(entry: Entry, outcome: ImportOutcome): void {
    const { order, file, cancelledBy } = entry
    if (outcome.kind !== 'given up') entry.state = outcome
    else if (cancelledBy !== undefined) entry.state = { kind: 'cancelled', by: cancelledBy.who }
    else entry.state = { kind: 'failed', reason: this.#lateReason(), cause: 'took too long' }
    discardUploads([file])
    this.#record(entry, entry.state)
    this.#trim(order.workspaceId)
  }

  #lateReason(): string {
    const minutes = Math.round((this.parts.msMax ?? IMPORT_MS_MAX) / 60_000)
    return `the import took longer than ${minutes} minutes; split the file`
  }

  #record({ order, cancelledBy }: Entry, state: Exclude<ImportState, string>): void {
    const { workspaceId, actor } = order
    if (state.kind === 'cancelled') {
      this.appendRefusal(workspaceId, cancelledBy ?? actor, 'cancelled')
      return
    }
    if (state.kind === 'failed') {
      this.appendRefusal(workspaceId, actor, state.cause)
      return
    }
    const { format, bytes, sha256 } = state
    const { accounts, added, unchanged, updated, kept, changed, changedIds } = state
    const counts = { accounts, added, unchanged, updated, kept, changed, changedIds }
    recordImport(
      { control: this.parts.control, nowMs: this.parts.clock(), actor },
      {
        ...{ workspaceId, format, bytes, sha256 },
        result: { ...counts, skipped: 0 },
      },
    )
  }

  /** Forgets the oldest finished ones. */
  #trim(workspaceId: string): void {
    const over = this.#entries.filter(
      ({ order, state }) => order.workspaceId === workspaceId && typeof state !== 'string',
    )
    const gone = new Set(over.slice(0, Math.max(0, over.length - IMPORTS_SHOWN_MAX)))
    if (gone.size > 0) this.#entries = this.#entries.filter((entry) => !gone.has(entry))
  }
}
