import { replyError } from './engine/error-reply.js'
import type { Exchange, Handler } from './engine/exchange.js'
import type { ReplyMetrics } from './request-totals.js'

/**
 * The handler, with each reply counted and timed, those to its errors included. A reply that a
 * disconnected client did not receive is not counted. This runs for every request, so it allocates
 * nothing needlessly.
 */
export function withMetrics(answer: Handler, metrics: ReplyMetrics): Handler {
  const count = (exchange: Exchange, begun: number): void => {
    if (exchange.status !== 0) metrics.end(exchange.status, begun, exchange)
  }
  const fail = (exchange: Exchange, begun: number, error: unknown): void => {
    const isFault = replyError(exchange, error)
    if (!exchange.aborted) count(exchange, begun)
    if (isFault) throw error
  }
  return (exchange) => {
    const begun = metrics.begin()
    let pending: void | Promise<void>
    try {
      pending = answer(exchange)
    } catch (error) {
      fail(exchange, begun, error)
      return
    }
    if (!(pending instanceof Promise)) {
      count(exchange, begun)
      return
    }
    return pending.then(
      () => count(exchange, begun),
      (error: unknown) => fail(exchange, begun, error),
    )
  }
}
