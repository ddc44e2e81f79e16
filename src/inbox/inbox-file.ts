import type { EpochMs } from '../instant.js'
import { StoreError } from '../store/store-error.js'
import { CAUSE_WRITTEN } from '../threads/import-task.js'
import { makeArchives, moveToDone, moveToFailed, reasonText } from './archive.js'
import { Claim } from './claim.js'
import type { FoundFile } from './found-files.js'
import { causeOf, type HeldFolder } from './held-folder.js'
import type { ArrivedFile, FailedImport, ImportResult, OpenedFile } from './imports.js'

/** The end of a file's import, for the folder that it came from. */
export type FileOutcome =
  /** Moved to `done/` or `failed/`; the path is below the workspace's folder. */
  | { readonly kind: 'archived'; readonly path: string; readonly result: ImportResult }
  /** Another process has it, or it changed: the next scan decides. */
  | { readonly kind: 'gone' }
  /** It is back in its folder, and is imported again. */
  | { readonly kind: 'later'; readonly reason: string }
  /** The folder is unusable. */
  | { readonly kind: 'error'; readonly reason: string }

/** The parts of an {@link InboxFile}. */
export interface InboxFileParts {
  readonly workspaceId: string
  /** Opens the workspace's folder. */
  readonly openFolder: () => Promise<HeldFolder>
  /** Size of the largest file that is imported. */
  readonly bytesMax: number
  readonly clock: () => EpochMs
  /** Called once, when the file has been released. */
  readonly onEnd: (end: FileOutcome) => void
}

/** A file of a workspace's folder, from its claim to `done/` or `failed/`. */
export class InboxFile implements ArrivedFile {
  readonly name: string
  readonly bytes: number
  #folder: HeldFolder | undefined
  #claim: Claim | undefined
  #end: FileOutcome = { kind: 'gone' }

  private constructor(
    private readonly parts: InboxFileParts,
    private readonly found: FoundFile | undefined,
    { name, bytes }: { readonly name: string; readonly bytes: number },
  ) {
    this.name = name
    this.bytes = bytes
  }

  /** A file that is claimed at its turn. */
  static found(parts: InboxFileParts, found: FoundFile): InboxFile {
    return new InboxFile(parts, found, found)
  }

  /** The file of a killed process. @param folder is closed with the file */
  static takenOver(parts: InboxFileParts, folder: HeldFolder, claim: Claim): InboxFile {
    const file = new InboxFile(parts, undefined, claim)
    file.#folder = folder
    file.#claim = claim
    return file
  }

  async open(): Promise<OpenedFile | FailedImport | undefined> {
    try {
      this.#folder ??= await this.parts.openFolder()
      await makeArchives(this.#folder)
      if (this.found !== undefined) this.#claim = await Claim.take(this.#folder, this.found)
    } catch (error) {
      const reason = error instanceof StoreError ? error.message : causeOf(error)
      this.#end = { kind: 'error', reason }
      return undefined
    }
    return this.#claim === undefined ? undefined : this.#openedOf(this.#claim)
  }

  #openedOf({ path, content, bytes, stamp }: Claim): OpenedFile | FailedImport {
    const { bytesMax } = this.parts
    if (typeof content !== 'number') return failed(content.fault, 'unreadable file')
    if (bytes === 0) return failed('it is empty', 'empty')
    if (bytes <= bytesMax) return { path, descriptor: content, stamp }
    const most = `it is larger than ${Math.floor(bytesMax / 1_000_000)} MB`
    return failed(`${most}; split it, or import it with kontor import`, 'too large')
  }

  async isToRepeat(result: ImportResult): Promise<boolean> {
    const isWritten = result.kind === 'failed' && result.cause === CAUSE_WRITTEN
    if (isWritten || (await this.#claim?.isWritten())) {
      this.#end = { kind: 'later', reason: 'it was written to while it was imported' }
      return true
    }
    // The file is not the cause: another program holds the workspace, or the disk is full.
    if (result.kind !== 'failed' || result.cause !== 'workspace file') return false
    this.#end = { kind: 'error', reason: result.reason }
    return true
  }

  async release(result: ImportResult | undefined): Promise<void> {
    try {
      if (result === undefined) await this.#claim?.putBack()
      else await this.#archive(result)
    } catch (error) {
      // Otherwise the file would be imported again and again.
      this.#claim?.keep()
      const reason = `${this.#claim?.path} cannot be moved: ${causeOf(error)}`
      this.#end = { kind: 'error', reason }
    }
    await this.#folder?.close()
    this.parts.onEnd(this.#end)
  }

  async #archive(result: ImportResult): Promise<void> {
    const { workspaceId, clock } = this.parts
    // The import was cancelled before its turn.
    if (this.#claim === undefined) await this.open()
    const claim = this.#claim
    const folder = this.#folder
    if (claim === undefined || folder === undefined) return
    const file = { name: this.name, workspaceId, nowMs: clock() }
    const path =
      result.kind === 'done'
        ? await moveToDone(folder, claim, file.nowMs)
        : await moveToFailed(folder, claim, reasonText(file, result))
    this.#end = { kind: 'archived', path, result }
    await claim.end()
  }
}

function failed(reason: string, cause: string): FailedImport {
  return { kind: 'failed', reason, cause }
}
