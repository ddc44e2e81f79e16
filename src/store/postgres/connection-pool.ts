import { Pool, type PoolClient } from 'pg'
import { messageOf } from '../../errors.js'
import { StoreUnavailableError } from '../store-error.js'
import { type ConnectionOptions, connecting, connectionForm } from './connect.js'
import { refusedOr } from './faults.js'

/** Four saturate two cores of a server; more mostly wait for the same rows. */
const CONNECTIONS_MAX = 8

/** Idle time after which a connection is closed. */
const IDLE_MS_MAX = 30_000

/** Grace period after the time limit of a statement, until the node drops the connection. */
const LATE_MS_MAX = 2_000

/** The pool's message when no connection has become free in time. */
const NONE_FREE = 'timeout exceeded when trying to connect'

/**
 * A pool of up to eight connections to a database, opened on demand. Each caller uses one
 * exclusively. Callers wait in order for a free one, for as long as connecting may take.
 */
export class ConnectionPool {
  readonly #pool: Pool
  readonly #running = new Set<Promise<unknown>>()
  /** Whether the server has accepted a connection before. */
  #hasConnected = false

  private constructor(
    /** Name of the database for messages, without user and password. */
    readonly place: string,
    pool: Pool,
  ) {
    this.#pool = pool
    // A lost connection rejects the running statement; the pool removes an idle one.
    pool.on('connect', (client) => client.on('error', () => undefined))
    pool.on('error', () => undefined)
  }

  /** Connects on demand. @throws StoreError for a malformed URL */
  static of(url: string, options: ConnectionOptions): ConnectionPool {
    const { place, config } = connectionForm(url, options)
    const { statementMsMax } = options
    const pool = new Pool({
      ...config,
      max: CONNECTIONS_MAX,
      idleTimeoutMillis: IDLE_MS_MAX,
      ...(statementMsMax === undefined ? {} : { query_timeout: statementMsMax + LATE_MS_MAX }),
    })
    return new ConnectionPool(place, pool)
  }

  /**
   * Runs `use` with a connection, which is discarded after a StoreUnavailableError.
   * @throws StoreUnavailableError when none becomes free in time, or the server is unreachable;
   * StoreRefusedError when it refuses a connection after it has accepted one: the password may be
   * changing, or the database be closed for a while
   */
  withConnection<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const run = this.#run(use)
    this.#running.add(run)
    const over = (): unknown => this.#running.delete(run)
    run.then(over, over)
    return run
  }

  async #run<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connected()
    let isSound = true
    try {
      return await use(client)
    } catch (error) {
      isSound = !(error instanceof StoreUnavailableError)
      throw error
    } finally {
      client.release(!isSound)
    }
  }

  async #connected(): Promise<PoolClient> {
    try {
      const client = await connecting(this.place, () => this.#connect())
      this.#hasConnected = true
      return client
    } catch (error) {
      if (!this.#hasConnected) throw error
      throw refusedOr(error)
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      if (messageOf(error) !== NONE_FREE) throw error
      const sentence = `all ${CONNECTIONS_MAX} connections are in use; try again later`
      throw new StoreUnavailableError(`${this.place}: ${sentence}`, { cause: error })
    }
  }

  /** Closes all connections after the callers that use one or wait for one. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    await this.#pool.end()
  }
}
