import { StoreAwayError } from '../store-error.js'
import type { WorkspaceReader, WorkspaceState } from '../workspace.js'
import { PostgresConnection } from './connect.js'
import { PostgresState } from './postgres-state.js'

/**
 * Silence after which the server ends a transaction that reads: it holds no workspace, and a node
 * indexes a million rows meanwhile.
 */
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = '10min'`

/** How long an answer may take: a server may have to count rows on a slow disk. */
const ANSWER_MS_MAX = 60_000

/**
 * Reads one workspace of a database, over one connection that is opened when it is needed. A lost
 * connection makes one `read` reject with StoreAwayError; the next one opens another.
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

  /** Whether the workspace has not been deleted. @throws StoreError */
  async isThere(): Promise<boolean> {
    const connection = await this.#connected()
    const sql = 'SELECT FROM kontor.workspaces WHERE no = $1 AND id IS NOT NULL'
    return (await connection.query(sql, [this.no])).length > 0
  }

  /** Only that the workspace can be read: PostgreSQL has no check of its own. @throws StoreError */
  fault(): Promise<string | undefined> {
    return this.read(async () => undefined)
  }

  close(): void {
    void this.#connection?.close()
    this.#connection = undefined
  }

  async #connected(): Promise<PostgresConnection> {
    if (this.#connection !== undefined) return this.#connection
    const connection = await PostgresConnection.open(this.url, {
      applicationName: 'kontor reader',
      answerMsMax: this.answerMsMax,
    })
    const forget = (): void => {
      if (this.#connection === connection) this.#connection = undefined
    }
    connection.client.once('error', forget).once('end', forget)
    this.#connection = connection
    return connection
  }

  /** All that was read is valid, whether or not the server hears that nothing more is. */
  async #endTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.query('COMMIT')
    } catch (error) {
      this.close()
      if (!(error instanceof StoreAwayError)) throw error
    }
  }
}
