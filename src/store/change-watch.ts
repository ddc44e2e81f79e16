import { statSync } from 'node:fs'
import { type Connection, explainFaults, openDatabaseForReading } from './database.js'
import { WORKSPACE_MIGRATIONS } from './schema.js'

/** What a workspace file did since it was last asked. */
export type FileNews = 'unchanged' | 'changed' | 'replaced' | 'gone'

/**
 * Notices that somebody has written to a workspace file. Asking costs about two microseconds and a
 * file status; it reads no row.
 */
export class ChangeWatch {
  readonly #connection: Connection
  readonly #inode: number
  #dataVersion: number

  /** @throws StoreError when the file cannot be opened */
  constructor(readonly path: string) {
    this.#connection = openDatabaseForReading(path, WORKSPACE_MIGRATIONS)
    this.#inode = statSync(path).ino
    this.#dataVersion = this.#readVersion()
  }

  /** What has happened since the last call, or since the watch began. @throws StoreError */
  news(): FileNews {
    const status = statSync(this.path, { throwIfNoEntry: false })
    if (status === undefined) return 'gone'
    if (status.ino !== this.#inode) return 'replaced'
    const dataVersion = this.#readVersion()
    if (dataVersion === this.#dataVersion) return 'unchanged'
    this.#dataVersion = dataVersion
    return 'changed'
  }

  close(): void {
    this.#connection.close()
  }

  #readVersion(): number {
    return explainFaults(this.path, () =>
      Number(this.#connection.pragma('data_version', { simple: true })),
    )
  }
}
