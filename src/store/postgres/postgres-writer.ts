import { LostCommitError, StoreError, StoreUnavailableError } from '../store-error.js'
import type { WorkspaceVersion } from '../workspace.js'
import { CHANGES_KEPT_MAX, type OpenWorkspace, type WorkspaceWriter } from '../workspace-writer.js'
import { BlockingConnection } from './blocking-connection.js'
import { NEW_MARK } from './change-log.js'
import { HEAD } from './postgres-state.js'
import { PostgresWorkspace } from './postgres-workspace.js'

/**
 * A process that ends closes its connection, but a machine that vanishes does not. With these
 * settings, the server releases its workspace after some 10 s without an answer.
 */
const LIVENESS = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 5,
  tcp_user_timeout: 10_000,
  client_connection_check_interval: 5_000,
}

/**
 * Each statement sees all earlier commits, so those after the hold see the writes of the previous
 * holder. The transaction is idle while the import reads its file.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL idle_in_transaction_session_timeout = '10min'`

/** Logs a change without a row. */
const LOG_NOTHING = `INSERT INTO kontor.changes
    (workspace, sequence, mark, entity, entity_id, kind)
  VALUES ($1, $2, ${NEW_MARK}, 'account', 0, 'update')`

/** Writes to one workspace of a database, over its own connection. */
export class PostgresWriter implements WorkspaceWriter {
  #version: WorkspaceVersion

  private constructor(
    private readonly connection: BlockingConnection,
    private readonly no: number,
  ) {
    this.#version = this.#present()
  }

  /**
   * @param url URL of the database, see {@link PostgresConnection.open}
   * @param no number of the workspace
   * @throws StoreError when there is no such workspace
   */
  static async open(url: string, no: number): Promise<PostgresWriter> {
    const options = { applicationName: 'kontor writer', settings: LIVENESS }
    const connection = await BlockingConnection.open(url, options)
    try {
      return new PostgresWriter(connection, no)
    } catch (error) {
      connection.close()
      throw error
    }
  }

  version(): WorkspaceVersion {
    return this.#version
  }

  /**
   * See {@link WorkspaceWriter}. Holds the workspace first, which excludes other writers, and fails
   * if the workspace was deleted.
   * @throws LostCommitError when the transaction may or may not be committed
   */
  async atomically<T>(write: (open: OpenWorkspace) => Promise<T>): Promise<T> {
    this.connection.query(BEGIN)
    try {
      this.#hold()
      const { sequence } = this.#present()
      const open = new PostgresWorkspace(this.connection, this.no)
      const result = await write(open)
      open.flush()
      // As in SQLite, where readers cannot know which tables were written.
      if (open.hasKept && this.#present().sequence === sequence) {
        this.connection.query(LOG_NOTHING, [this.no, sequence + 1])
      }
      const version = this.#present()
      this.#trimChanges(version)
      this.#commit()
      this.#version = version
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  close(): void {
    this.connection.close()
  }

  /** Waits for another writer, for 5 s at most. */
  #hold(): void {
    const sql = 'SELECT kontor.hold($1) AS "isThere"'
    const [held] = this.connection.query<{ isThere: boolean }>(sql, [this.no])
    if (held?.isThere !== true) throw this.#error(`the workspace ${this.no} was deleted`)
  }

  #present(): WorkspaceVersion {
    const [head] = this.connection.query<WorkspaceVersion>(HEAD, [this.no])
    if (head === undefined) throw this.#error(`there is no workspace with the number ${this.no}`)
    const { uid, sequence, mark } = head
    return { uid, sequence, mark }
  }

  #trimChanges({ sequence }: WorkspaceVersion): void {
    const sql = 'DELETE FROM kontor.changes WHERE workspace = $1 AND sequence <= $2'
    this.connection.query(sql, [this.no, sequence - CHANGES_KEPT_MAX])
  }

  #commit(): void {
    try {
      this.connection.query('COMMIT')
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      throw new LostCommitError(this.connection.place, { cause: error })
    }
  }

  #rollBack(): void {
    try {
      this.connection.endCopy()
      this.connection.query('ROLLBACK')
    } catch (error) {
      // If the connection is lost, the server rolls back.
      if (!(error instanceof StoreUnavailableError)) throw error
    }
  }

  #error(sentence: string): StoreError {
    return new StoreError(`${this.connection.place}: ${sentence}`)
  }
}
