import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { INBOX_ACTOR } from '../domain/audit.js'
import { messageOf } from '../errors.js'
import { StoreError } from '../store/store-error.js'
import type { WorkspaceAddress, WorkspaceCatalog } from '../store/workspace.js'
import { nearestName } from '../text/nearest.js'
import { shownName } from './archive.js'
import { Claim } from './claim.js'
import { type FolderListing, listFolder, listRoot } from './found-files.js'
import { causeOf, codeOf, HeldFolder } from './held-folder.js'
import { readSettings } from './import-settings.js'
import type { ImportResult, Imports } from './imports.js'
import { type FileOutcome, InboxFile, type InboxFileParts } from './inbox-file.js'
import { pathsOpenForWriting } from './open-files.js'
import type { StabilityOptions } from './stability.js'
import { type InboxNotice, WorkspaceFolder } from './workspace-folder.js'

/** Time after which an unusable folder is tried again. */
const PAUSE_MS = 60_000

/** An event of an inbox. */
export type InboxEvent =
  | {
      readonly kind: 'result'
      readonly workspaceId: string
      readonly name: string
      readonly bytes: number
      /** Path of the file below the inbox, as it is now. */
      readonly path: string
      readonly result: ImportResult
    }
  | {
      readonly kind: 'later'
      readonly workspaceId: string
      readonly name: string
      readonly reason: string
    }
  | ({ readonly kind: 'notice' } & InboxNotice)

/** The parts of an inbox. */
export interface InboxParts extends StabilityOptions {
  /** The folder that contains a folder for each workspace. */
  readonly path: string
  readonly catalog: WorkspaceCatalog
  readonly imports: Imports
  /** Size of the largest file that is imported. */
  readonly bytesMax: number
  readonly onEvent: (event: InboxEvent) => void
  /** See {@link pathsOpenForWriting}, which it is if absent. */
  readonly openPaths?: (folder: string) => Promise<ReadonlySet<string>>
}

/** The folder of a workspace, for its page. */
export interface InboxState {
  readonly path: string
  /** Absent = there is no such folder. */
  readonly folder?: {
    /** Files that are not imported yet. */
    readonly waitingCount: number
    /** Sentences on the faults that prevent imports. */
    readonly faults: readonly string[]
  }
}

/**
 * A folder that feeds workspaces: it contains a folder for each workspace, named by the workspace's
 * id. It is scanned on request (inbox-watch.ts has the times). Complete files go to the queue of
 * imports, one of each workspace at a time: a file that takes long, or fails, delays the files of
 * its own workspace alone. The state is in memory; results are in `done/`, `failed/` and the audit
 * log.
 */
export class Inbox {
  readonly #folders = new Map<string, WorkspaceFolder>()
  #notices: readonly InboxNotice[] = []
  #isClosed = false
  #idleCallbacks: (() => void)[] = []

  constructor(private readonly parts: InboxParts) {}

  /** Paths of the folders that may get files. */
  get paths(): string[] {
    return [this.parts.path, ...Array.from(this.#folders.values(), ({ path }) => path)]
  }

  /** Whether a scan in a few seconds may find files to import that the last one could not take. */
  get isUnsettled(): boolean {
    return [...this.#folders.values()].some(({ isUnsettled }) => isUnsettled)
  }

  /** Current notices of the folders. */
  get notices(): InboxNotice[] {
    return [this.#notices, ...Array.from(this.#folders.values(), ({ notices }) => notices)].flat()
  }

  stateOf(workspaceId: string): InboxState {
    const path = join(this.parts.path, workspaceId)
    const folder = this.#folders.get(workspaceId)
    if (folder === undefined) return { path }
    const { waitingCount, notices } = folder
    return { path, folder: { waitingCount, faults: notices.map(({ message }) => message) } }
  }

  /** Scans all folders, and queues complete files. Not to be called concurrently. */
  async scan(): Promise<void> {
    if (this.#isClosed) return
    try {
      const root = await HeldFolder.open(this.parts.path)
      try {
        await this.#scanRoot(root)
      } finally {
        await root.close()
      }
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      const { path } = this.parts
      const reason = causeOf(error)
      const message = `the import folder ${path} cannot be read: ${reason}`
      this.#setNotices([{ event: 'import folder cannot be read', path, message, reason }])
    }
    for (const folder of this.#folders.values()) this.#feed(folder)
  }

  /** Resolves when no file is in the queue of imports. */
  async idle(): Promise<void> {
    while (this.#isBusy()) await new Promise<void>((resolve) => this.#idleCallbacks.push(resolve))
  }

  /**
   * Puts back the files that are being imported, unless their commit has begun, and takes no more.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    this.parts.imports.withdraw(INBOX_ACTOR)
    await this.idle()
    for (const { takenOver } of this.#folders.values()) {
      for (const { folder, claim } of takenOver) {
        await claim.putBack()
        await folder.close()
      }
    }
  }

  async #scanRoot(root: HeldFolder): Promise<void> {
    const { catalog, path } = this.parts
    const known = await catalog.list()
    const { folders, others } = await listRoot(root)
    const notices: InboxNotice[] = []
    for (const name of folders) {
      if (!known.includes(name)) notices.push(this.#unknownFolder(name, known))
    }
    if (others.length > 0) {
      const advice = 'files belong in the folder of a workspace, and links are not followed'
      const message = `${path}: ${listed(others)}: ${advice}`
      notices.push({ event: 'files are outside the workspace folders', path, message })
    }
    this.#setNotices(notices)
    for (const [workspaceId, { isBusy }] of this.#folders) {
      const isThere = folders.includes(workspaceId) && known.includes(workspaceId)
      if (!isThere && !isBusy) this.#folders.delete(workspaceId)
    }
    for (const name of folders) {
      if (known.includes(name)) await this.#scanFolder(root, name)
    }
    await this.#leaveOpenFiles(root.path)
  }

  #unknownFolder(name: string, known: readonly string[]): InboxNotice {
    const path = join(this.parts.path, shownName(name))
    const nearest = nearestName(name, known)
    const advice =
      nearest === undefined ? 'kontor workspaces list shows all' : `did you mean ${nearest}?`
    const what = `${path}: there is no workspace of this name, so its files are not imported`
    const message = `${what}; ${advice}`
    return { event: 'import folder belongs to no workspace', path, message }
  }

  async #scanFolder(root: HeldFolder, workspaceId: string): Promise<void> {
    const address = await this.parts.catalog.find(workspaceId)
    if (address === undefined) return
    const folder = this.#folderOf(workspaceId, address)
    let held: HeldFolder | undefined
    try {
      held = await root.folder(workspaceId)
      await access(held.at('.'), constants.W_OK | constants.X_OK)
      const listing = await listFolder(held)
      await this.#takeIn(folder, listing, held)
    } catch (error) {
      folder.ready = []
      folder.settings = undefined
      this.#setFolderNotices(folder, [unusable(folder, error)])
    } finally {
      await held?.close()
    }
  }

  #folderOf(workspaceId: string, address: WorkspaceAddress): WorkspaceFolder {
    const known = this.#folders.get(workspaceId)
    if (known !== undefined) return known
    const path = join(this.parts.path, workspaceId)
    const folder = new WorkspaceFolder(workspaceId, address, path, this.parts)
    this.#folders.set(workspaceId, folder)
    return folder
  }

  /** Updates the state of a folder from its listing. */
  async #takeIn(
    folder: WorkspaceFolder,
    { files, claims, hasSettings, irregular }: FolderListing,
    held: HeldFolder,
  ): Promise<void> {
    const notices: InboxNotice[] = []
    const read = hasSettings ? await readSettings(held) : { settings: {} }
    if ('fault' in read) {
      const message = `${folder.path}: ${read.fault}`
      notices.push(noticeOf(folder, 'has an invalid import.json', message))
    }
    // Files wait for a valid import.json: without their options they might be read wrongly.
    folder.settings = 'fault' in read ? undefined : read.settings
    if (irregular.length > 0) {
      const message = `${folder.path}: ${listed(irregular)}: only regular files are imported`
      notices.push(noticeOf(folder, 'has entries that are not regular files', message))
    }
    if (folder.error !== undefined) notices.push(this.#errorNotice(folder, folder.error))
    this.#setFolderNotices(folder, notices)
    const stable = folder.stability.stableFiles(files)
    folder.waitingCount = files.length
    folder.ready = 'fault' in read ? [] : stable
    folder.isUnsettled = stable.length < files.length
    if (!folder.isBusy && !('fault' in read)) await this.#takeOverClaims(folder, claims)
  }

  /** A claim with a free lock is that of a killed process, unless it is just being created. */
  async #takeOverClaims(folder: WorkspaceFolder, claims: readonly string[]): Promise<void> {
    const before = folder.claims
    folder.claims = new Set(claims)
    for (const id of claims) {
      if (!before.has(id)) {
        folder.isUnsettled = true
        continue
      }
      const held = await this.#openFolder(folder.workspaceId)
      const claim = await Claim.takeOver(held, id).catch(async (error: unknown) => {
        // Its process has ended the claim in the meantime.
        if (codeOf(error) === 'ENOENT') return undefined
        await held.close()
        throw error
      })
      if (claim === undefined) await held.close()
      else folder.takenOver.push({ folder: held, claim })
    }
  }

  /** @throws StoreError when the workspace was deleted: an import would create it again */
  async #openFolder(workspaceId: string): Promise<HeldFolder> {
    if ((await this.parts.catalog.find(workspaceId)) === undefined) {
      throw new StoreError(`there is no workspace ${workspaceId} any more`)
    }
    const root = await HeldFolder.open(this.parts.path)
    try {
      return await root.folder(workspaceId)
    } finally {
      await root.close()
    }
  }

  /** Leaves files that are still being written, however long ago the last write was. */
  async #leaveOpenFiles(rootPath: string): Promise<void> {
    const folders = [...this.#folders.values()].filter(({ ready }) => ready.length > 0)
    if (folders.length === 0) return
    const { openPaths = pathsOpenForWriting } = this.parts
    const open = await openPaths(rootPath)
    if (open.size === 0) return
    for (const folder of folders) {
      const before = folder.ready.length
      const at = join(rootPath, folder.workspaceId)
      folder.ready = folder.ready.filter(({ raw }) => !open.has(join(at, raw.toString('utf8'))))
      if (folder.ready.length < before) folder.isUnsettled = true
    }
  }

  /** Queues the next file of a folder. */
  #feed(folder: WorkspaceFolder): void {
    const { imports, ticks } = this.parts
    const { workspaceId, address, settings } = folder
    if (this.#isClosed || folder.isBusy || ticks() < folder.pausedUntilTicks) return
    if (settings === undefined) return
    const next = folder.next()
    if (next === undefined) return
    folder.isBusy = true
    const parts: InboxFileParts = {
      workspaceId,
      openFolder: () => this.#openFolder(workspaceId),
      bytesMax: this.parts.bytesMax,
      clock: this.parts.clock,
      onEnd: (end) => this.#endFile(folder, file, end),
    }
    const file =
      'claim' in next
        ? InboxFile.takenOver(parts, next.folder, next.claim)
        : InboxFile.found(parts, next)
    imports.add({ workspaceId, address, settings, files: [file], actor: INBOX_ACTOR })
  }

  #endFile(folder: WorkspaceFolder, { name, bytes }: InboxFile, end: FileOutcome): void {
    const { workspaceId } = folder
    const { onEvent, ticks } = this.parts
    folder.isBusy = false
    folder.error = end.kind === 'error' ? end.reason : undefined
    if (end.kind === 'archived') {
      folder.waitingCount = Math.max(0, folder.waitingCount - 1)
      const path = join(workspaceId, end.path)
      onEvent({ kind: 'result', workspaceId, name, bytes, path, result: end.result })
    } else if (end.kind === 'later') {
      onEvent({ kind: 'later', workspaceId, name, reason: end.reason })
    } else if (end.kind === 'error') {
      folder.pausedUntilTicks = ticks() + PAUSE_MS
      this.#setFolderNotices(folder, [...folder.notices, this.#errorNotice(folder, end.reason)])
    }
    this.#feed(folder)
    if (this.#isBusy()) return
    const callbacks = this.#idleCallbacks
    this.#idleCallbacks = []
    for (const resolve of callbacks) resolve()
  }

  #isBusy(): boolean {
    return [...this.#folders.values()].some(({ isBusy }) => isBusy)
  }

  #errorNotice(folder: WorkspaceFolder, reason: string): InboxNotice {
    const message = `${folder.path}: ${reason}; kontor tries again every minute`
    return { ...noticeOf(folder, 'cannot be imported from at present', message), reason }
  }

  #setNotices(notices: readonly InboxNotice[]): void {
    this.#report(this.#notices, notices)
    this.#notices = notices
  }

  #setFolderNotices(folder: WorkspaceFolder, notices: readonly InboxNotice[]): void {
    this.#report(folder.notices, notices)
    folder.notices = notices
  }

  /** Reports new notices. */
  #report(before: readonly InboxNotice[], now: readonly InboxNotice[]): void {
    const known = new Set(before.map(({ message }) => message))
    for (const notice of now) {
      if (!known.has(notice.message)) this.parts.onEvent({ kind: 'notice', ...notice })
    }
  }
}

function noticeOf({ path }: WorkspaceFolder, what: string, message: string): InboxNotice {
  return { event: `import folder ${what}`, path, message }
}

/** The notice of a folder whose scan failed; other folders are not affected. */
function unusable(folder: WorkspaceFolder, error: unknown): InboxNotice {
  const { path } = folder
  const what = 'cannot be used'
  if (error instanceof StoreError || codeOf(error) !== undefined) {
    const reason = error instanceof StoreError ? error.message : causeOf(error)
    const message = `${path} ${what}: ${reason}; kontor has to read and write in it`
    return { ...noticeOf(folder, what, message), reason }
  }
  const reason = `unexpected ${error instanceof Error ? error.name : 'error'}`
  const message = `${path} ${what}: ${reason}: ${messageOf(error)}; this is a fault of kontor`
  return { ...noticeOf(folder, what, message), reason }
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(shownName(name))).join(', ')
}
