import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explainFaults, openDatabaseForReading } from './database.js'

/** Pages of a write-ahead log, and how many of them are in the file as well. */
export interface LogState {
  readonly pageCount: number
  readonly movedCount: number
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
 * @throws StoreError when there is no such file, or it cannot be written
 */
export function moveControlLog(path: string): LogState {
  const connection = openDatabaseForReading(path, CONTROL_MIGRATIONS)
  try {
    return explainFaults(path, () => {
      const [state] = connection.pragma('wal_checkpoint(PASSIVE)') as [Checkpoint]
      return { pageCount: state.log, movedCount: state.checkpointed }
    })
  } finally {
    connection.close()
  }
}
