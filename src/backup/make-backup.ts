import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { CommandError, messageOf } from '../errors.js'
import { type EpochMs, formatInstant } from '../instant.js'
import { type DataDirectory, makeFolder, workspaceIds } from '../store/data-directory.js'
import { lockByFile } from '../store/sqlite/folder-lock.js'
import {
  type FileKind,
  type FileState,
  InspectedFile,
  newestSchemaVersion,
} from '../store/sqlite/inspected-file.js'
import { StoreError } from '../store/store-error.js'
import {
  completePartial,
  LOCK_NAME,
  makePartial,
  removePartials,
  rotate,
  type WholeBackup,
  wholeBackups,
} from './backup-folder.js'
import { sha256Of, syncPath, writeNewFile } from './durable.js'
import {
  type BackedUpFile,
  kindOf,
  MANIFEST_FORMAT,
  MANIFEST_NAME,
  type Manifest,
  type MissingFile,
  type OnProgress,
} from './manifest.js'
import { verifyCopy } from './verify-copy.js'

/** The source and the target of a backup. */
export interface BackupOptions {
  readonly directory: DataDirectory
  /** Folder of backups; created when it is missing, for its owner alone. */
  readonly folder: string
  /** Complete backups to keep, this one included; undefined = all. */
  readonly keep: number | undefined
  /** Version of this program. */
  readonly version: string
  readonly now: EpochMs
  readonly onProgress: OnProgress
}

/** The result of a complete backup. */
export interface BackupReport {
  readonly path: string
  readonly manifest: Manifest
  /** Rows in it that refer to missing rows, as they do in the original. */
  readonly dangling: readonly { readonly path: string; readonly count: number }[]
  /** Names of older backups that were deleted, oldest first. */
  readonly deleted: readonly string[]
  /** Files that the data directory seems to have lost; then no older backup is deleted. */
  readonly losses: readonly string[]
}

/**
 * Backs up all workspaces and control.db, while a service and others use them. Each file is copied
 * in one consistent state, checked in full, and compared with the original by uid, sequence and row
 * counts. The backup gets its name when all of it is on disk.
 *
 * Older backups are deleted after that, unless a file is missing that was not deleted, or the data
 * directory seems to have lost one: the last good copy of it may be in one of them.
 * @throws CommandError when another process writes into the folder, or it cannot be written
 * @throws StoreError when control.db cannot be copied
 */
export async function makeBackup(options: BackupOptions): Promise<BackupReport> {
  const { directory, folder, keep, now } = options
  try {
    refuseWithin(directory, folder)
    makeFolder(folder)
    const lock = lockByFile(join(folder, LOCK_NAME))
    if (lock === undefined) {
      const advice = 'try again later, or use another folder'
      throw new CommandError('failed', `another kontor backup is writing to ${folder}; ${advice}`)
    }
    try {
      removePartials(folder)
      const partial = makePartial(folder)
      try {
        const { manifest, dangling } = await fill(partial, options)
        const path = completePartial(folder, partial, now)
        const losses = lossesOf(path, manifest, wholeBackups(folder))
        const isWhole = manifest.missing.every(({ isDeleted }) => isDeleted) && losses.length === 0
        const deleted = keep === undefined || !isWhole ? [] : rotate(folder, keep, path)
        return { path, manifest, dangling, deleted, losses }
      } finally {
        rmSync(partial, { recursive: true, force: true })
      }
    } finally {
      lock.release()
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('failed', `${folder} cannot be written: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/**
 * Files that the data directory had before: control.db with its log, and the workspace files of
 * credentials in force. `kontor workspaces delete` ends these, so a file that was deleted on
 * purpose is not reported.
 * @param path of the new backup   @param backups of its folder, the new one included
 */
function lossesOf(
  path: string,
  { files, missing }: Manifest,
  backups: readonly WholeBackup[],
): string[] {
  const controlIn = (all: readonly BackedUpFile[]): BackedUpFile | undefined =>
    all.find((file) => file.path === 'control.db')
  // Keys are deleted with their workspace; of the audit log, something always stays.
  const logged = (all: readonly BackedUpFile[]): number => controlIn(all)?.rows['audit'] ?? 0
  const own = controlIn(files)
  const older = backups
    .filter((backup) => backup.path !== path)
    .map(({ manifest }) => manifest.files)
  if (own === undefined) {
    return older.some(controlIn) ? ['control.db, which an older backup has, is missing'] : []
  }
  if (logged(files) === 0 && older.some((all) => logged(all) > 0)) {
    return ['control.db has no audit log, and that of an older backup has']
  }
  if (own.schemaVersion !== newestSchemaVersion('control')) return []
  const control = InspectedFile.open(join(path, 'control.db'), 'control')
  try {
    return control.credentialsInForce().flatMap(({ kind, id, workspaceId, workspaceUid }) => {
      const name = `workspaces/${workspaceId}.db`
      // Reported by itself.
      if (missing.some((file) => file.path === name && !file.isDeleted)) return []
      const file = files.find((one) => one.path === name)
      if (file === undefined) return [`${name}, to which ${kind} ${id} gives access, is missing`]
      const isOther = workspaceUid !== null && workspaceUid !== file.uid
      return isOther ? [`${name} is not the file to which ${kind} ${id} gives access`] : []
    })
  } finally {
    control.close()
  }
}

/** A backup inside its own source is lost with it. */
function refuseWithin(directory: DataDirectory, folder: string): void {
  let existing = folder
  while (!existsSync(existing)) existing = join(existing, '..')
  const way = relative(realpathSync(directory.path), realpathSync(existing))
  if (way === '..' || way.startsWith(`..${sep}`)) return
  const advice = 'use a folder outside of it, preferably on another disk'
  throw new CommandError('failed', `${folder} is inside the data directory; ${advice}`)
}

type Contents = Pick<BackupReport, 'manifest' | 'dangling'>

/**
 * control.db is copied after the workspaces, and then the workspaces that were created meanwhile:
 * the workspace of a key is older than the key, so the copy has the workspace of each key in it,
 * unless it was deleted meanwhile, which deletes its keys first.
 */
async function fill(partial: string, options: BackupOptions): Promise<Contents> {
  const { directory, version, now } = options
  mkdirSync(join(partial, 'workspaces'), { mode: 0o700 })
  const copied: CopiedFile[] = []
  const missing: MissingFile[] = []
  const copyWorkspaces = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      const result = await copyOrMiss(`workspaces/${id}.db`, partial, options)
      if ('file' in result) copied.push(result)
      else missing.push(result)
    }
  }
  const first = workspaceIds(directory)
  await copyWorkspaces(first)
  const control = existsSync(directory.controlPath)
    ? [await copyFile('control.db', partial, options)]
    : []
  await copyWorkspaces(workspaceIds(directory).filter((id) => !first.includes(id)))
  const byPath = (a: CopiedFile, b: CopiedFile): number => (a.file.path < b.file.path ? -1 : 1)
  const all = [...copied.sort(byPath), ...control]
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    kontor: version,
    createdAt: formatInstant(now),
    files: all.map(({ file }) => file),
    missing,
  }
  writeNewFile(join(partial, MANIFEST_NAME), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const path of [join(partial, 'workspaces'), partial]) syncPath(path)
  const dangling = all.map(({ file, danglingCount }) => ({ path: file.path, count: danglingCount }))
  return { manifest, dangling: dangling.filter(({ count }) => count > 0) }
}

interface CopiedFile {
  readonly file: BackedUpFile
  readonly danglingCount: number
}

/** @throws CommandError and the file system's error when the copy cannot be written */
async function copyOrMiss(
  path: string,
  partial: string,
  options: BackupOptions,
): Promise<CopiedFile | MissingFile> {
  try {
    return await copyFile(path, partial, options)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    rmSync(join(partial, path), { force: true })
    const isDeleted = !existsSync(join(options.directory.path, path))
    return { path, reason: messageOf(error), isDeleted }
  }
}

/** @throws StoreError when the original cannot be read or is damaged */
async function copyFile(
  path: string,
  partial: string,
  { directory, onProgress }: BackupOptions,
): Promise<CopiedFile> {
  const target = join(partial, path)
  const kind = kindOf(path)
  const original = InspectedFile.open(join(directory.path, path), kind)
  let state: FileState
  try {
    state = await original.copyTo(target, (doneBytes, totalBytes) =>
      onProgress({ path, step: 'copying', doneBytes, totalBytes }),
    )
  } finally {
    original.close()
  }
  onProgress({ path, step: 'checking' })
  const danglingCount = danglingCountOf(original.path, { target, kind, state })
  syncPath(target)
  const bytes = statSync(target).size
  return { file: { path, bytes, sha256: await sha256Of(target), ...state }, danglingCount }
}

interface Copy {
  readonly target: string
  readonly kind: FileKind
  /** Of the original. */
  readonly state: FileState
}

/** A fault of the copy is a fault of the original. @throws StoreError */
function danglingCountOf(original: string, { target, kind, state }: Copy): number {
  try {
    return verifyCopy(target, kind, state).danglingCount
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const reason = error.message.replace(`${target}: `, '')
    throw new StoreError(`${original}: ${reason}`, { cause: error })
  }
}
