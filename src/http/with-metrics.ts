import type { Exchange, Handler } from './exchange.js'
import type { ReplyMetrics } from './request-totals.js'

/**
 * The answer, with each reply counted: how it went, and how long it took. What a caller who has
 * gone was not told is no reply. This is on the way of every request, so it makes nothing that it
 * need not.
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
      // The engine replies 500 to whatever is thrown here.
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
