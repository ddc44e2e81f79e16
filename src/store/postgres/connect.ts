import {
  Client,
  type ClientConfig,
  type QueryConfig,
  type QueryResult,
  TypeOverrides,
  types,
} from 'pg'
import { messageOf } from '../../errors.js'
import { StoreError, StoreUnavailableError } from '../store-error.js'
import { explainFaults, LATE } from './faults.js'

/** Time limit of an attempt to connect. */
const CONNECT_MS_MAX = 5_000

/** How long a statement waits for a lock. */
const LOCK_MS_MAX = 5_000

/** The server ends a transaction that is idle for this long, and so releases its locks. */
const IDLE_IN_TRANSACTION_MS_MAX = 10_000

/** Idle time before the first TCP keepalive probe. */
const KEEPALIVE_DELAY_MS = 10_000

const FORM = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'

/** A URL whose user or password has a character that ends them. */
const CUT_LOGIN = /^\w+:\/\/[^/?#]*[/?#].*@/s

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** Supported parameters of a URL, with the meaning of libpq. */
const PARAMETERS = ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** Options of a connection. */
export interface ConnectionOptions {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  /** Time limit of a statement; absent = none. */
  readonly statementMsMax?: number
  /**
   * Time limit of the answer to a statement, and of the next rows of a COPY; the connection is lost
   * after it. TCP would wait a quarter of an hour for a machine that has vanished. Absent = none;
   * in a pool, the limit of its statements.
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
 * One connection to PostgreSQL, which runs its statements one after the other. Unqualified names
 * refer to the schema `kontor_control`. An int8 becomes a number; one that a double cannot
 * represent exactly is an error. Every method may reject with StoreError, or StoreUnavailableError
 * once the connection is lost.
 */
export class PostgresConnection {
  private constructor(
    /** Name of the database for messages, without user and password. */
    readonly place: string,
    /** The driver's client, for COPY and LISTEN. */
    readonly client: Client,
    /** See {@link ConnectionOptions}. */
    readonly answerMsMax: number | undefined,
  ) {}

  /**
   * @param url `postgres://…`; absent parts come from PGHOST, PGUSER, PGPASSWORD, …
   * @throws StoreError for a malformed URL, or a refusal of the server; StoreUnavailableError when
   * it is unreachable
   */
  static async open(url: string, options: ConnectionOptions): Promise<PostgresConnection> {
    const client = clientOf(url, options)
    const place = placeOf(client)
    // A lost connection rejects the running statement, and every later one.
    client.on('error', () => undefined)
    await connecting(place, () => client.connect())
    return new PostgresConnection(place, client, options.answerMsMax)
  }

  /** Rows of a statement. @param sql may be several statements if there are no values */
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

  /** Runs `work` in one transaction, which is rolled back if it throws. */
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
      // If the connection is lost, the server rolls back.
      if (!(error instanceof StoreUnavailableError)) throw error
    }
  }

  close(): Promise<void> {
    return this.client.end()
  }
}

/**
 * Waits for a new connection.
 * @param place name of the database, without a password
 * @throws StoreError, StoreUnavailableError when the server is unreachable
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

/** Configuration of connections to a database. */
export interface ConnectionForm {
  /** Name of the database for messages, without user and password. */
  readonly place: string
  readonly config: ClientConfig
}

/** Checks a URL without connecting. @throws StoreError for a malformed URL */
export function connectionForm(url: string, options: ConnectionOptions): ConnectionForm {
  return { place: placeOf(clientOf(url, options)), config: configOf(url, options) }
}

function clientOf(url: string, options: ConnectionOptions): Client {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new StoreError(`the URL of a PostgreSQL database has the form ${FORM}`)
  }
  // The rest of the password would be parsed as a database or a parameter, and be shown.
  if (CUT_LOGIN.test(url)) throw malformed()
  refuseParameters(url)
  try {
    return new Client(configOf(url, options))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // A certificate file. The message of any other error may contain the password of the URL.
    if (code === 'ENOENT' || code === 'EACCES') throw new StoreError(messageOf(error))
    throw malformed()
  }
}

/** The message has no part of the URL: any part may belong to the password. */
function malformed(): StoreError {
  return new StoreError(
    `the URL of the PostgreSQL database is not of the form ${FORM}; ` +
      'in a password, percent-encode characters other than letters and digits, such as %40 for @',
  )
}

function configOf(
  url: string,
  { applicationName, statementMsMax, settings = {} }: ConnectionOptions,
): ClientConfig {
  const parameters = Object.entries({ search_path: 'kontor_control', ...settings })
  return {
    // By default, the driver verifies certificates for `require`, which libpq does not.
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

/** @throws StoreError when a double cannot represent the integer exactly */
export function safeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) {
    throw new StoreError(`${text} is too large: kontor supports integers up to 2^53 - 1`)
  }
  return number
}

/** `postgres://host:port/database`, or with the folder of the socket instead of the host. */
function placeOf({ host, port, database }: Client): string {
  if (host.startsWith('/')) return `postgres:///${database}?host=${host}`
  return `postgres://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
}
