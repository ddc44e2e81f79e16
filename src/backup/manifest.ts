import { strict as assert } from 'node:assert'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import typia from 'typia'
import { CommandError, messageOf } from '../errors.js'
import { isWorkspaceId } from '../store/data-directory.js'
import {
  type FileKind,
  type FileState,
  newestSchemaVersion,
} from '../store/sqlite/inspected-file.js'
import { sha256Of } from './durable.js'

/** Raised when a manifest changes so that an older kontor would misread it. */
export const MANIFEST_FORMAT = 1

/** Name of the manifest in a backup. */
export const MANIFEST_NAME = 'manifest.json'

/** One file of a backup. */
export interface BackedUpFile extends FileState {
  /** Below the backup and below the data directory alike: `control.db`, `workspaces/<id>.db`. */
  readonly path: string
  readonly bytes: number
  /** 64 lower-case hex digits. */
  readonly sha256: string
}

/** A file of the data directory that is not in the backup. */
export interface MissingFile {
  readonly path: string
  readonly reason: string
  /** Whether it was deleted during the backup; otherwise it could not be copied. */
  readonly isDeleted: boolean
}

/** The content of `manifest.json`, which describes a backup. */
export interface Manifest {
  readonly format: number
  /** Version of the program that wrote it. */
  readonly kontor: string
  /** The start of the backup, `YYYY-MM-DDTHH:MM:SS.MMMZ`. */
  readonly createdAt: string
  /** Workspaces by id, then control.db, which may be absent. */
  readonly files: readonly BackedUpFile[]
  readonly missing: readonly MissingFile[]
}

const validateManifest = typia.createValidate<Manifest>()

/** Called with the progress of a file while it is copied or read. */
export type OnProgress = (progress: {
  /** As in the manifest. */
  readonly path: string
  readonly step: 'copying' | 'checking'
  /** Absent = unknown. */
  readonly doneBytes?: number
  readonly totalBytes?: number
}) => void

/** @throws AssertionError when a manifest cannot hold the path */
export function kindOf(path: string): FileKind {
  assert(isBackedUpPath(path))
  return path === 'control.db' ? 'control' : 'workspace'
}

function isBackedUpPath(path: string): boolean {
  const id = /^workspaces\/(.*)\.db$/.exec(path)?.[1]
  return path === 'control.db' || (id !== undefined && isWorkspaceId(id))
}

/**
 * Reads the manifest of a backup.
 * @param backup folder of one backup
 * @throws CommandError when it is missing, unreadable, or of a later format
 */
export function readManifest(backup: string): Manifest {
  const path = join(backup, MANIFEST_NAME)
  const fault = (what: string, cause?: unknown): CommandError =>
    new CommandError('failed', `${path} ${what}`, { cause })
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw fault(`cannot be read: ${messageOf(error)}`, error)
  }
  const format = (parsed as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > MANIFEST_FORMAT) {
    throw fault(
      `has format ${format}, newer than the supported ${MANIFEST_FORMAT}; use a newer ` +
        'version of kontor',
    )
  }
  const validated = validateManifest(parsed)
  if (!validated.success) {
    const [first] = validated.errors
    throw fault(`is not a manifest of a backup: ${first?.path} is not ${first?.expected}`)
  }
  const paths = validated.data.files.map((file) => file.path)
  const strange = paths.find((name, i) => !isBackedUpPath(name) || paths.indexOf(name) !== i)
  if (strange !== undefined)
    throw fault(`names ${JSON.stringify(strange)}, which is not a file of a backup`)
  return validated.data
}

/**
 * Compares every file of a backup with the manifest: size, SHA-256, and a schema that is known.
 * @param backup folder of one backup
 * @throws CommandError that names the first file that differs
 */
export async function verifyFiles(
  backup: string,
  manifest: Manifest,
  onProgress: OnProgress,
): Promise<void> {
  for (const file of manifest.files) {
    onProgress({ path: file.path, step: 'checking' })
    const known = newestSchemaVersion(kindOf(file.path))
    if (file.schemaVersion > known) {
      const versions = `schema version ${file.schemaVersion}, newer than the supported ${known}`
      throw new CommandError(
        'failed',
        `${join(backup, file.path)} has ${versions}; use a newer version of kontor`,
      )
    }
    await verifyBytes(join(backup, file.path), file)
  }
}

/** @throws CommandError when the file is missing or is not the one in the manifest */
export async function verifyBytes(path: string, { bytes, sha256 }: BackedUpFile): Promise<void> {
  try {
    const size = statSync(path).size
    if (size !== bytes) {
      throw new CommandError('failed', `${path} has ${size} bytes, but ${bytes} in the manifest`)
    }
    if ((await sha256Of(path)) === sha256) return
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('failed', `${path} cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
  throw new CommandError('failed', `${path} was changed: its SHA-256 differs from the manifest`)
}
