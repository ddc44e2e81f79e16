import { statSync } from 'node:fs'
import { WATCH_CACHE_KIB } from '../limits.js'
import { explainFaults, isBusy, openDatabaseForReading } from './database.js'
import { WORKSPACE_MIGRATIONS } from './schema.js'
import { lastSequence } from './sequence.js'
import type { Connection } from './sqlite-driver.js'

/**
 * What a workspace file did since it was last asked: `changed` = its change sequence has grown;
 * `unlogged` = it seems that something was committed which the sequence does not tell.
 */
export type FileNews = 'unchanged' | 'changed' | 'unlogged' | 'replaced' | 'gone'

/**
 * One state of the file, as one transaction reads it. Together they tell a commit that was not
 * logged from one that a reader of the rows has seen already.
 */
interface CommitState {
  /**
   * SQLite's own number, which another connection's commit changes; so does a writer that begins
   * the write-ahead log anew, which may be long before it commits.
   */
  readonly dataVersion: number
  /** Number of the last logged change. */
  readonly sequence: number
}

/**
 * Notices that somebody has written to a workspace file. Asking costs about two microseconds and a
 * file status; it reads one row when there is news, and never waits for a lock, since the thread
 * that answers asks.
 */
export class ChangeWatch {
  readonly #connection: Connection
  readonly #inode: number
  #state: CommitState
  /** The data version is another one, and nothing that was logged says why. */
  #isDoubtful = false

  /** @throws StoreError when the file cannot be opened, also while somebody holds a lock */
  constructor(readonly path: string) {
    this.#connection = openDatabaseForReading(path, WORKSPACE_MIGRATIONS, 0)
    try {
      this.#connection.pragma(`cache_size = ${-WATCH_CACHE_KIB}`)
      // What was read to open it, and the room for as many pages again.
      this.#connection.pragma('shrink_memory')
      this.#inode = statSync(path).ino
      this.#state = this.#readState()
    } catch (error) {
      this.#connection.close()
      throw error
    }
  }

  /** Number of the last change that there was when news were last asked for. */
  get sequence(): number {
    return this.#state.sequence
  }

  /**
   * What has happened since the last call, or since the watch began. While somebody holds a lock
   * nothing is known yet, and nothing has been committed that could be read.
   * @throws StoreError
   */
  news(): FileNews {
    const status = statSync(this.path, { throwIfNoEntry: false })
    if (status === undefined) return 'gone'
    if (status.ino !== this.#inode) return 'replaced'
    const { dataVersion, sequence } = this.#state
    this.#state = this.#stateUnlessLocked()
    if (this.#state.dataVersion !== dataVersion) this.#isDoubtful = true
    if (this.#state.sequence > sequence) this.#isDoubtful = false
    if (this.#isDoubtful) return this.#judge()
    return this.#state.sequence > sequence ? 'changed' : 'unchanged'
  }

  /**
   * Number of the last change as of now, or undefined while somebody holds a lock. A row of a page
   * that every writer has just written: some ten microseconds. @throws StoreError
   */
  sequenceNow(): number | undefined {
    try {
      return explainFaults(this.path, () => lastSequence(this.#connection))
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
  }

  /**
   * Truncates the WAL, so that the last close of a connection finds nothing to checkpoint and
   * leaves the file's stamp as it is. To be called after a checkpoint
   * (`WorkspaceFile.checkpoint`), which may take long; this then takes a moment. It is no news to
   * this watch, though it is to every other connection.
   * @returns whether the log is empty; not when anybody reads or writes   @throws StoreError
   */
  truncateWal(): boolean {
    return explainFaults(this.path, () => {
      const [state] = this.#connection.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
      return state.busy === 0
    })
  }

  close(): void {
    this.#connection.close()
  }

  #stateUnlessLocked(): CommitState {
    try {
      return this.#readVersion() === this.#state.dataVersion ? this.#state : this.#readState()
    } catch (error) {
      if (isBusy(error)) return this.#state
      throw error
    }
  }

  /** Whoever is about to commit what has changed the data version holds the write lock. */
  #judge(): FileNews {
    const { sequence } = this.#state
    const state = this.#stateWhileNobodyWrites()
    if (state === undefined) return 'unchanged'
    this.#state = state
    this.#isDoubtful = false
    return state.sequence > sequence ? 'changed' : 'unlogged'
  }

  /** undefined while somebody writes. Holds the write lock for some microseconds. */
  #stateWhileNobodyWrites(): CommitState | undefined {
    this.#connection.pragma('query_only = OFF')
    try {
      return this.#readState('immediate')
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    } finally {
      this.#connection.pragma('query_only = ON')
    }
  }

  #readState(begin: 'deferred' | 'immediate' = 'deferred'): CommitState {
    const read = this.#connection.transaction(() => ({
      dataVersion: this.#readVersion(),
      sequence: lastSequence(this.#connection),
    }))
    return explainFaults(this.path, () => read[begin]())
  }

  #readVersion(): number {
    return explainFaults(this.path, () =>
      Number(this.#connection.pragma('data_version', { simple: true })),
    )
  }
}
