import { statSync } from 'node:fs'
import { type Connection, explainFaults, isBusy, openDatabaseForReading } from './database.js'
import { WORKSPACE_MIGRATIONS } from './schema.js'
import { lastSequence } from './sequence.js'

/** What a workspace file did since it was last asked. */
export type FileNews = 'unchanged' | 'changed' | 'replaced' | 'gone'

/**
 * Notices that somebody has written to a workspace file. Asking costs about two microseconds and a
 * file status; it reads no row and never waits for a lock, since the thread that answers asks.
 */
export class ChangeWatch {
  readonly #connection: Connection
  readonly #inode: number
  #dataVersion: number

  /** @throws StoreError when the file cannot be opened, also while somebody holds a lock */
  constructor(readonly path: string) {
    this.#connection = openDatabaseForReading(path, WORKSPACE_MIGRATIONS, 0)
    try {
      this.#inode = statSync(path).ino
      this.#dataVersion = this.#readVersion()
    } catch (error) {
      this.#connection.close()
      throw error
    }
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
    const dataVersion = this.#versionUnlessLocked()
    if (dataVersion === this.#dataVersion) return 'unchanged'
    this.#dataVersion = dataVersion
    return 'changed'
  }

  /**
   * Number of the last change as of now, or undefined while somebody holds a lock. A row of a page
   * that every writer has just written: some ten microseconds. @throws StoreError
   */
  sequence(): number | undefined {
    try {
      return explainFaults(this.path, () => lastSequence(this.#connection))
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
  }

  /**
   * Empties the write-ahead log, so that the last close of a connection finds nothing to move and
   * leaves the file's stamp as it is. To be called when the log has been moved into the file
   * (`WorkspaceFile.moveLog`), which may take long; this then takes a moment. It is no news to this
   * watch, though it is to every other connection.
   * @returns whether the log is empty; not when anybody reads or writes   @throws StoreError
   */
  emptyLog(): boolean {
    return explainFaults(this.path, () => {
      const [state] = this.#connection.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
      return state.busy === 0
    })
  }

  close(): void {
    this.#connection.close()
  }

  #versionUnlessLocked(): number {
    try {
      return this.#readVersion()
    } catch (error) {
      if (isBusy(error)) return this.#dataVersion
      throw error
    }
  }

  #readVersion(): number {
    return explainFaults(this.path, () =>
      Number(this.#connection.pragma('data_version', { simple: true })),
    )
  }
}
