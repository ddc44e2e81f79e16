import { strict as assert } from 'node:assert'
import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { CommandError } from '../../errors.js'
import { StoreError } from '../store-error.js'
import { CONTROL_MIGRATIONS } from './control-schema.js'
import { BUSY_TIMEOUT_MS, explained, explainFaults, READ_CACHE_KIB } from './database.js'
import { lastSequence } from './sequence.js'
import { type Connection, Database, type DriverBackupOptions } from './sqlite-driver.js'
import { WORKSPACE_MIGRATIONS } from './workspace-schema.js'

/** Kind of a SQLite file of kontor. */
export type FileKind = 'workspace' | 'control'

const MIGRATIONS: Readonly<Record<FileKind, readonly string[]>> = {
  workspace: WORKSPACE_MIGRATIONS,
  control: CONTROL_MIGRATIONS,
}

/** Pages of a file that a backup copies in one step, 8 MB: progress is shown in between. */
const COPIED_PAGES = 2_048

/** Faults of one file that SQLite's check lists before it stops. */
const FAULTS_SHOWN_MAX = 5

/** Content of one state of a file, for a comparison with a copy. */
export interface FileState {
  readonly schemaVersion: number
  /** See WorkspaceVersion; absent for control.db. */
  readonly uid?: string
  readonly sequence?: number
  /** Rows of each table, its name first; SQLite's own tables left out. */
  readonly rows: Readonly<Record<string, number>>
}

/** Rows of one table that refer to missing rows of another. */
export interface DanglingRows {
  readonly table: string
  readonly parent: string
  readonly count: number
}

/** A credential that is in force, and the workspace file that it is bound to. */
export interface BoundCredential {
  readonly kind: 'key' | 'integration'
  readonly id: string
  readonly name: string
  readonly workspaceId: string
  /** null = unbound: any file will do. */
  readonly workspaceUid: string | null
}

/**
 * A workspace file or control.db that is inspected or copied and never changed: neither migrated
 * nor checkpointed. Opening and closing it leaves no file that was not there, except next to a
 * non-empty WAL, where SQLite keeps an index (`-shm`). Every method may throw StoreError.
 */
export class InspectedFile {
  private constructor(
    readonly path: string,
    readonly kind: FileKind,
    private readonly connection: Connection,
  ) {}

  /**
   * Opens an existing file of this schema version or an earlier one.
   * @throws StoreError when it is missing, cannot be read, is newer, or has no tables
   */
  static open(path: string, kind: FileKind): InspectedFile {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
      throw new StoreError(`${path}: there is no such file`)
    }
    return explainFaults(path, () => {
      // The last connection that closes checkpoints the WAL and deletes both WAL and index,
      // unless SQLite opened the file for reading alone: then it would leave them, though empty.
      const readonly = logBytesOf(path) > 0
      const options = { fileMustExist: true, readonly, timeout: BUSY_TIMEOUT_MS }
      const file = new InspectedFile(path, kind, new Database(path, options))
      try {
        file.connection.pragma('query_only = ON')
        file.connection.pragma(`cache_size = ${-READ_CACHE_KIB}`)
        file.#requireKnownSchema()
      } catch (error) {
        file.close()
        throw error
      }
      return file
    })
  }

  close(): void {
    this.connection.close()
  }

  /** Number of migrations that the file has had. */
  schemaVersion(): number {
    return explainFaults(this.path, () =>
      Number(this.connection.pragma('user_version', { simple: true })),
    )
  }

  /** Runs `read` on one unchanging state of the file, while other connections may write. */
  consistently<T>(read: () => T): T {
    return explainFaults(this.path, () => this.connection.transaction(read).deferred())
  }

  /** Of one state of the file only within {@link consistently}, or when no connection writes. */
  state(): FileState {
    return explainFaults(this.path, () => {
      const schemaVersion = this.schemaVersion()
      const rows = Object.fromEntries(
        this.#tables().map((name) => [name, this.#count(`SELECT count(*) FROM "${name}"`)]),
      )
      if (this.kind === 'control') return { schemaVersion, rows }
      const uid = this.#pluck<string>('SELECT uid FROM workspace')
      return { schemaVersion, uid, sequence: lastSequence(this.connection), rows }
    })
  }

  /**
   * Copies the file, as it is at one moment, to a new file for its owner alone (0600), while other
   * connections read and write it. Their commits stay in the WAL until the copy is done.
   * @param target path of a file that does not exist yet
   * @param onProgress called after each few megabytes; both in bytes
   * @returns content of the copy, as counted in the original
   * @throws StoreError when this file cannot be read, CommandError when the copy cannot be written;
   *   the file system's error when it cannot be made
   */
  async copyTo(
    target: string,
    onProgress: (doneBytes: number, totalBytes: number) => void,
  ): Promise<FileState> {
    const { connection } = this
    const pageBytes = Number(connection.pragma('page_size', { simple: true }))
    closeSync(openSync(target, 'wx', 0o600))
    explainFaults(this.path, () => connection.exec('BEGIN'))
    try {
      // The transaction begins with this first read and lasts until the copy is complete. SQLite
      // restarts a copy whenever its own transaction ends and another connection has written: with
      // a writer that never pauses it would never end.
      const state = this.state()
      const progress: DriverBackupOptions['progress'] = ({ totalPages, remainingPages }) => {
        onProgress((totalPages - remainingPages) * pageBytes, totalPages * pageBytes)
        return COPIED_PAGES
      }
      await connection.backup(target, { progress }).catch((error: unknown) => {
        const explanation = explained(target, error)
        if (!(explanation instanceof StoreError)) throw explanation
        throw new CommandError('failed', explanation.message, { cause: explanation })
      })
      assert(connection.inTransaction, 'the copy is of the state that was counted')
      return state
    } finally {
      if (connection.inTransaction) connection.exec('ROLLBACK')
    }
  }

  /**
   * Faults that SQLite's full check finds in pages, indexes, and constraints of every row. Empty =
   * none; else the first few in SQLite's words.
   */
  integrityFaults(): string[] {
    return explainFaults(this.path, () => {
      const sql = `PRAGMA integrity_check(${FAULTS_SHOWN_MAX})`
      const found = this.connection.prepare(sql).pluck().all() as string[]
      return found.length === 1 && found[0] === 'ok' ? [] : found.map(inOneLine)
    })
  }

  /** Dangling references, which writers without `PRAGMA foreign_keys = ON` leave behind. */
  danglingRows(): DanglingRows[] {
    const sql = `SELECT "table", parent, count(*) AS count FROM pragma_foreign_key_check
      GROUP BY "table", parent ORDER BY "table", parent`
    return explainFaults(this.path, () => this.connection.prepare(sql).all() as DanglingRows[])
  }

  /** Missing tables, indexes and triggers of the file's schema version, ascending. */
  missingObjects(): string[] {
    const plain = new Database(':memory:')
    try {
      for (const sql of MIGRATIONS[this.kind].slice(0, this.schemaVersion())) plain.exec(sql)
      const found = new Set(explainFaults(this.path, () => objectsOf(this.connection)))
      return objectsOf(plain).filter((object) => !found.has(object))
    } finally {
      plain.close()
    }
  }

  /** Whether the change log of a workspace has no gap up to its sequence. */
  isChangeLogWhole(): boolean {
    return explainFaults(this.path, () => {
      const sql = 'SELECT count(*) AS count, min(sequence) AS first, max(sequence) AS last'
      const { count, first, last } = this.connection.prepare(`${sql} FROM changes`).get() as {
        count: number
        first: number
        last: number
      }
      return count === 0 || (last === lastSequence(this.connection) && last - first + 1 === count)
    })
  }

  /** The keys and integrations of control.db that were not revoked or deactivated. */
  credentialsInForce(): BoundCredential[] {
    const columns = 'name, workspace_id AS workspaceId, workspace_uid AS workspaceUid'
    const sql = `SELECT 'key' AS kind, CAST(id AS TEXT) AS id, ${columns}
        FROM api_keys WHERE revoked_at IS NULL
      UNION ALL SELECT 'integration', id, ${columns} FROM integrations WHERE active = 1`
    return explainFaults(this.path, () => this.connection.prepare(sql).all() as BoundCredential[])
  }

  #requireKnownSchema(): void {
    const version = this.schemaVersion()
    const known = newestSchemaVersion(this.kind)
    if (version > known) {
      throw new StoreError(
        `${this.path}: its schema version ${version} is newer than the newest supported one ` +
          `(${known}); use a newer version of kontor`,
      )
    }
    if (version === 0) {
      throw new StoreError(
        `${this.path}: the file has no tables of kontor; ` +
          'it is being created, or is another kind of file',
      )
    }
  }

  #tables(): string[] {
    const sql = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '%"%' ORDER BY name`
    return this.connection.prepare(sql).pluck().all() as string[]
  }

  #count(sql: string): number {
    return this.#pluck<number>(sql)
  }

  #pluck<T>(sql: string): T {
    return this.connection.prepare(sql).pluck().get() as T
  }
}

/** Bytes of a file's WAL; 0 = empty or missing. */
export function logBytesOf(path: string): number {
  // SQLite keeps the WAL next to the file itself, wherever a link to it lies.
  return statSync(`${realpathSync(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

/** Number of migrations for files of a kind. */
export function newestSchemaVersion(kind: FileKind): number {
  return MIGRATIONS[kind].length
}

function objectsOf(connection: Connection): string[] {
  const sql = "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' "
  return connection.prepare(`${sql} ESCAPE '\\' ORDER BY 1`).pluck().all() as string[]
}

function inOneLine(words: string): string {
  return words.trim().replace(/\s+/g, ' ')
}
