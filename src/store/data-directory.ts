import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../errors.js'
import { StoreError } from './store-error.js'
import type { SqliteAddress } from './workspace.js'

const WORKSPACE_ID = /^[-a-zA-Z0-9_]+$/
const WORKSPACE_ID_LENGTH_MAX = 128

/** Whether the text may name a workspace: the contract's pattern, and fit for a file name. */
export function isWorkspaceId(text: string): boolean {
  return text.length <= WORKSPACE_ID_LENGTH_MAX && WORKSPACE_ID.test(text)
}

/** @throws StoreError when the text is not a valid id of a workspace */
export function requireWorkspaceId(text: string): void {
  if (!isWorkspaceId(text)) throw new StoreError(`${text} is not a valid workspace id`)
}

/**
 * Layout of a data directory: `workspaces/<id>.db`, `control.db`, and `cache/<id>.frozen`,
 * snapshots as they were in memory, so that a start need not build them (snapshot/cache.ts). The
 * cache is created on demand and may be deleted at any time. Its content, and that of `uploads/`,
 * is as confidential as the rest.
 */
export interface DataDirectory {
  readonly path: string
  readonly controlPath: string
  readonly cachePath: string
  /** Bank files on their way from a browser into a workspace; empty when no service runs. */
  readonly uploadsPath: string
}

/** Folder in a data directory that `kontor restore` has begun and not finished. */
export const RESTORING_FOLDER = '.restoring'

/**
 * Opens an existing directory.
 * @throws StoreError when there is none, it cannot be written, or a restore into it is unfinished
 */
export function openDataDirectory(path: string): DataDirectory {
  refuseUnfinishedRestore(path)
  // A directory of another user looks empty.
  if (existsSync(path)) accessible(path, () => accessSync(path, constants.X_OK))
  if (!existsSync(join(path, 'workspaces'))) {
    throw new StoreError(
      `there is no data directory ${path}; kontor serve, demo and import create one, ` +
        'and --data-dir selects another',
    )
  }
  return usable(path, () => undefined)
}

/**
 * Makes the directory and its folders when they are missing, for the owner alone (0700).
 * @throws StoreError when it cannot be made or written, or a restore into it is unfinished
 */
export function makeDataDirectory(path: string): DataDirectory {
  refuseUnfinishedRestore(path)
  return usable(path, () => makeFolder(join(path, 'workspaces')))
}

function usable(path: string, make: () => void): DataDirectory {
  accessible(path, () => {
    make()
    accessSync(path, constants.W_OK)
    accessSync(join(path, 'workspaces'), constants.W_OK)
  })
  return dataDirectoryAt(path)
}

/** @throws StoreError when `access` fails */
function accessible(path: string, access: () => void): void {
  try {
    access()
  } catch (error) {
    throw new StoreError(
      `the data directory ${path} cannot be used (${messageOf(error)}); ` +
        'select a writable one with --data-dir',
      { cause: error },
    )
  }
}

/** The layout of a directory that may be missing. */
export function dataDirectoryAt(path: string): DataDirectory {
  return {
    path,
    controlPath: join(path, 'control.db'),
    cachePath: join(path, 'cache'),
    uploadsPath: join(path, 'uploads'),
  }
}

/** A killed restore may have restored the keys without their workspaces. */
function refuseUnfinishedRestore(path: string): void {
  if (!existsSync(join(path, RESTORING_FOLDER))) return
  throw new StoreError(
    `a restore into ${path} is incomplete: unless kontor restore is running, delete the ` +
      'content of that directory and restore again',
  )
}

/**
 * Makes a folder for its owner alone (0700), with its parents. Node.js's `recursive` is not used:
 * it never returns where a folder exists that nothing can be made in, such as /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error
  }
}

/** Path of a workspace's file, whether it exists or not. @param workspaceId a valid id */
export function workspacePath(directory: DataDirectory, workspaceId: string): string {
  requireWorkspaceId(workspaceId)
  return join(directory.path, 'workspaces', `${workspaceId}.db`)
}

/** Where a workspace is, whether it exists or not. @param workspaceId a valid id */
export function workspaceAddress(directory: DataDirectory, workspaceId: string): SqliteAddress {
  return { engine: 'sqlite', path: workspacePath(directory, workspaceId) }
}

/** Path of a workspace's cached snapshot, likewise. */
export function cachePath(directory: DataDirectory, workspaceId: string): string {
  requireWorkspaceId(workspaceId)
  return join(directory.cachePath, `${workspaceId}.frozen`)
}

/** Whether the workspace has a file. */
export function workspaceExists(directory: DataDirectory, workspaceId: string): boolean {
  return isWorkspaceId(workspaceId) && existsSync(workspacePath(directory, workspaceId))
}

/** Ids of all workspaces that have a file, ascending. */
export function workspaceIds(directory: DataDirectory): string[] {
  return readdirSync(join(directory.path, 'workspaces'))
    .filter((name) => name.endsWith('.db'))
    .map((name) => name.slice(0, -'.db'.length))
    .filter(isWorkspaceId)
    .sort()
}

/** Deletes a workspace's file with its WAL; a missing one is no error. */
export function deleteWorkspaceFile(directory: DataDirectory, workspaceId: string): void {
  const path = workspacePath(directory, workspaceId)
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}
