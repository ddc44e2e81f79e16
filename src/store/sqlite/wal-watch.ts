import { existsSync, openSync, readSync } from 'node:fs'

/**
 * Length of the header of the WAL-index, the file `-shm`. A commit of any connection counts up a
 * number in it, and a reader of SQLite compares the header to find out whether its cache is valid
 * (sqlite.org/walformat.html, "The WAL-Index Header").
 */
const HEADER_BYTES = 48

/**
 * Notices that a database in WAL mode may have been written to, by one read of 48 bytes. A
 * statement of SQLite locks and unlocks the WAL for that, and takes three times as long.
 */
export class WalWatch {
  /** Never closed: POSIX ends all locks of a process on a file, SQLite's too, with any close. */
  readonly #file: number | undefined
  #header = Buffer.alloc(HEADER_BYTES)
  /** The header as of the last call. No header consists of these bytes. */
  #last = Buffer.alloc(HEADER_BYTES, 0xff)

  /** @param path of a database that this process has open, and has read from */
  constructor(path: string) {
    const index = `${path}-shm`
    // Writers map the file into their memory. Linux shows a read what they have written there;
    // other systems do not promise it.
    const isReadable = process.platform === 'linux' && existsSync(index)
    this.#file = isReadable ? openSync(index, 'r') : undefined
  }

  /**
   * Whether anything may have been written since the last call. False is certain: what was read
   * from the database after that call is still so. The first call returns true.
   */
  mayHaveChanged(): boolean {
    if (this.#file === undefined) return true
    const byteCount = readSync(this.#file, this.#header, 0, HEADER_BYTES, 0)
    if (byteCount === HEADER_BYTES && this.#header.equals(this.#last)) return false
    const last = this.#last
    this.#last = this.#header
    this.#header = last
    return true
  }
}
