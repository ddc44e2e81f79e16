import { StoreUnavailableError } from '../store-error.js'
import type { WorkspaceReader, WorkspaceState } from '../workspace.js'
import { PostgresConnection } from './connect.js'
import { refusedOr } from './faults.js'
import { PostgresState } from './postgres-state.js'

/**
 * The transaction may be idle for ten minutes, because a node indexes a million rows meanwhile, and
 * the transaction locks no workspace. One statement copies all rows, whatever limit the role has.
 */
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = '10min';
  SET LOCAL statement_timeout = 0`

/** How long an answer may take: a server may have to count rows on a slow disk. */
const ANSWER_MS_MAX = 60_000

/**
 * Reads one workspace of a database, over one connection that is opened on demand. If it is lost or
 * refused, the current `read` rejects with StoreUnavailableError, and the next one opens another.
 */
export class PostgresReader implements WorkspaceReader {
  #connection: PostgresConnection | undefined

  /**
   * @param url of the database, see {@link PostgresConnection.open}
   * @param no number of the workspace
   * @param answerMsMax see {@link ConnectionOptions}
   */
  constructor(
    private readonly url: string,
    private readonly no: number,
    private readonly answerMsMax = ANSWER_MS_MAX,
  ) {}

  /** See {@link WorkspaceReader}. A loop over rows that is left early ends the state. */
  async read<T>(use: (state: WorkspaceState) => Promise<T>): Promise<T> {
    const connection = await this.#connected()
    let state: PostgresState | undefined
    try {
      await connection.query(BEGIN)
      state = await PostgresState.begin(connection, this.no)
      return await use(state)
    } finally {
      if (state?.isCopying === true) this.close()
      else await this.#endTransaction(connection)
    }
  }

  /** Whether the workspace still exists. @throws StoreError */
  async isThere(): Promise<boolean> {
    const connection = await this.#connected()
    const sql = 'SELECT FROM kontor.workspaces WHERE no = $1 AND id IS NOT NULL'
    return (await connection.query(sql, [this.no])).length > 0
  }

  /** Only checks that the workspace can be read; never finds a fault. @throws StoreError */
  fault(): Promise<string | undefined> {
    return this.read(async () => undefined)
  }

  close(): void {
    void this.#connection?.close()
    this.#connection = undefined
  }

  async #connected(): Promise<PostgresConnection> {
    if (this.#connection !== undefined) return this.#connection
    const connection = await this.#opened()
    const forget = (): void => {
      if (this.#connection === connection) this.#connection = undefined
    }
    connection.client.once('error', forget).once('end', forget)
    this.#connection = connection
    return connection
  }

  /** The program has connected to the server before, or it would not know the workspace. */
  async #opened(): Promise<PostgresConnection> {
    const { answerMsMax } = this
    try {
      const options = { applicationName: 'kontor reader', answerMsMax }
      return await PostgresConnection.open(this.url, options)
    } catch (error) {
      throw refusedOr(error)
    }
  }

  /** Ignores a lost connection, because all rows have been read by now. */
  async #endTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.query('COMMIT')
    } catch (error) {
      this.close()
      if (!(error instanceof StoreUnavailableError)) throw error
    }
  }
}
