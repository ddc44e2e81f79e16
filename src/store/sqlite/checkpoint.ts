import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explainFaults, openDatabaseForReading } from './database.js'
import type { Connection } from './sqlite-driver.js'

/** Pages of a WAL, and how many of them are already checkpointed. */
export interface WalState {
  readonly pageCount: number
  readonly checkpointedCount: number
  /** Whether pages were checkpointed by this call. */
  readonly isCheckpoint: boolean
}

/** SQLite's result row of a checkpoint. */
interface Checkpoint {
  readonly log: number
  readonly checkpointed: number
}

/**
 * Fsyncs the WAL of control.db and checkpoints it; on another thread, because it waits for the
 * disk. A writer resets a WAL that is checkpointed whole, unless other writers never pause.
 * @param pagesLeftMax a WAL with at most this many pages to checkpoint is only fsynced: pages
 *   that are written again and again are then copied once.
 * @throws StoreError when there is no such file, or it cannot be written
 */
export function checkpointControl(path: string, pagesLeftMax = 0): WalState {
  const connection = openDatabaseForReading(path, CONTROL_MIGRATIONS)
  try {
    return explainFaults(path, () => {
      const { pageCount, checkpointedCount } = checkpoint(connection, 'NOOP')
      if (pageCount - checkpointedCount > pagesLeftMax) return checkpoint(connection, 'PASSIVE')
      if (pageCount > checkpointedCount) syncWal(path)
      return { pageCount, checkpointedCount, isCheckpoint: false }
    })
  } finally {
    connection.close()
  }
}

function checkpoint(connection: Connection, mode: 'NOOP' | 'PASSIVE'): WalState {
  const [state] = connection.pragma(`wal_checkpoint(${mode})`) as [Checkpoint]
  return {
    pageCount: state.log,
    checkpointedCount: state.checkpointed,
    isCheckpoint: mode === 'PASSIVE',
  }
}

/** SQLite holds no locks through this descriptor: closing it releases none. */
function syncWal(path: string): void {
  const log = openSync(`${path}-wal`, 'r+')
  try {
    fdatasyncSync(log)
  } finally {
    closeSync(log)
  }
}
