import { ApiError } from '../errors.js'
import { isLoopback } from './engine/choose-engine.js'
import type { Handler } from './engine/exchange.js'
import { hostnameOf } from './known-names.js'

/** The names of a service that only this machine reaches. */
export interface LoopbackNames {
  readonly baseUrl: () => string
  /** As given to --host; its address is a loopback one. */
  readonly listenHost: string
}

/**
 * Hosts with their ports that are remembered as valid: a service is called by a name or two, each
 * at a port or two; a Host with another port each time is checked each time.
 */
const REMEMBERED_HOSTS_MAX = 32

/**
 * Wraps a handler so that requests whose Host field names another service are refused with 421
 * `misdirected`. Where only this machine can reach the port, a web page can do so as well after
 * resolving its own name to 127.0.0.1 (DNS rebinding); the browser then sends that name.
 * @returns a function from a handler to the handler with this check
 */
export function answeringKnownHosts(names: LoopbackNames): (answer: Handler) => Handler {
  // The names may be known only once the service listens, so none is read before a request.
  const remembered = new Set<string>()

  function isRight(host: string): boolean {
    if (remembered.has(host)) return true
    if (!namesThisService(host, names)) return false
    if (remembered.size < REMEMBERED_HOSTS_MAX) remembered.add(host)
    return true
  }

  return (answer) => (exchange) => {
    if (!isRight(exchange.field('host'))) throw misdirected(names)
    return answer(exchange)
  }
}

function namesThisService(host: string, { baseUrl, listenHost }: LoopbackNames): boolean {
  if (namesLoopback(host)) return true
  const hostname = hostnameOf(host)
  if (hostname === undefined) return false
  return hostname === new URL(baseUrl()).hostname || hostname === listenHost.toLowerCase()
}

/** Whether a Host field, with a port or not, means the machine it was sent on. */
export function namesLoopback(host: string): boolean {
  const hostname = hostnameOf(host)
  // No page has an address as its name, so any of 127.0.0.0/8 is accepted.
  return hostname !== undefined && (hostname === '[::1]' || isLoopback(hostname))
}

function misdirected({ baseUrl }: LoopbackNames): ApiError {
  const { hostname } = new URL(baseUrl())
  const message =
    `The Host header does not match this service, which is ${hostname} or localhost; ` +
    'the operator can change that with --base-url, for example --base-url https://bank.example.org.'
  return new ApiError('misdirected', message)
}
