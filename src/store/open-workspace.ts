// Selects the engine of a workspace by its address. PostgreSQL's is loaded on its first use.
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { DataDirectory } from './data-directory.js'
import type { PostgresReader } from './postgres/postgres-reader.js'
import { ChangeWatch } from './sqlite/change-watch.js'
import { BUSY_TIMEOUT_MS } from './sqlite/database.js'
import { sealedVersion } from './sqlite/file-stamp.js'
import { SqliteCatalog } from './sqlite/sqlite-catalog.js'
import { SqliteReader } from './sqlite/sqlite-reader.js'
import { WorkspaceFile } from './sqlite/workspace-file.js'
import { isBusy } from './store-error.js'
import {
  addressText,
  type PostgresAddress,
  type SealedVersion,
  type WorkspaceAddress,
  type WorkspaceCatalog,
  type WorkspaceReader,
  type WorkspaceState,
  type WorkspaceWatch,
} from './workspace.js'
import type { WorkspaceWriter } from './workspace-writer.js'

/** The workspaces of a data directory. */
export function catalogOf(directory: DataDirectory): WorkspaceCatalog {
  return new SqliteCatalog(directory)
}

/** Options for reading a workspace. */
export interface ReadingOptions {
  /** How long to wait for a lock; absent = the default of the engine. */
  readonly busyTimeoutMs?: number
}

/** Whether the workspace still exists. @throws StoreError */
export async function isThere(address: WorkspaceAddress): Promise<boolean> {
  if (address.engine === 'sqlite') return existsSync(address.path)
  const reader = await postgresReader(address)
  try {
    return await reader.isThere()
  } finally {
    reader.close()
  }
}

/** Opens an existing workspace for reading. @throws StoreError */
export async function openReader(
  address: WorkspaceAddress,
  { busyTimeoutMs }: ReadingOptions = {},
): Promise<WorkspaceReader> {
  if (address.engine === 'sqlite') return new SqliteReader(address.path, busyTimeoutMs)
  return postgresReader(address)
}

async function postgresReader({ url, no }: PostgresAddress): Promise<PostgresReader> {
  const { PostgresReader } = await import('./postgres/postgres-reader.js')
  return new PostgresReader(url, no)
}

/** Reads an immutable state of a workspace. @throws StoreError, and any error of `use` */
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

/** Opens a workspace for writing; creates a missing file. @throws StoreError */
export async function openWriter(address: WorkspaceAddress): Promise<WorkspaceWriter> {
  if (address.engine === 'sqlite') return WorkspaceFile.open(address.path)
  const { PostgresWriter } = await import('./postgres/postgres-writer.js')
  return PostgresWriter.open(address.url, address.no)
}

/** Interval of retries while a file is locked. */
const WATCH_RETRY_MS = 100

/**
 * Watches a file; waits for a lock without blocking the thread. The pulse of a node watches the
 * workspaces of a database (postgres/pulse.ts).
 * @throws StoreError
 */
export async function openWatch(address: WorkspaceAddress): Promise<WorkspaceWatch> {
  if (address.engine !== 'sqlite') throw new Error(`${addressText(address)} is not a file`)
  for (let waitedMs = 0; ; waitedMs += WATCH_RETRY_MS) {
    try {
      return new ChangeWatch(address.path)
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error
      await pause(WATCH_RETRY_MS)
    }
  }
}

/**
 * Begins to checkpoint a workspace, so that its seal stays valid after the end of the service;
 * {@link WorkspaceWatch.settle} completes it. May take long, and blocks no reader or writer. A
 * workspace in PostgreSQL needs none.
 * @throws StoreError
 */
export async function settleWorkspace(address: WorkspaceAddress): Promise<void> {
  if (address.engine === 'postgres') return
  const reader = new SqliteReader(address.path)
  try {
    reader.checkpoint()
  } finally {
    reader.close()
  }
}

/**
 * The present version of a workspace with its seal; undefined while it is written continually.
 * @throws StoreError
 */
export async function sealWorkspace(address: WorkspaceAddress): Promise<SealedVersion | undefined> {
  if (address.engine === 'sqlite') return sealedVersion(address.path)
  return readWorkspace(address, async (state) => ({
    version: await state.version(),
    seal: await state.seal(),
  }))
}
