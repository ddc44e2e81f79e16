import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises'
import { type FolderLock, lockByFile } from '../store/sqlite/folder-lock.js'
import { StoreError } from '../store/store-error.js'
import { stampOf } from '../threads/import-task.js'
import { CLAIM_PREFIX, type FoundFile, isRegular } from './found-files.js'
import { causeOf, codeOf, FILE_FLAGS, type HeldFolder } from './held-folder.js'
import { moveUnderFreeName, shortName } from './move.js'

/** The lock of a claim, in its folder. */
const LOCK_NAME = '.lock'

/** The lock, and the journal of SQLite next to it, which a killed process leaves behind. */
const LOCK_NAMES = [LOCK_NAME, `${LOCK_NAME}-journal`]

/** Claims of {@link Claim.keep}: garbage collection would close the file and free the lock. */
const KEPT = new Set<Claim>()

/** Codes of a folder that another process has removed or filled. */
const IS_TAKEN = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST'])

/**
 * The right of one process to import one file.
 *
 *   acme/a.csv  ──rename──▶  acme/.claimed-<uuid>/a.csv  ──import, move──▶  acme/done/2026-11/a.csv
 *                            acme/.claimed-<uuid>/.lock    locked as long as its process lives
 *
 * A file can be renamed only once, so one of several processes succeeds. The system releases the
 * lock of a process that ends in any way, also in another container or, on a network file system
 * with locks, on another machine. A claim with a free lock is that of a killed process:
 * {@link Claim.takeOver} imports its file again, and as imports recognize stored rows, nothing is
 * lost or added twice.
 */
export class Claim {
  #stats: BigIntStats | undefined
  #handle: FileHandle | undefined
  #fault: string | undefined

  private constructor(private readonly parts: ClaimParts) {}

  /**
   * Takes a file that {@link listFolder} found.
   * @param folder stays open until the claim has ended
   * @returns undefined when the file is gone or was written since: another process may have it
   * @throws StoreError when the folder cannot be locked; the file system's error
   */
  static async take(folder: HeldFolder, found: FoundFile): Promise<Claim | undefined> {
    const id = CLAIM_PREFIX + randomUUID()
    await mkdir(folder.at(id), { mode: 0o700 })
    const own = await folder.folder(id)
    const place = { folder, own, id }
    const lock = await lockedOrRemoved(place)
    const name = shortName(found.name)
    try {
      await rename(folder.at(found.raw), own.at(name))
    } catch (error) {
      await remove(place, lock)
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
    const claim = await new Claim({ ...place, lock, name }).#open()
    if (claim.#stats === undefined || stampOf(claim.#stats) === found.stamp) return claim
    await claim.putBack()
    return undefined
  }

  /**
   * Takes the file of a claim whose process has ended.
   * @param folder as for `take`   @param id name of the claim's folder
   * @returns undefined when its process lives, or there is no file in it
   */
  static async takeOver(folder: HeldFolder, id: string): Promise<Claim | undefined> {
    // The claim of another user may be a trap, such as a lock that links to a database.
    const { uid } = await lstat(folder.at(id))
    if (uid !== process.getuid?.()) return undefined
    const own = await folder.folder(id)
    let lock: FolderLock | undefined
    try {
      lock = (await isLockGenuine(own)) ? lockOf(own) : undefined
      if (lock === undefined) return own.close().then(() => undefined)
      const names = await readdir(own.at('.').toString())
      const name = names.find((each) => !LOCK_NAMES.includes(each))
      if (name !== undefined) return new Claim({ folder, own, id, lock, name }).#open()
    } catch (error) {
      // Its process has ended the claim in the meantime, or the folder cannot be read.
      lock?.release()
      await own.close()
      throw error
    }
    await remove({ folder, own, id }, lock)
    return undefined
  }

  async #open(): Promise<this> {
    const { own, name } = this.parts
    try {
      this.#handle = await open(own.at(name), FILE_FLAGS)
      this.#stats = await this.#handle.stat({ bigint: true })
      if (!isRegular(this.#stats)) this.#fault = 'it is not a regular file'
    } catch (error) {
      this.#fault = `it cannot be read: ${causeOf(error)}`
    }
    return this
  }

  /** Name of the file. */
  get name(): string {
    return this.parts.name
  }

  /** Path of the file, for messages. */
  get path(): string {
    return `${this.parts.own.path}/${this.name}`
  }

  /** The descriptor of the open file, or the reason why it cannot be read. */
  get content(): number | { readonly fault: string } {
    const { fd } = this.#handle ?? {}
    return this.#fault !== undefined || fd === undefined ? { fault: this.#fault ?? '' } : fd
  }

  /** Size of the file. */
  get bytes(): number {
    return Number(this.#stats?.size ?? 0)
  }

  /** Permissions of the file. */
  get mode(): number {
    return Number(this.#stats?.mode ?? 0o600) & 0o777
  }

  /** Id of the file's group. */
  get group(): number {
    return Number(this.#stats?.gid ?? process.getgid?.() ?? 0)
  }

  /** The file's {@link stampOf} at the time of the claim; undefined when it cannot be read. */
  get stamp(): string | undefined {
    return this.#stats === undefined ? undefined : stampOf(this.#stats)
  }

  /** Whether the file was written since it was claimed. */
  async isWritten(): Promise<boolean> {
    if (this.#handle === undefined) return false
    return stampOf(await this.#handle.stat({ bigint: true })) !== this.stamp
  }

  /** Moves the file into a folder. @returns its name there   @throws the file system's error */
  async moveTo(folder: HeldFolder, isFree?: (name: string) => Promise<boolean>): Promise<string> {
    return moveUnderFreeName(this.parts.own.at(this.name), folder, this.name, isFree)
  }

  /** Moves the file back, for a later import, and ends the claim. */
  async putBack(): Promise<void> {
    await this.moveTo(this.parts.folder)
    await this.end()
  }

  /** Keeps the file and its lock until the process ends, as the file cannot be moved. */
  keep(): void {
    KEPT.add(this)
  }

  /** Ends the claim after its file was moved. */
  async end(): Promise<void> {
    await this.#handle?.close()
    await remove(this.parts, this.parts.lock)
  }
}

/** The folder of a claim. */
interface ClaimPlace {
  /** The workspace's folder. */
  readonly folder: HeldFolder
  readonly own: HeldFolder
  /** Name of `own` in `folder`. */
  readonly id: string
}

interface ClaimParts extends ClaimPlace {
  readonly lock: FolderLock
  /** Name of the file in `own`. */
  readonly name: string
}

async function lockedOrRemoved(place: ClaimPlace): Promise<FolderLock> {
  let lock: FolderLock | undefined
  try {
    lock = lockOf(place.own)
  } finally {
    if (lock === undefined) await remove(place)
  }
  if (lock !== undefined) return lock
  throw new StoreError(`${place.folder.path} cannot be locked; mount it with file locks`)
}

/** @returns undefined when another process holds the lock, or has removed the folder */
function lockOf(own: HeldFolder): FolderLock | undefined {
  try {
    return lockByFile(own.at(LOCK_NAME).toString())
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isLockGenuine(own: HeldFolder): Promise<boolean> {
  if (!(await own.has(LOCK_NAME))) return true
  return isRegular(await lstat(own.at(LOCK_NAME), { bigint: true }))
}

/** Removes the folder of a claim, unless it contains a file. */
async function remove({ folder, own, id }: ClaimPlace, lock?: FolderLock): Promise<void> {
  try {
    // Releases the lock first, because SQLite then removes its journal.
    lock?.release()
    for (const name of LOCK_NAMES) await unlink(own.at(name)).catch(ignoreTaken)
    await rmdir(folder.at(id)).catch(ignoreTaken)
  } finally {
    await own.close()
  }
}

function ignoreTaken(error: unknown): void {
  if (!IS_TAKEN.has(codeOf(error) ?? '')) throw error
}
