import { recordImport } from '../auth/import-deed.js'
import type { Actor } from '../domain/audit.js'
import { messageOf } from '../errors.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import { IMPORTS_SHOWN_MAX, IMPORTS_WAITING_MAX, UPLOADS_AT_ONCE_MAX } from './dashboard-limits.js'
import {
  type ImportOutcome,
  type ImportTask,
  PROGRESS_BYTES,
  PROGRESS_LENGTH,
  PROGRESS_ROWS,
} from './import-task.js'
import { discardUploads, type UploadedFile, UploadRefusal } from './upload.js'

/** An uploaded file, before, while and after it is imported. */
export interface FileImport {
  readonly workspaceId: string
  readonly name: string
  readonly bytes: number
  readonly askedAtMs: EpochMs
  /** Who has sent it, as the audit log says it. */
  readonly who: string
  readonly state: 'waiting' | 'running' | ImportOutcome
  /** While it is running: bytes and entries that were read. */
  readonly readBytes: number
  readonly readRows: number
}

/** Files that were sent at once, and where they go. */
export interface ImportOrder {
  readonly workspaceId: string
  readonly workspacePath: string
  readonly files: readonly UploadedFile[]
  readonly actor: Actor
  readonly account?: string | undefined
  readonly currency?: string | undefined
  readonly columns?: string | undefined
  /** Whether NDJSON may replace the content of rows that are there. */
  readonly update: boolean
}

/** What imports need. */
export interface ImportParts {
  readonly control: ControlFile
  readonly clock: () => EpochMs
  /** Imports a file on another thread; see import-pool.ts. */
  readonly run: (task: ImportTask) => Promise<ImportOutcome>
}

interface Entry {
  readonly order: ImportOrder
  readonly file: UploadedFile
  readonly askedAtMs: EpochMs
  readonly progress: Float64Array
  state: FileImport['state']
}

/**
 * Uploaded files on their way into workspaces, one after the other in the order they came, and how
 * the last ones went. In memory: what was imported is in the workspace and in the audit log.
 */
export class Imports {
  /** The oldest first. */
  #entries: Entry[] = []
  #running: Promise<void> | undefined
  #arrivingCount = 0

  constructor(private readonly parts: ImportParts) {}

  /** Takes files over; they are gone from the disk when they have been imported. */
  add(order: ImportOrder): void {
    const askedAtMs = this.parts.clock()
    for (const file of order.files) {
      const shared = new SharedArrayBuffer(PROGRESS_LENGTH * Float64Array.BYTES_PER_ELEMENT)
      const progress = new Float64Array(shared)
      this.#entries.push({ order, file, askedAtMs, progress, state: 'waiting' })
    }
    this.#running ??= this.#runAll().finally(() => {
      this.#running = undefined
    })
  }

  /**
   * Lets files arrive, which `work` begins to read at once.
   * @throws UploadRefusal when too many are on their way already
   */
  async whileArriving<T>(work: () => Promise<T>): Promise<T> {
    if (this.#arrivingCount >= UPLOADS_AT_ONCE_MAX) {
      throw new UploadRefusal('Others are sending files right now. Try again in a moment.')
    }
    this.#arrivingCount += 1
    try {
      return await work()
    } finally {
      this.#arrivingCount -= 1
    }
  }

  /** Tells the audit log of files that were not taken. @param reason nothing of their text */
  recordRefusal(workspaceId: string, actor: Actor, reason: string): void {
    const deed = { workspaceId, result: { reason } }
    recordImport(this.parts.control, actor, this.parts.clock(), deed)
  }

  /** Whether so many more files may wait. */
  hasRoomFor(count: number): boolean {
    const waiting = this.#entries.filter(({ state }) => state === 'waiting').length
    return waiting + count <= IMPORTS_WAITING_MAX
  }

  /** The imports of a workspace, the newest first. */
  of(workspaceId: string): FileImport[] {
    const own = this.#entries.filter(({ order }) => order.workspaceId === workspaceId)
    return own.reverse().map(({ order, file, askedAtMs, state, progress }) => ({
      workspaceId,
      name: file.name,
      bytes: file.bytes,
      askedAtMs,
      who: order.actor.who,
      state,
      readBytes: progress[PROGRESS_BYTES] ?? 0,
      readRows: progress[PROGRESS_ROWS] ?? 0,
    }))
  }

  /** Whether something of a workspace is waiting or running. */
  isBusy(workspaceId: string): boolean {
    return this.#entries.some(
      ({ order, state }) => order.workspaceId === workspaceId && typeof state === 'string',
    )
  }

  /** Forgets a workspace that is gone. */
  forget(workspaceId: string): void {
    this.#entries = this.#entries.filter(({ order }) => order.workspaceId !== workspaceId)
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #runAll(): Promise<void> {
    for (;;) {
      const entry = this.#entries.find(({ state }) => state === 'waiting')
      if (entry === undefined) return
      entry.state = 'running'
      entry.state = await this.#run(entry)
      discardUploads([entry.file])
      this.#record(entry, entry.state)
      this.#trim(entry.order.workspaceId)
    }
  }

  async #run({ order, file, progress }: Entry): Promise<ImportOutcome> {
    const { workspacePath, account, currency, columns, update } = order
    try {
      return await this.parts.run({
        ...{ workspacePath, path: file.path, name: file.name, update, progress },
        nowMs: this.parts.clock(),
        ...(account === undefined ? {} : { account }),
        ...(currency === undefined ? {} : { currency }),
        ...(columns === undefined ? {} : { columns }),
      })
    } catch (error) {
      // The thread has ended: with the service, or for want of memory.
      const reason = `the import was broken off: ${messageOf(error)}`
      return { kind: 'failed', reason, cause: 'broken off' }
    }
  }

  #record({ order }: Entry, outcome: ImportOutcome): void {
    const { workspaceId, actor } = order
    if (outcome.kind === 'failed') {
      this.recordRefusal(workspaceId, actor, outcome.cause)
      return
    }
    const { kind: _, format, bytes, sha256, warnings: __, changes: ___, ...counts } = outcome
    recordImport(this.parts.control, actor, this.parts.clock(), {
      ...{ workspaceId, format, bytes, sha256 },
      result: { ...counts, skipped: 0 },
    })
  }

  /** Forgets the oldest that are over. */
  #trim(workspaceId: string): void {
    const over = this.#entries.filter(
      ({ order, state }) => order.workspaceId === workspaceId && typeof state !== 'string',
    )
    const gone = new Set(over.slice(0, Math.max(0, over.length - IMPORTS_SHOWN_MAX)))
    if (gone.size > 0) this.#entries = this.#entries.filter((entry) => !gone.has(entry))
  }
}
