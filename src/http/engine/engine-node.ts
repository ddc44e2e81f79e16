import { strict as assert } from 'node:assert'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { bearerTokenOf } from '../../auth/bearer.js'
import { ApiError, CommandError, type ErrorCode, messageOf } from '../../errors.js'
import {
  FIELDS_BYTES_MAX,
  FIELDS_COUNT_MAX,
  HEAD_MS_MAX,
  IDLE_MS_MAX,
  REQUEST_MS_MAX,
  TARGET_BYTES_MAX,
} from '../../limits.js'
import { BodyBudget } from './body-budget.js'
import { errorReply } from './error-reply.js'
import type { Engine, ListenOptions } from './exchange.js'
import {
  type NodeConnection,
  NodeExchange,
  type NodeFlight,
  type NodeRequest,
} from './exchange-node.js'
import { refuseGuarded, runGuarded } from './guard.js'
import { closeLingering } from './lingering-close.js'
import { addressOf, listenFault } from './listen-address.js'
import { requestErrorOf } from './request-error.js'
import { RequestHead } from './request-head.js'
import { requestIdOf } from './request-id.js'
import { headText } from './response-head.js'
import { TurnBudget } from './turn-budget.js'

/** How often `node` checks connections for timeouts; its default of 30 s is late. */
const TIMEOUT_CHECK_MS = 1_000

assert(TIMEOUT_CHECK_MS < HEAD_MS_MAX)

/**
 * The parser has only one bound, for target and fields together; requestErrorOf bounds the target.
 */
const HEAD_BYTES_MAX = TARGET_BYTES_MAX + FIELDS_BYTES_MAX

const SERVER_OPTIONS: ServerOptions & { readonly optimizeEmptyRequests: boolean } = {
  insecureHTTPParser: false,
  // A request without a body is then no stream that has to be read to its end. Node.js 20 has no
  // such option.
  optimizeEmptyRequests: true,
  // requestErrorOf counts Host fields, and replies with the Error body.
  requireHostHeader: false,
  maxHeaderSize: HEAD_BYTES_MAX,
  headersTimeout: HEAD_MS_MAX,
  requestTimeout: REQUEST_MS_MAX,
  keepAliveTimeout: IDLE_MS_MAX,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  noDelay: true,
}

/** The connections and TLS handshakes of one listening server. */
interface Holding {
  readonly connections: Map<Duplex, NodeConnection>
  /** Sockets in their TLS handshake, by peer: node offers no way from one to its TLS socket. */
  readonly handshakes: Map<string, Socket>
  readonly flight: NodeFlight
}

/**
 * Listens with node:http, or with node:https when TLS is given. The parser is strict; a request it
 * refuses is answered with the Error body, and the connection closes.
 *
 * Rejects with CommandError `failed` when the address is not available or the TLS texts unusable.
 */
export async function listenNode(options: ListenOptions): Promise<Engine> {
  const address = await addressOf(options.host)
  const holding: Holding = {
    connections: new Map(),
    handshakes: new Map(),
    flight: {
      stopping: false,
      behindProxy: options.behindProxy ?? false,
      isSecure: options.tls !== undefined,
      bodies: new BodyBudget(),
      turns: new TurnBudget(options.ticks),
    },
  }
  const server = serverOf(options)
  server.timeout = REQUEST_MS_MAX
  server.maxHeadersCount = FIELDS_COUNT_MAX + 1
  holdConnections(server, options.tls !== undefined, holding)
  answerRequests(server, options, holding)
  const port = await listening(server, address, options)
  let stopped: Promise<void> | undefined
  return {
    name: 'node',
    port,
    stop: (withinMs) => {
      stopped ??= stopServer(server, holding, withinMs)
      return stopped
    },
  }
}

function serverOf({ tls }: ListenOptions): Server {
  if (tls === undefined) return createServer(SERVER_OPTIONS)
  try {
    return createTlsServer({
      ...SERVER_OPTIONS,
      ...tls,
      minVersion: 'TLSv1.2',
      handshakeTimeout: HEAD_MS_MAX,
    })
  } catch (error) {
    // OpenSSL's message for a text that is not PEM, or for a key that does not match the
    // certificate.
    const why = `the TLS certificate or key cannot be used (${messageOf(error)})`
    const message = `${why}: use two PEM files that belong together`
    throw new CommandError('failed', message, { cause: error })
  }
}

function listening(server: Server, host: string, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFault(error, options.host, options.port)))
    server.listen({ host, port: options.port, exclusive: true }, () => {
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0)
    })
  })
}

function holdConnections(server: Server, secure: boolean, holding: Holding): void {
  const hold = (socket: Socket): void => {
    const { flight } = holding
    flight.turns.accept()
    const still = { current: undefined, waiting: [], isQueued: false, isFull: false }
    const connection: NodeConnection = { ...still, closing: false, flight }
    holding.connections.set(socket, connection)
    boundParser(socket, connection)
    lingerAtClose(socket, connection)
    socket.once('close', () => {
      holding.connections.delete(socket)
      connection.closing = true
      connection.current?.abort()
    })
  }
  if (!secure) {
    server.on('connection', hold)
    return
  }
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    holding.handshakes.set(peer, socket)
    socket.once('close', () => holding.handshakes.delete(peer))
  })
  server.on('secureConnection', (socket: Socket) => {
    holding.handshakes.delete(peerOf(socket))
    hold(socket)
  })
}

function peerOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`
}

function answerRequests(server: Server, options: ListenOptions, holding: Holding): void {
  const { turns } = holding.flight
  const begin = (received: NodeRequest, connection: NodeConnection, arrivedMs?: number): void => {
    const { request, response } = received
    const head = headOf(request)
    const exchange = new NodeExchange(received, head, connection)
    connection.current = exchange
    // Emitted once; `once` would wrap the listener for each request.
    response.on('close', () => {
      // Node also emits `finish` for a reply whose rest could not be written.
      if (request.socket.destroyed) exchange.abort()
      connection.current = undefined
      if (connection.waiting.length < PIPELINED_MAX) resumeReading(request.socket)
      if (connection.waiting.length > 0) beginNext(connection)
      // A reply begun before the stop did not announce that it is the last one.
      else if (holding.flight.stopping) request.socket.destroySoon()
    })
    const refusal = parserErrorOf(request, exchange, head)
    if (refusal === undefined) runGuarded(exchange, options, arrivedMs)
    else refuseGuarded(exchange, refusal, options)
    exchange.leave()
  }
  const beginNext = (connection: NodeConnection): void => {
    const [received] = connection.waiting
    if (received === undefined || connection.closing) return
    if (turns.take()) {
      connection.waiting.shift()
      begin(received, connection)
      return
    }
    connection.isQueued = true
    const arrivedMs = performance.now()
    turns.wait(callerOf(received.request) ?? turns.nameCaller(), () => {
      connection.isQueued = false
      connection.waiting.shift()
      if (!connection.closing) begin(received, connection, arrivedMs)
    })
  }
  const arrive = (received: NodeRequest): void => {
    const connection = holding.connections.get(received.request.socket)
    if (connection === undefined || connection.closing || isFilled(connection)) return
    const { current, isQueued, waiting } = connection
    // One exchange at a time: node itself would start every request of one read, and hold as many
    // replies for a client that reads none of them.
    const length = waiting.push(received)
    if (current === undefined && !isQueued) beginNext(connection)
    else turns.keepPipelined()
    if (length >= PIPELINED_MAX) pauseReading(received.request.socket)
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    arrive({ request, response, awaitsContinue: false })
  server.on('request', onRequest)
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1), as uws does.
  server.on('checkExpectation', onRequest)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    arrive({ request, response, awaitsContinue: true }),
  )
  server.on('clientError', (error, socket) => refuseUnparsed(error, socket, holding))
}

/**
 * Requests of one connection that wait for the reply to an earlier one; past it the socket is not
 * read until replies have been sent, so that at most one further read (64 KiB) is kept. Of this
 * read, no more requests are parsed than the turn has time for.
 */
const PIPELINED_MAX = 16

/** Property by which node:http knows that it does not read a socket. */
const IS_PAUSED = '_paused'

/**
 * Pauses as node:http does for a client that does not read its replies: `pause` alone would be
 * undone by the next parsed request, and its parser reads past the stream.
 */
function pauseReading(socket: Socket): void {
  Reflect.set(socket, IS_PAUSED, true)
  socket.pause()
}

/**
 * Ends `pauseReading` as node:http does, unless replies wait in the socket. It does so by itself
 * after a reply of two chunks, not after one that it writes whole.
 */
function resumeReading(socket: Socket): void {
  if (Reflect.get(socket, IS_PAUSED) === true) socket.emit('drain')
}

/** Return value of a callback of node's parser that ends the parsing: an error. */
const STOP = -1

/**
 * Lets a connection stop its own parser, which otherwise creates all requests of one read, some
 * thousands, before any other socket has its turn. No public call does so. Where node has none of
 * these properties, all are created, and those past the bound are not answered.
 */
function boundParser(socket: Socket, connection: NodeConnection): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser !== 'object' || parser === null) return
  const onIncoming: unknown = Reflect.get(parser, 'onIncoming')
  if (typeof onIncoming !== 'function') return
  Reflect.set(parser, 'onIncoming', (request: IncomingMessage, keepsAlive: boolean): unknown => {
    return isFilled(connection) ? STOP : onIncoming(request, keepsAlive)
  })
}

/** Node calls `destroySoon` after the last reply of a connection, which resets the connection. */
function lingerAtClose(socket: Socket, connection: NodeConnection): void {
  const { destroySoon } = socket
  socket.destroySoon = () => {
    if (connection.closing && !connection.flight.stopping) closeLingering(socket)
    else destroySoon.call(socket)
  }
}

/** Whether no further request of the connection is taken. */
function isFilled(connection: NodeConnection): boolean {
  const { isFull, waiting, flight } = connection
  if (!isFull && !flight.turns.mayPipeline(waiting.length)) connection.isFull = true
  return connection.isFull
}

/** Whose turn a request is: its token's, whether valid or not, over all connections. */
function callerOf({ headers }: IncomingMessage): string | undefined {
  return bearerTokenOf(headers.authorization ?? '')
}

function headOf(request: IncomingMessage): RequestHead {
  const head = new RequestHead()
  const { rawHeaders } = request
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    // Names and values alternate, so both are present.
    head.take(rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!)
  }
  return head
}

function parserErrorOf(
  request: IncomingMessage,
  { method, path, query }: NodeExchange,
  head: RequestHead,
): ApiError | undefined {
  if (request.rawHeaders.length / 2 > FIELDS_COUNT_MAX) {
    return new ApiError(
      'fields_too_large',
      `The request has more than ${FIELDS_COUNT_MAX} header fields.`,
    )
  }
  return requestErrorOf(method, path.length + query.length, head)
}

/** The error code for a request that the parser refused, or that timed out. */
export function errorCodeOf(error: Error): ErrorCode {
  const code: unknown = 'code' in error ? error.code : undefined
  if (code === 'HPE_HEADER_OVERFLOW') return 'fields_too_large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  return 'invalid_request'
}

const UNPARSED_MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  fields_too_large: `The request line and header fields are longer than ${HEAD_BYTES_MAX} bytes.`,
  request_timeout: 'The request did not arrive in time.',
}

function refuseUnparsed(error: Error, socket: Duplex, holding: Holding): void {
  const connection = holding.connections.get(socket)
  if (connection?.closing) return
  if (connection?.isFull) {
    // The parser has stopped. The bytes that it left, and those that arrive, are not read.
    if (socket instanceof Socket) pauseReading(socket)
    return
  }
  // Between the bytes of an unfinished reply, this one would be read as part of it.
  const isOpen = socket instanceof Socket && socket.writable
  if (connection === undefined || connection.current !== undefined || !isOpen) {
    socket.destroy()
    return
  }
  connection.closing = true
  const code = errorCodeOf(error)
  const message = UNPARSED_MESSAGES[code] ?? 'The request is not well-formed HTTP/1.1.'
  const { status, fields, bytes } = errorReply(new ApiError(code, message), requestIdOf(''))
  const head = `HTTP/1.1 ${headText(status, fields)}`
  socket.write(`${head}\r\nConnection: close\r\nContent-Length: ${bytes.length}\r\n\r\n`)
  socket.write(bytes)
  closeLingering(socket)
}

async function stopServer(server: Server, holding: Holding, withinMs: number): Promise<void> {
  const { connections, handshakes, flight } = holding
  flight.stopping = true
  // Node calls a connection idle when its reply is written but not yet read, and would cut it off.
  server.closeIdleConnections = () => undefined
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  for (const socket of handshakes.values()) socket.destroy()
  for (const [socket, { current, isQueued }] of connections) {
    if (current === undefined && !isQueued) socket.destroy()
  }
  const timer = setTimeout(() => {
    for (const [socket, { current }] of connections) {
      current?.abort()
      socket.destroy()
    }
  }, withinMs)
  await closed
  clearTimeout(timer)
}
