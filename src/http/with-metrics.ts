import type { Exchange, Handler } from './engine/exchange.js'
import type { ReplyMetrics } from './request-totals.js'

/**
 * The handler, with each reply counted and timed. A reply that a disconnected client did not
 * receive is not counted. This runs for every request, so it allocates nothing needlessly.
 */
export function withMetrics(answer: Handler, metrics: ReplyMetrics): Handler {
  const count = (exchange: Exchange, begun: number): void => {
    if (exchange.status !== 0) metrics.end(exchange.status, begun, exchange)
  }
  return (exchange) => {
    const begun = metrics.begin()
    let pending: void | Promise<void>
    try {
      pending = answer(exchange)
    } catch (error) {
      // The engine replies 500 to any error thrown here.
      metrics.end(500, begun, exchange)
      throw error
    }
    if (!(pending instanceof Promise)) {
      count(exchange, begun)
      return
    }
    return pending.then(
      () => count(exchange, begun),
      (error: unknown) => {
        if (!exchange.aborted) metrics.end(500, begun, exchange)
        throw error
      },
    )
  }
}
