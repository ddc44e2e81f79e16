import { statSync } from 'node:fs'
import { type Connection, explainFaults, isBusy, openDatabaseForReading } from './database.js'
import { WORKSPACE_MIGRATIONS } from './schema.js'

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
