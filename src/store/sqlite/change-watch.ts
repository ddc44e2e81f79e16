import { statSync } from 'node:fs'
import { isBusy } from '../store-error.js'
import type { SealedVersion, WorkspaceChange, WorkspaceWatch } from '../workspace.js'
import { explainFaults, openDatabaseForReading } from './database.js'
import { fileStamp } from './file-stamp.js'
import { lastSequence } from './sequence.js'
import type { Connection } from './sqlite-driver.js'
import { WORKSPACE_MIGRATIONS } from './workspace-schema.js'

/**
 * Page cache of a connection that only watches a file: the pages on the way to its last change;
 * each loaded workspace has such a connection.
 */
const WATCH_CACHE_KIB = 32

/**
 * One state of the file, read in one transaction. Both numbers together distinguish an unlogged
 * commit from a commit that a reader of the rows has already seen.
 */
interface CommitState {
  /**
   * SQLite's `data_version`, which a commit of another connection changes; so does a writer that
   * resets the WAL, which may be long before it commits.
   */
  readonly dataVersion: number
  /** Number of the last logged change. */
  readonly sequence: number
}

/**
 * Notices commits of other connections to a workspace file. A call costs about two microseconds and
 * one stat of the file; it reads one row when something has changed, and never waits for a lock,
 * since it runs on the request thread.
 */
export class ChangeWatch implements WorkspaceWatch {
  readonly hasMarks = false
  readonly #connection: Connection
  readonly #inode: number
  #state: CommitState
  /** The data version has changed, and the sequence does not explain why. */
  #isUnexplained = false

  /** @throws StoreError when the file cannot be opened, also while another connection locks it */
  constructor(readonly path: string) {
    this.#connection = openDatabaseForReading(path, WORKSPACE_MIGRATIONS, 0)
    try {
      this.#connection.pragma(`cache_size = ${-WATCH_CACHE_KIB}`)
      // Frees the pages that opening the file has read, and the room for as many again.
      this.#connection.pragma('shrink_memory')
      this.#inode = statSync(path).ino
      this.#state = this.#readState()
    } catch (error) {
      this.#connection.close()
      throw error
    }
  }

  /** Number of the last change as of the last call of `poll`. */
  get sequence(): number {
    return this.#state.sequence
  }

  /**
   * The change since the last call, or since the watch began. While another connection holds a
   * lock, nothing is known yet, and no commit is readable.
   * @throws StoreError
   */
  poll(): WorkspaceChange {
    const status = statSync(this.path, { throwIfNoEntry: false })
    if (status === undefined) return 'gone'
    if (status.ino !== this.#inode) return 'replaced'
    const { dataVersion, sequence } = this.#state
    this.#state = this.#stateUnlessLocked()
    if (this.#state.dataVersion !== dataVersion) this.#isUnexplained = true
    if (this.#state.sequence > sequence) this.#isUnexplained = false
    if (this.#isUnexplained) return this.#explainChange()
    return this.#state.sequence > sequence ? 'changed' : 'unchanged'
  }

  /**
   * Number of the last change as of now, or undefined while another connection holds a lock. Reads
   * a row of a page that every writer has just written: some ten microseconds. @throws StoreError
   */
  sequenceNow(): number | undefined {
    try {
      return explainFaults(this.path, () => lastSequence(this.#connection))
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
  }

  /** See {@link WorkspaceWatch}; a stat of the file and of its WAL in addition. */
  isAt({ version, seal }: SealedVersion): boolean {
    return this.sequenceNow() === version.sequence && seal.content === fileStamp(this.path)
  }

  /**
   * Truncates the WAL, so that the last close of a connection finds nothing to checkpoint and
   * leaves the file's stamp as it is. To be called after a checkpoint (`WorkspaceFile.checkpoint`),
   * which may take long; this then takes a moment. This watch does not report it, though it is a
   * change to every other connection.
   * @returns whether the WAL is empty; false while another connection reads or writes
   * @throws StoreError
   */
  settle(): boolean {
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

  /**
   * Decides between `changed` and `unlogged`. A writer that is about to commit holds the write
   * lock.
   */
  #explainChange(): WorkspaceChange {
    const { sequence } = this.#state
    const state = this.#stateWithoutWriter()
    if (state === undefined) return 'unchanged'
    this.#state = state
    this.#isUnexplained = false
    return state.sequence > sequence ? 'changed' : 'unlogged'
  }

  /** undefined during a write. Holds the write lock for some microseconds. */
  #stateWithoutWriter(): CommitState | undefined {
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
