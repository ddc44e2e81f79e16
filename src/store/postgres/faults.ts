import { DatabaseError } from 'pg'
import { messageOf } from '../../errors.js'
import { StoreError, StoreRefusedError, StoreUnavailableError } from '../store-error.js'

/** Message about a replica, or a server in read-only mode. */
export const STANDBY =
  'the server accepts no writes: it is a standby (select the primary), or ' +
  'default_transaction_read_only is on'

const ENDED = 'the server has closed the connection'

/**
 * SQLSTATE, or its first two characters -> message about an unavailable server. One that has become
 * a standby is unavailable too: another connection may lead to the new primary.
 */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '08': 'the connection is broken',
  '25006': STANDBY,
  '53300': 'the server has no free connection; raise its max_connections, or start fewer nodes',
  '57014': 'the server does not answer in time',
  '57P01': ENDED,
  '57P02': ENDED,
  '57P03': 'the server is starting or stopping',
  '57P05': ENDED,
}

/** SQLSTATE of a violation of the protocol. */
const PROTOCOL = '08P01'

/** SQLSTATE of a lock that was not granted in time. */
const LOCKED = '55P03'

/** First two characters of SQLSTATE: another transaction has won. */
const CONFLICT = '40'

const NUL = 'a text has the character U+0000, which PostgreSQL cannot store'

/** SQLSTATE, or its first two characters -> message; absent = the message of the server. */
const EXPLAINED: Readonly<Record<string, string>> = {
  '22021': NUL,
  '22P05': NUL,
  '25P03': 'a transaction was idle for too long, and the server has ended it',
  '28': 'the server refuses the user or the password',
  '3D000': 'there is no such database; create it with createdb',
  [CONFLICT]: 'the transaction conflicts with another one; try again',
  '53100': 'the disk of the server is full',
  '53200': 'the server is out of memory',
  [LOCKED]: 'the rows are locked by another program; try again later',
  XX001: 'the database is damaged; restore it from a backup',
  XX002: 'an index of the database is damaged; rebuild it with REINDEX',
}

/** CHECK constraints of ids (workspace-tables.ts); ids from callers are checked earlier. */
const ID_CHECK = /^(accounts|categories|transactions)_id_check$/

/**
 * SQLSTATE of a server that refuses a connection: user, password, a renamed or closed database,
 * permissions, a full disk, no memory.
 */
const REFUSED = /^(28|53[12]00$|3D000$|42501$|55000$)/

/** Errors of Node.js's sockets: no server, no route to it, or a broken connection. */
const NETWORK_CODE = /^E(AI_AGAIN|CONN\w+|HOST\w+|NET\w+|NOENT|NOTFOUND|PIPE|TIMEDOUT)$/

/** The driver's message about a statement without an answer in time. */
export const LATE = 'Query read timeout'

/** Messages of the driver's errors, which have no code. */
const DRIVER_UNAVAILABLE =
  /^(Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout exp)/

/**
 * Runs `use` and converts errors of PostgreSQL and of the network to a {@link StoreError} that
 * names the database; other errors are rethrown.
 * @param place name of the database, without a password
 */
export async function explainFaults<T>(place: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    throw explained(place, error)
  }
}

/** The error that {@link explainFaults} throws for one: a StoreError, or the error itself. */
export function explained(place: string, error: unknown): unknown {
  if (error instanceof DatabaseError) return explainedByServer(place, error)
  const code = codeOf(error)
  const isNetwork = NETWORK_CODE.test(code ?? '')
  if (!isNetwork && !DRIVER_UNAVAILABLE.test(messageOf(error))) return error
  // After trying several addresses of a name, Node.js throws an error without a message.
  const found = messageOf(error) === '' ? code : messageOf(error)
  return new StoreUnavailableError(`${place}: the server does not answer (${found})`, {
    cause: error,
  })
}

function explainedByServer(place: string, error: DatabaseError): StoreError {
  const code = error.code ?? ''
  // A refusal of a pooler, whose message says which parameter it does not know.
  const unavailable =
    code === PROTOCOL ? undefined : (UNAVAILABLE[code] ?? UNAVAILABLE[code.slice(0, 2)])
  if (unavailable !== undefined) {
    return new StoreUnavailableError(`${place}: ${unavailable}`, { cause: error })
  }
  if (code === '23514' && ID_CHECK.test(error.constraint ?? '')) {
    const sentence = 'no ids are left: a row already has the largest possible id'
    return new StoreError(`${place}: ${sentence}`, { cause: error })
  }
  const sentence = EXPLAINED[code] ?? EXPLAINED[code.slice(0, 2)] ?? error.message
  const isBusy = code === LOCKED || code.startsWith(CONFLICT)
  return new StoreError(`${place}: ${sentence}`, { cause: error, isBusy })
}

/**
 * Whether the transaction may succeed if it is retried: it failed by a deadlock, or could not be
 * serialized.
 */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof StoreError && /^40(001|P01)$/.test(codeOf(error.cause) ?? '')
}

/**
 * The remedy for an error of opening a database, to be appended to the message; undefined = none is
 * known, or the message contains it.
 */
export function adviceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error.cause) ?? ''
  if (code.startsWith('28')) return 'correct them in the URL, or set PGUSER and PGPASSWORD'
  if (code === '42501') return 'make the user the owner of the database'
  const isWithoutServer =
    error instanceof StoreUnavailableError && !(error.cause instanceof DatabaseError)
  return isWithoutServer ? 'start it, or correct host and port in the URL' : undefined
}

/**
 * The error of opening a connection to a server that has accepted one before: a refusal may end.
 */
export function refusedOr(error: unknown): unknown {
  if (!(error instanceof StoreError) || !REFUSED.test(codeOf(error.cause) ?? '')) return error
  return new StoreRefusedError(error.message, { cause: error.cause })
}

/** SQLSTATE, or the code of Node.js; undefined = it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
