import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explainFaults, openDatabaseForReading } from './database.js'
import type { Connection } from './sqlite-driver.js'

/** Pages of a write-ahead log, and how many of them are in the file as well. */
export interface LogState {
  readonly pageCount: number
  readonly movedCount: number
  /** Whether pages were brought into the file just now: a checkpoint. */
  readonly isCheckpoint: boolean
}

/** What SQLite answers to a checkpoint. */
interface Checkpoint {
  readonly log: number
  readonly checkpointed: number
}

/**
 * Brings the write-ahead log of control.db onto the disk and into the file; beside whoever writes,
 * because the disk is waited for. A log that is moved whole is written from its beginning again;
 * somebody who never pauses keeps that from happening.
 * @param pagesLeftMax of a log that has no more pages than these which are not in the file, none is
 *   moved: it is brought onto the disk alone. What is written again and again is then moved once.
 * @throws StoreError when there is no such file, or it cannot be written
 */
export function moveControlLog(path: string, pagesLeftMax = 0): LogState {
  const connection = openDatabaseForReading(path, CONTROL_MIGRATIONS)
  try {
    return explainFaults(path, () => {
      const { pageCount, movedCount } = checkpoint(connection, 'NOOP')
      if (pageCount - movedCount > pagesLeftMax) return checkpoint(connection, 'PASSIVE')
      if (pageCount > movedCount) syncLog(path)
      return { pageCount, movedCount, isCheckpoint: false }
    })
  } finally {
    connection.close()
  }
}

function checkpoint(connection: Connection, mode: 'NOOP' | 'PASSIVE'): LogState {
  const [state] = connection.pragma(`wal_checkpoint(${mode})`) as [Checkpoint]
  return { pageCount: state.log, movedCount: state.checkpointed, isCheckpoint: mode === 'PASSIVE' }
}

/** SQLite's locks are none of this file: closing it here ends nobody's. */
function syncLog(path: string): void {
  const log = openSync(`${path}-wal`, 'r+')
  try {
    fdatasyncSync(log)
  } finally {
    closeSync(log)
  }
}
