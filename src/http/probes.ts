import type { Liveness, Readiness, UnreadyReason } from '../domain/probes.js'
import type { Exchange, Handler } from './engine/exchange.js'
import { jsonFields } from './engine/response-fields.js'
import { methodNotAllowed } from './http-errors.js'

/** Seconds after which a service that is not ready is worth asking again. */
const RETRY_AFTER = ['Retry-After', '1'] as const

/** The state that `/readyz` reports. */
interface ProbedState {
  /** Reasons for not being ready; empty = ready. */
  readonly unready: () => readonly UnreadyReason[]
  /** Whether requests are answered from memory because the store is out of contact. */
  readonly isDegraded: () => boolean
  /**
   * Number of workspaces that cannot be loaded. They do not make the service unready, because it
   * serves the others.
   */
  readonly failingCount: () => number
}

/**
 * Answers `/livez` and `/readyz` to every client: they need no credential and reveal no data.
 * @returns by path, the handler; undefined for every other path
 */
export function createProbeAnswers({
  unready,
  isDegraded,
  failingCount,
}: ProbedState): (path: string) => Handler | undefined {
  const live: Handler = (exchange) => replyProbe(exchange, 200, { status: 'live' })
  const ready: Handler = (exchange) => {
    const reasons = unready()
    const count = failingCount()
    const failing = count === 0 ? {} : { failingWorkspaces: count }
    const state = isDegraded() ? { degraded: true as const, ...failing } : failing
    if (reasons.length === 0) replyProbe(exchange, 200, { status: 'ready', ...state })
    else replyProbe(exchange, 503, { status: 'unavailable', reasons: [...reasons], ...state })
  }
  return (path) => (path === '/livez' ? live : path === '/readyz' ? ready : undefined)
}

function replyProbe(exchange: Exchange, status: 200 | 503, body: Liveness | Readiness): void {
  exchange.operation = 'probe'
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
    throw methodNotAllowed('The method must be GET or HEAD.', 'GET, HEAD')
  }
  const fields = jsonFields(exchange.requestId)
  if (status === 503) fields.push(RETRY_AFTER)
  exchange.reply(status, fields, Buffer.from(JSON.stringify(body)))
}
