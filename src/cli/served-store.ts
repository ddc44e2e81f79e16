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

/** What a service works on, and what depends on its engine. */
export interface ServedStore extends ReadStore {
  readonly control: ControlStore
  /** The moment by the clock that credentials are judged by. */
  readonly clock: () => EpochMs
  readonly tags: StateTagSource
  /** Its reasons why requests would not be answered; empty = there are none. */
  readonly unready: () => readonly UnreadyReason[]
  /** Measurements of the write-ahead log of control data; undefined = there is none. */
  readonly controlLog: ControlLogSource | undefined
  /** What is heard of a database; undefined = the store is no database. */
  readonly heard: HeardSource | undefined
  /** The processes that answer from it; undefined = this one alone. */
  readonly nodes: StoreNodes | undefined
  /** Begins the upkeep that no request waits for. */
  begin(served: ServedMemory): void
  /** Ends upkeep and closes the store; nothing uses it any more. */
  close(): Promise<void>
}

/** What a service has in memory. */
export interface ServedMemory {
  /** Number of workspaces, and their bytes. */
  readonly memory: () => { readonly residents: number; readonly bytes: number }
  /** Reads the keys that have changed. Rejects with StoreAwayError when they are not known then. */
  readonly readKeys: () => Promise<void>
  /** Called when a database is heard again. */
  readonly onHeardAgain: () => void
}

/** What a data directory is served with. */
interface DirectoryOptions {
  readonly clock: () => EpochMs
  readonly log: Log
  /** The store of control data in the place of its file; absent = the file itself. */
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
