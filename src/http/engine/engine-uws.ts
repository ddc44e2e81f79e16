import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { bearerTokenOf } from '../../auth/bearer.js'
import { ApiError, CommandError } from '../../errors.js'
import { FIELDS_BYTES_MAX, TARGET_BYTES_MAX } from '../../limits.js'
import { BodyBudget } from './body-budget.js'
import type { Engine, ListenOptions } from './exchange.js'
import { UwsExchange, type UwsFlight, type UwsResponse } from './exchange-uws.js'
import { refuseGuarded, runGuarded } from './guard.js'
import { addressOf, listenFault } from './listen-address.js'
import { requestErrorOf } from './request-error.js'
import { RequestHead } from './request-head.js'
import { TurnBudget } from './turn-budget.js'

/** The calls of a uWebSockets.js request that kontor uses; dead once the callback returns. */
interface UwsRequest {
  getCaseSensitiveMethod(): string
  getUrl(): string
  /** As sent; undefined when the target has no `?`. */
  getQuery(): string | undefined
  /** Names in lower case, repeated fields once each, in the order sent. */
  forEach(callback: (name: string, value: string) => void): void
}

interface UwsApp {
  any(pattern: string, callback: (response: UwsResponse, request: UwsRequest) => void): UwsApp
  listen(host: string, port: number, options: number, callback: ListenCallback): UwsApp
  /** Closes the listening socket and every connection, at once. */
  close(): UwsApp
}

type ListenCallback = (socket: UwsListenSocket | false) => void

/** Native and unchecked: closing one twice crashes. */
type UwsListenSocket = object

/** The part of uWebSockets.js that kontor uses. */
export interface UwsModule {
  App(): UwsApp
  us_listen_socket_close(socket: UwsListenSocket): void
  us_socket_local_port(socket: UwsListenSocket): number
  /** A setting of all apps of this thread. `silent` omits the field `uWebSockets: 20`. */
  _cfg?(setting: 'silent'): void
  /** Without it a second process binds the same port and takes half of the connections. */
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number
}

const require = createRequire(import.meta.url)

/**
 * uWebSockets.js when its native binary loads here, else undefined: the package is missing, has no
 * binary for this Node.js and platform, or has one that the system refuses, as for want of glibc.
 *
 * Requires the binary itself, not the package: where none loads, the code of the dependency prints
 * a warning and falls back to a slow server in JavaScript.
 * @param entry the package's main file
 */
export async function loadUws(entry = entryOfPackage()): Promise<UwsModule | undefined> {
  if (entry === undefined) return undefined
  // Newer builds read this bound of a request head once, on load, and refuse more than 4 KB without
  // it. The older build does not know it.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(TARGET_BYTES_MAX + FIELDS_BYTES_MAX)
  const { platform, arch, versions } = process
  const name = `uws_${platform}_${arch}_${versions.modules}.node`
  // Upstream's package has its binaries next to its code, the dependency in their own folder.
  const path = ['.', '../binaries'].map((at) => join(dirname(entry), at, name)).find(existsSync)
  if (path === undefined) return undefined
  try {
    const loaded: unknown = require(path)
    return isNative(loaded) ? loaded : undefined
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

function entryOfPackage(): string | undefined {
  try {
    return require.resolve('uWebSockets.js')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function isNative(loaded: unknown): loaded is UwsModule {
  if (typeof loaded !== 'object' || loaded === null) return false
  const names = ['App', 'us_listen_socket_close', 'us_socket_local_port'] as const
  return names.every((name) => {
    const value: unknown = Reflect.get(loaded, name)
    return (
      typeof value === 'function' &&
      Function.prototype.toString.call(value).includes('[native code]')
    )
  })
}

/**
 * Listens with uWebSockets.js: for loopback or behind a proxy, never facing a network.
 *
 * Differences from the `node` engine that the binary decides (the dependency is 20.30; 20.57 stands
 * for the newer ones):
 * - malformed requests, HTTP/1.0, and a target that does not begin with `/` close the connection.
 *   20.30 sends no answer and closes after 10 s at the latest; 20.57 closes at once, with a `400`,
 *   `431` or `505` of its own that has no Error body, also for a missing or repeated Host;
 * - 20.30 closes without an answer on methods it does not know; 20.57 passes on any, see
 *   requestErrorOf;
 * - request fields: 20.30 answers none past 48, 20.57 refuses more than 98;
 * - bytes of a request head: for 20.30 4 KB when it arrives in pieces, 60 KB when read at once; for
 *   20.57 the bounds of `node`, target and fields together;
 * - a request pipelined behind one that is not answered yet closes the connection, and earlier
 *   responses to requests of the same read are lost with it; they are lost as well when a request
 *   with a method it does not know follows them; after a refused request nothing is run and nothing
 *   is lost. So does one behind a request that waits for the end of its turn, see TurnBudget;
 * - an empty field name hides the fields behind it, Content-Length included, and no call available
 *   here reveals it: a proxy in front must refuse such a request, as nginx does;
 * - a client that reads nothing for 10 s is disconnected, having one unread response at most.
 *
 * Rejects with CommandError `failed` when the address is not available, `usage` when asked for TLS.
 */
export async function listenUws(module: UwsModule, options: ListenOptions): Promise<Engine> {
  if (options.tls !== undefined) {
    throw new CommandError('usage', 'engine uws does not support TLS: use --engine node')
  }
  const address = await addressOf(options.host)
  const { behindProxy = false } = options
  const still = { parked: new Set<UwsExchange>(), stopping: false, onEmpty: () => undefined }
  const turns = new TurnBudget(options.ticks)
  const flight: UwsFlight = { ...still, behindProxy, bodies: new BodyBudget(), turns }
  module._cfg?.('silent')
  const app = module.App().any('/*', exchangeCallback(options, flight))
  const socket = await new Promise<UwsListenSocket | false>((resolve) => {
    app.listen(address, options.port, module.LIBUS_LISTEN_EXCLUSIVE_PORT, resolve)
  })
  if (socket === false) throw await whyNot(address, options)
  const port = module.us_socket_local_port(socket)
  let stopped: Promise<void> | undefined
  const stop = async (withinMs: number): Promise<void> => {
    module.us_listen_socket_close(socket)
    await landed(flight, withinMs)
    app.close()
  }
  return {
    name: 'uws',
    port,
    stop: (withinMs) => {
      stopped ??= stop(withinMs)
      return stopped
    },
  }
}

function exchangeCallback(
  options: ListenOptions,
  flight: UwsFlight,
): (response: UwsResponse, request: UwsRequest) => void {
  let head: RequestHead
  // One callback for all requests: forEach runs it synchronously, so `head` is the request's own.
  const take = (name: string, value: string): void => head.take(name, value)
  const { turns } = flight
  // Meanwhile uWS closes a connection that pipelines, and goes on to the next socket.
  const runLater = (exchange: UwsExchange, { fields }: RequestHead): void => {
    const arrivedMs = performance.now()
    turns.wait(bearerTokenOf(fields.authorization) ?? turns.nameCaller(), () => {
      if (!exchange.aborted) runGuarded(exchange, options, arrivedMs)
    })
  }
  return (response, request) => {
    head = new RequestHead()
    request.forEach(take)
    const path = request.getUrl()
    const query = request.getQuery() ?? ''
    const method = request.getCaseSensitiveMethod()
    const exchange = new UwsExchange(method, path, query, head, response, flight)
    const refusal = requestErrorOf(method, path.length + query.length, head)
    if (refusal !== undefined) refuseGuarded(exchange, refusal, options)
    else if (turns.take()) runGuarded(exchange, options)
    else if (!head.hasBody) runLater(exchange, head)
    else if (turns.takeExtra()) runGuarded(exchange, options)
    else refuseGuarded(exchange, tooBusy(), options)
    exchange.leave()
  }
}

/** uWS keeps no body for later, so the request cannot wait. */
function tooBusy(): ApiError {
  const message = 'Too many requests arrived at the same time; try again in a moment.'
  return new ApiError('budget_exceeded', message)
}

/** Resolves when no exchange is parked, or after `withinMs`. */
async function landed(flight: UwsFlight, withinMs: number): Promise<void> {
  flight.stopping = true
  if (flight.parked.size === 0) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs)
    // Deferred: the last exchange reports from inside a native call that still uses its socket.
    flight.onEmpty = () => {
      clearTimeout(timer)
      setImmediate(resolve)
    }
  })
}

/** uWS reports only that it could not listen; a trial with node:net returns the reason. */
async function whyNot(address: string, { host, port }: ListenOptions): Promise<CommandError> {
  const cause = await new Promise<unknown>((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ host: address, port, exclusive: true }, () => {
      probe.close(() => resolve('the address is temporarily in use; try again'))
    })
  })
  return listenFault(cause, host, port)
}
