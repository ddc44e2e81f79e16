import { CONTROL_LOG_PAGES_MAX, CONTROL_LOG_WAIT_MS } from '../credential-limits.js'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { explainFaults, openDatabaseForReading } from './database.js'

/** Pages of a write-ahead log, and how many of them are in the file as well. */
export interface LogState {
  readonly pageCount: number
  readonly movedCount: number
  /** It was too long, and whoever writes next begins it anew. */
  readonly isCut: boolean
}

/** What SQLite answers to a checkpoint. */
interface Checkpoint {
  /** 1 = somebody has not let go of a lock. */
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Brings the write-ahead log of control.db onto the disk and into the file; beside whoever writes,
 * because the disk is waited for. A log that is moved whole is written from its beginning again.
 * Somebody who never pauses keeps that from happening: a log longer than
 * `pagesMax` therefore has writers wait for its last pages, and for whoever still reads an older
 * state, some {@link CONTROL_LOG_WAIT_MS} each.
 * @throws StoreError when there is no such file, or it cannot be written
 */
export function moveControlLog(path: string, pagesMax = CONTROL_LOG_PAGES_MAX): LogState {
  const connection = openDatabaseForReading(path, CONTROL_MIGRATIONS, CONTROL_LOG_WAIT_MS)
  const checkpoint = (mode: 'PASSIVE' | 'RESTART'): Checkpoint => {
    const [state] = connection.pragma(`wal_checkpoint(${mode})`) as [Checkpoint]
    return state
  }
  try {
    return explainFaults(path, () => {
      const passive = checkpoint('PASSIVE')
      // Also when all of it was moved: somebody may have written on meanwhile, and would go on so.
      const isTooLong = passive.log > pagesMax
      // What was written meanwhile, again beside its writer: who is kept waiting waits for less.
      if (isTooLong) checkpoint('PASSIVE')
      const { busy, log, checkpointed } = isTooLong ? checkpoint('RESTART') : passive
      return { pageCount: log, movedCount: checkpointed, isCut: isTooLong && busy === 0 }
    })
  } finally {
    connection.close()
  }
}
