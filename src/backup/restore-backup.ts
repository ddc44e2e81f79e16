import { strict as assert } from 'node:assert'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { CommandError, messageOf } from '../errors.js'
import { makeFolder, RESTORING_FOLDER } from '../store/data-directory.js'
import { StoreError } from '../store/store-error.js'
import { type WholeBackup, wholeBackups } from './backup-folder.js'
import { syncPath } from './durable.js'
import {
  kindOf,
  MANIFEST_NAME,
  type Manifest,
  type OnProgress,
  readManifest,
  verifyBytes,
  verifyFiles,
} from './manifest.js'
import { verifyCopy } from './verify-copy.js'

/** The source and the target of a restore. */
export interface RestoreOptions {
  /** Folder of one backup, or of several: then the newest complete one. */
  readonly from: string
  /** Data directory: absent or empty. */
  readonly to: string
  readonly onProgress: OnProgress
}

/** The result of a complete restore. */
export interface RestoreReport {
  /** Path of the backup. */
  readonly backup: string
  readonly manifest: Manifest
  /** Newer backups in the folder that are damaged. */
  readonly passedOver: readonly { readonly backup: string; readonly reason: string }[]
}

/** The content of an empty file system of its own. */
const NO_CONTENT = ['lost+found']

/**
 * Restores a backup as a data directory. The backup is compared with its manifest first, and each
 * file is checked again in full at its target. Meanwhile, and after the process was killed, the
 * directory has a folder {@link RESTORING_FOLDER}, and no command of kontor uses it.
 * @throws CommandError when there is no complete backup, or the directory is not empty
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { from, to, onProgress } = options
  try {
    requireEmpty(to, [])
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('failed', `${to} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  const report = await findBackup(from, onProgress)
  const isMade = !existsSync(to)
  try {
    makeFolder(to)
    const restoring = join(to, RESTORING_FOLDER)
    mkdirSync(restoring, { mode: 0o700 })
    try {
      requireEmpty(to, [RESTORING_FOLDER])
      await copyFiles(report, restoring, onProgress)
    } catch (error) {
      rmSync(restoring, { recursive: true, force: true })
      if (isMade && readdirSync(to).length === 0) rmdirSync(to)
      throw error
    }
    moveInto(to, restoring)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('failed', `${to} cannot be written: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return report
}

/** @param ignored names that are no content */
function requireEmpty(to: string, ignored: readonly string[]): void {
  if (!existsSync(to)) return
  if (!statSync(to).isDirectory()) throw new CommandError('failed', `${to} is not a directory`)
  const found = readdirSync(to).filter((name) => ![...NO_CONTENT, ...ignored].includes(name))
  if (found.length === 0) return
  const advice =
    `stop the service that uses it and move it away (mv ${to} ${to}.old), ` +
    'or select another with --data-dir'
  const names = found.sort().slice(0, NAMES_SHOWN_MAX).join(', ')
  throw new CommandError(
    'failed',
    `${to} is not empty (${names}), and kontor restore does not overwrite files: ${advice}`,
  )
}

const NAMES_SHOWN_MAX = 4

async function findBackup(from: string, onProgress: OnProgress): Promise<RestoreReport> {
  if (existsSync(join(from, MANIFEST_NAME))) {
    const manifest = readManifest(from)
    await verifyFiles(from, manifest, onProgress)
    return { backup: from, manifest, passedOver: [] }
  }
  const passedOver: { backup: string; reason: string }[] = []
  for (const { path, manifest } of backupsIn(from)) {
    try {
      await verifyFiles(path, manifest, onProgress)
      return { backup: path, manifest, passedOver }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      passedOver.push({ backup: path, reason: error.message })
    }
  }
  const why = passedOver.map(({ reason }) => `; ${reason}`).join('')
  const advice = `use a folder that kontor backup wrote`
  throw new CommandError('failed', `there is no complete backup in ${from}${why}; ${advice}`)
}

function backupsIn(folder: string): WholeBackup[] {
  try {
    return wholeBackups(folder)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('failed', `${folder} cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function copyFiles(
  { backup, manifest }: RestoreReport,
  restoring: string,
  onProgress: OnProgress,
): Promise<void> {
  mkdirSync(join(restoring, 'workspaces'), { mode: 0o700 })
  for (const file of manifest.files) {
    const target = join(restoring, file.path)
    onProgress({ path: file.path, step: 'copying' })
    copyFileSync(join(backup, file.path), target)
    // The copy has the permissions of the backup, whose medium may have none.
    chmodSync(target, 0o600)
    syncPath(target)
    onProgress({ path: file.path, step: 'checking' })
    await verifyBytes(target, file)
    try {
      verifyCopy(target, kindOf(file.path), file)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const path = join(backup, file.path)
      const reason = error.message.replace(`${target}: `, '')
      throw new CommandError('failed', `${path}: ${reason}; use another backup`, { cause: error })
    }
  }
}

/**
 * Removing the folder makes the directory usable: any earlier failure leaves the folder in place.
 */
function moveInto(to: string, restoring: string): void {
  syncPath(join(restoring, 'workspaces'))
  const names = readdirSync(restoring)
  assert(names.includes('workspaces'))
  for (const name of names) renameSync(join(restoring, name), join(to, name))
  syncPath(to)
  rmdirSync(restoring)
  syncPath(to)
}
