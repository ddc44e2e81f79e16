import type { StoreNodes } from '../domain/nodes.js'
import type { UnreadyReason } from '../domain/probes.js'
import { processTags, type StateTagSource } from '../http/state-tags.js'
import type { EpochMs } from '../instant.js'
import type { ControlLogSource, HeardSource } from '../metrics/metric-sources.js'
import type { ControlStore } from '../store/control-store.js'
import type { DataDirectory } from '../store/data-directory.js'
import { type ReadStore, readStoreOf } from '../store/read-store.js'
import { CheckpointScheduler } from '../store/sqlite/checkpoint-scheduler.js'
import { ControlFile } from '../store/sqlite/control-file.js'
import { unreadableParts } from '../store/sqlite/readability.js'
import { CheckpointPool } from '../threads/checkpoint-pool.js'
import type { Log } from './log.js'
import { reasonOf } from './logged-error.js'

/** The store of a service, and everything that depends on its engine. */
export interface ServedStore extends ReadStore {
  readonly control: ControlStore
  /** The clock by which credentials expire. */
  readonly clock: () => EpochMs
  readonly tags: StateTagSource
  /** Reasons of the store for not being ready; empty = it is ready. */
  readonly unready: () => readonly UnreadyReason[]
  /** Measurements of the write-ahead log of control data; undefined = there is none. */
  readonly controlLog: ControlLogSource | undefined
  /** Measurements of the polling; undefined = the store is a data directory. */
  readonly heard: HeardSource | undefined
  /** The nodes that serve it; undefined = only this process does. */
  readonly nodes: StoreNodes | undefined
  /** Starts the upkeep, which runs in the background. */
  begin(served: ServedMemory): void
  /** Stops the upkeep and closes the store, which must be unused. */
  close(): Promise<void>
}

/** What a service has in memory. */
export interface ServedMemory {
  /** Number of workspaces, and their bytes. */
  readonly memory: () => { readonly residents: number; readonly bytes: number }
  /** Rereads the keys if any has changed. Rejects with StoreUnavailableError if it cannot. */
  readonly readKeys: () => Promise<void>
  /** Called when a database answers again. */
  readonly onHeardAgain: () => void
}

/** Options for serving a data directory. */
interface DirectoryOptions {
  readonly clock: () => EpochMs
  readonly log: Log
  /** Wraps the store of control data, for tests; absent = the file itself is used. */
  readonly controlOver?: ((file: ControlStore) => ControlStore) | undefined
}

/** Opens a data directory for serving. @throws StoreError when control.db cannot be used */
export function serveDirectory(
  directory: DataDirectory,
  { clock, log, controlOver }: DirectoryOptions,
): ServedStore {
  const file = ControlFile.open(directory.controlPath, 'service')
  const control = controlOver?.(file) ?? file
  const pool = new CheckpointPool()
  const checkpoints = new CheckpointScheduler({
    control: file,
    checkpoint: (path, pagesLeftMax) => pool.checkpoint(path, pagesLeftMax),
    onFault: (error) => {
      const reason = reasonOf(error)
      log('warn', 'control', 'checkpoint of control.db failed, will retry', { reason })
    },
  })
  return {
    ...readStoreOf(directory),
    ...{ control, clock },
    tags: processTags(),
    unready: () => unreadableParts(directory, file),
    controlLog: {
      pageCount: () => checkpoints.pageCount,
      leftCount: () => checkpoints.leftCount,
      checkpointCount: () => checkpoints.checkpointCount,
      load: () => pool.load,
    },
    heard: undefined,
    nodes: undefined,
    begin: () => checkpoints.begin(),
    close: async () => {
      await checkpoints.end()
      await pool.close()
      await control.close()
    },
  }
}
