import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Opens a folder itself, and never the target of a link in its place. */
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Opens a file itself, and does not wait for the writer of a pipe in its place. */
export const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The folder in which Linux shows the descriptors of this process, as links to the open files. */
const DESCRIPTORS = '/proc/self/fd'

/**
 * A folder that is held open. Paths to its entries lead through its descriptor
 * (`/proc/self/fd/7/name`), so that they stay in this folder when a program renames it, or
 * replaces it by a link to another folder. Systems without /proc get ordinary paths.
 */
export class HeldFolder {
  private constructor(
    /** Its path without links, at the time of opening. */
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** Opens the folder that a path leads to, also by links. @throws the file system's error */
  static async open(path: string): Promise<HeldFolder> {
    const real = await realpath(path)
    return new HeldFolder(real, await open(real, FOLDER_FLAGS))
  }

  /** The path of an entry. @param name its name, or the bytes of it */
  at(name: string | Buffer): string | Buffer {
    const folder = existsSync(DESCRIPTORS) ? `${DESCRIPTORS}/${this.handle.fd}` : this.path
    return typeof name === 'string'
      ? `${folder}/${name}`
      : Buffer.concat([Buffer.from(`${folder}/`), name])
  }

  /** Opens a folder in this one. @throws the file system's error, also when it is a link */
  async folder(name: string): Promise<HeldFolder> {
    return new HeldFolder(join(this.path, name), await open(this.at(name), FOLDER_FLAGS))
  }

  /**
   * Opens a folder in this one, and creates it when it is missing, with the group and permissions
   * of this one, so that senders can see the results of their files.
   * @throws as `folder`
   */
  async madeFolder(name: string): Promise<HeldFolder> {
    try {
      await mkdir(this.at(name), { mode: 0o700 })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      return this.folder(name)
    }
    const made = await this.folder(name)
    try {
      const { gid, mode } = await this.handle.stat()
      const { uid } = await made.handle.stat()
      await made.handle.chown(uid, gid).catch(ignoreForbidden)
      await made.handle.chmod(mode & 0o777).catch(ignoreForbidden)
      return made
    } catch (error) {
      await made.close()
      throw error
    }
  }

  /** Whether an entry exists, of any kind. */
  async has(name: string): Promise<boolean> {
    try {
      await lstat(this.at(name))
      return true
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    }
  }

  async close(): Promise<void> {
    await this.handle.close()
  }
}

/** Only members of a group may give files to it; a container may not know the group at all. */
export function ignoreForbidden(error: unknown): void {
  if (!['EPERM', 'EINVAL', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error
}

/** The code of a file system's error, such as `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

/** A file system's error as the end of a sentence; its own message would name a descriptor. */
export function causeOf(error: unknown): string {
  const code = codeOf(error)
  return CAUSES.get(code ?? '') ?? code ?? 'an unknown error'
}

const CAUSES = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'it is not a folder'],
  ['ELOOP', 'it is a symbolic link'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the file system is read-only'],
  ['EXDEV', 'it is on another file system'],
])
