// The engine of a workspace, by its address.
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { DataDirectory } from './data-directory.js'
import { ChangeWatch } from './sqlite/change-watch.js'
import { BUSY_TIMEOUT_MS } from './sqlite/database.js'
import { sealedVersion } from './sqlite/file-stamp.js'
import { SqliteCatalog } from './sqlite/sqlite-catalog.js'
import { SqliteReader } from './sqlite/sqlite-reader.js'
import { WorkspaceFile } from './sqlite/workspace-file.js'
import { isBusy } from './store-error.js'
import type {
  SealedVersion,
  WorkspaceAddress,
  WorkspaceCatalog,
  WorkspaceReader,
  WorkspaceState,
  WorkspaceWatch,
} from './workspace.js'
import type { WorkspaceWriter } from './workspace-writer.js'

/** The workspaces of a data directory. */
export function catalogOf(directory: DataDirectory): WorkspaceCatalog {
  return new SqliteCatalog(directory)
}

/** How a workspace is opened for reading. */
interface ReadingOptions {
  /** How long to wait for a lock; absent = as long as the engine usually does. */
  readonly busyTimeoutMs?: number
}

/** Whether the workspace has not been deleted. */
export async function isThere({ path }: WorkspaceAddress): Promise<boolean> {
  return existsSync(path)
}

/** Opens an existing workspace for reading. @throws StoreError */
export async function openReader(
  { path }: WorkspaceAddress,
  { busyTimeoutMs }: ReadingOptions = {},
): Promise<WorkspaceReader> {
  return new SqliteReader(path, busyTimeoutMs)
}

/** Reads one unchanging state of a workspace. @throws StoreError, and what `use` throws */
export async function readWorkspace<T>(
  address: WorkspaceAddress,
  use: (state: WorkspaceState) => Promise<T>,
  options?: ReadingOptions,
): Promise<T> {
  const reader = await openReader(address, options)
  try {
    return await reader.read(use)
  } finally {
    reader.close()
  }
}

/** Opens a workspace for writing, and makes it when it is missing. @throws StoreError */
export async function openWriter({ path }: WorkspaceAddress): Promise<WorkspaceWriter> {
  return WorkspaceFile.open(path)
}

/** Interval at which a locked file is tried again. */
const WATCH_RETRY_MS = 100

/** Watches a workspace; waits for a lock without blocking the thread. @throws StoreError */
export async function openWatch({ path }: WorkspaceAddress): Promise<WorkspaceWatch> {
  for (let waitedMs = 0; ; waitedMs += WATCH_RETRY_MS) {
    try {
      return new ChangeWatch(path)
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error
      await pause(WATCH_RETRY_MS)
    }
  }
}

/**
 * Begins to bring a workspace to rest, so that its seal outlasts the service;
 * {@link WorkspaceWatch.settle} ends it. May take long, and disturbs no reader or writer.
 * @throws StoreError
 */
export async function settleWorkspace({ path }: WorkspaceAddress): Promise<void> {
  const reader = new SqliteReader(path)
  try {
    reader.checkpoint()
  } finally {
    reader.close()
  }
}

/**
 * The present version of a workspace with its seal; undefined when it does not come to rest.
 * @throws StoreError
 */
export async function sealWorkspace({
  path,
}: WorkspaceAddress): Promise<SealedVersion | undefined> {
  return sealedVersion(path)
}
