import {
  Client,
  type ClientConfig,
  type QueryConfig,
  type QueryResult,
  TypeOverrides,
  types,
} from 'pg'
import { messageOf } from '../../errors.js'
import { StoreAwayError, StoreError } from '../store-error.js'
import { explainFaults, LATE } from './faults.js'

/** How long a new connection may take. */
const CONNECT_MS_MAX = 5_000

/** How long a statement waits for rows that another transaction holds. */
const LOCK_MS_MAX = 5_000

/** After this silence within a transaction its connection ends, which frees the locks of a node. */
const IDLE_IN_TRANSACTION_MS_MAX = 10_000

/** Silence after which TCP asks whether the other end is still there. */
const KEEPALIVE_DELAY_MS = 10_000

const FORM = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'

/** A URL whose user or password has a character that ends them. */
const CUT_LOGIN = /^\w+:\/\/[^/?#]*[/?#].*@/s

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** Parameters of a URL, as of libpq. */
const PARAMETERS = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** What a connection is for. */
export interface ConnectionOptions {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  /** How long a statement may take; absent = any time. */
  readonly statementMsMax?: number
  /**
   * How long a statement may go without an answer, and a COPY without rows; the connection is lost
   * then. A machine that vanishes without a word would be waited for, for a quarter of an hour.
   * Absent = any time; of a pool, that of its statements.
   */
  readonly answerMsMax?: number
  /** More run-time parameters of the server, which need no quotes. */
  readonly settings?: Readonly<Record<string, number>>
}

/** Values of the parameters `$1`, `$2`, … of a statement. */
export type PostgresValue =
  | string
  | number
  | bigint
  | boolean
  | Buffer
  | null
  | readonly PostgresValue[]

/**
 * One connection to PostgreSQL; statements wait for each other. Unqualified names are those of the
 * schema `kontor_control`. An int8 is a number; one that a double does not hold exactly is an
 * error. Every method may reject with StoreError, or StoreAwayError once the connection is lost.
 */
export class PostgresConnection {
  private constructor(
    /** Name of the database for messages, without user and password. */
    readonly place: string,
    /** The driver's connection, for COPY and LISTEN. */
    readonly client: Client,
    /** See {@link ConnectionOptions}. */
    readonly answerMsMax: number | undefined,
  ) {}

  /**
   * @param url `postgres://…`; absent parts are those of PGHOST, PGUSER, PGPASSWORD, …
   * @throws StoreError that says what is wrong with the URL, or what the server refuses;
   * StoreAwayError when it cannot be reached
   */
  static async open(url: string, options: ConnectionOptions): Promise<PostgresConnection> {
    const client = clientOf(url, options)
    const place = placeOf(client)
    // A lost connection rejects the statement that is under way, and each later one.
    client.on('error', () => undefined)
    await connecting(place, () => client.connect())
    return new PostgresConnection(place, client, options.answerMsMax)
  }

  /** Rows that a statement returns. @param sql several statements when there are no values */
  async query<Row extends object>(sql: string, values?: readonly PostgresValue[]): Promise<Row[]> {
    const query_timeout = this.answerMsMax
    const config = { text: sql, ...(values && { values: [...values] }), query_timeout }
    const result = await explainFaults(this.place, () => this.#answered<Row>(config))
    return result.rows
  }

  async #answered<Row extends object>(config: QueryConfig): Promise<QueryResult<Row>> {
    try {
      return await this.client.query<Row>(config)
    } catch (error) {
      // The connection would wait for that answer before it sends anything else.
      if (messageOf(error) === LATE) this.client.connection.stream.destroy()
      throw error
    }
  }

  /** Runs `work` in one transaction, which is rolled back when it throws. */
  async atomically<T>(work: () => Promise<T>): Promise<T> {
    await this.query('BEGIN')
    try {
      const result = await work()
      await this.query('COMMIT')
      return result
    } catch (error) {
      await this.#rollBack()
      throw error
    }
  }

  async #rollBack(): Promise<void> {
    try {
      await this.query('ROLLBACK')
    } catch (error) {
      // The server rolls back what a lost connection has begun.
      if (!(error instanceof StoreAwayError)) throw error
    }
  }

  close(): Promise<void> {
    return this.client.end()
  }
}

/**
 * Waits for a new connection.
 * @param place name of the database, without a password
 * @throws StoreError, StoreAwayError when the server cannot be reached
 */
export async function connecting<T>(place: string, connect: () => Promise<T>): Promise<T> {
  try {
    return await explainFaults(place, connect)
  } catch (error) {
    if (error instanceof StoreError) throw error
    const sentence = `${place}: no connection (${messageOf(error)})`
    throw new StoreError(sentence, { cause: error })
  }
}

/** What connections to a database are made with. */
export interface ConnectionForm {
  /** Name of the database for messages, without user and password. */
  readonly place: string
  readonly config: ClientConfig
}

/** Checks a URL without connecting. @throws StoreError that says what is wrong with it */
export function connectionForm(url: string, options: ConnectionOptions): ConnectionForm {
  return { place: placeOf(clientOf(url, options)), config: configOf(url, options) }
}

function clientOf(url: string, options: ConnectionOptions): Client {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new StoreError(`the URL of a PostgreSQL database has the form ${FORM}`)
  }
  // The rest of a password would be taken for a database or a parameter, and be shown.
  if (CUT_LOGIN.test(url)) throw malformed()
  refuseParameters(url)
  try {
    return new Client(configOf(url, options))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // A certificate; any other error may name parts of the URL, with its password.
    if (code === 'ENOENT' || code === 'EACCES') throw new StoreError(messageOf(error))
    throw malformed()
  }
}

/** Names no part of the URL: any may be one of the password. */
function malformed(): StoreError {
  return new StoreError(
    `the URL of the PostgreSQL database is not of the form ${FORM}; ` +
      'other characters than letters and digits in a password are written as %40 for @',
  )
}

function configOf(
  url: string,
  { applicationName, statementMsMax, settings = {} }: ConnectionOptions,
): ClientConfig {
  const parameters = Object.entries({ search_path: 'kontor_control', ...settings })
  return {
    // The driver's own meaning of `require` verifies certificates; libpq's does not.
    connectionString: `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    lock_timeout: LOCK_MS_MAX,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
    ...(statementMsMax === undefined ? {} : { statement_timeout: statementMsMax }),
    options: parameters.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    types: typesOf(),
  }
}

function refuseParameters(url: string): void {
  const [, query = ''] = url.split('?')
  for (const [name, value] of new URLSearchParams(query)) {
    if (!PARAMETERS.includes(name)) {
      const known = PARAMETERS.join(', ')
      throw new StoreError(`the URL of a PostgreSQL database has no ${name}, only ${known}`)
    }
    if (name === 'sslmode' && !SSL_MODES.includes(value)) {
      throw new StoreError(`sslmode is ${SSL_MODES.join(', ')}, for example sslmode=verify-full`)
    }
  }
}

function typesOf(): TypeOverrides {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(types.builtins.INT8, safeInteger)
  return overrides
}

/** @throws StoreError when a double does not hold the integer exactly */
export function safeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) {
    throw new StoreError(`${text} is larger than the integers that kontor can count with`)
  }
  return number
}

/** `postgres://host:port/database`, or the folder of the socket in place of the host. */
function placeOf({ host, port, database }: Client): string {
  if (host.startsWith('/')) return `postgres:///${database}?host=${host}`
  return `postgres://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
}
