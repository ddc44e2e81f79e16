import { Pool, type PoolClient } from 'pg'
import { messageOf } from '../../errors.js'
import { StoreAwayError } from '../store-error.js'
import { type ConnectionOptions, connecting, connectionForm } from './connect.js'

/** Two cores of a server are busy with four; more of them wait for the same rows. */
const CONNECTIONS_MAX = 8

/** An unused connection ends after this. */
const IDLE_MS_MAX = 30_000

/** A statement without an answer is given up so long after the server should have cancelled it. */
const LATE_MS_MAX = 2_000

/** The pool's words when no connection got free in time. */
const NONE_FREE = 'timeout exceeded when trying to connect'

/**
 * Up to eight connections to a database, made when they are needed. Each caller has one to itself
 * for a while; callers wait for one in their order, and not longer than for a new connection.
 */
export class SpareConnections {
  readonly #pool: Pool
  readonly #loans = new Set<Promise<unknown>>()

  private constructor(
    /** Name of the database for messages, without user and password. */
    readonly place: string,
    pool: Pool,
  ) {
    this.#pool = pool
    // A lost connection rejects the statement that is under way; the pool forgets an idle one.
    pool.on('connect', (client) => client.on('error', () => undefined))
    pool.on('error', () => undefined)
  }

  /** Connects only when a connection is needed. @throws StoreError that says what the URL lacks */
  static of(url: string, options: ConnectionOptions): SpareConnections {
    const { place, config } = connectionForm(url, options)
    const { statementMsMax } = options
    const pool = new Pool({
      ...config,
      max: CONNECTIONS_MAX,
      idleTimeoutMillis: IDLE_MS_MAX,
      ...(statementMsMax === undefined ? {} : { query_timeout: statementMsMax + LATE_MS_MAX }),
    })
    return new SpareConnections(place, pool)
  }

  /**
   * Lends a connection to `use` until that is over. One with a StoreAwayError is not used again.
   * @throws StoreAwayError when none gets free in time, or the server cannot be reached
   */
  lend<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const loan = this.#lend(use)
    this.#loans.add(loan)
    const over = (): unknown => this.#loans.delete(loan)
    loan.then(over, over)
    return loan
  }

  async #lend<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await connecting(this.place, () => this.#connect())
    let isSound = true
    try {
      return await use(client)
    } catch (error) {
      isSound = !(error instanceof StoreAwayError)
      throw error
    } finally {
      client.release(!isSound)
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      if (messageOf(error) !== NONE_FREE) throw error
      const sentence = `all ${CONNECTIONS_MAX} connections are in use; try again later`
      throw new StoreAwayError(`${this.place}: ${sentence}`, { cause: error })
    }
  }

  /** Ends the connections once those that have been lent, or are waited for, are back. */
  async close(): Promise<void> {
    while (this.#loans.size > 0) await Promise.allSettled(this.#loans)
    await this.#pool.end()
  }
}
