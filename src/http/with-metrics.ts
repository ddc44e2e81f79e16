import type { Answer, Exchange } from './exchange.js'

/** Counts an answer. Times are in ms of one clock; `atMs` is when it was given. */
type Take = (status: number, tookMs: number, atMs: number) => void

/**
 * The answer, with each reply counted: how it went, and how long it took. What a caller who has gone
 * was not told is no reply. This is on the way of every request, so it makes nothing that it need
 * not.
 */
export function withMetrics(answer: Answer, take: Take, ticks: () => number): Answer {
  const count = (exchange: Exchange, beganMs: number): void => {
    if (exchange.status === 0) return
    const atMs = ticks()
    take(exchange.status, atMs - beganMs, atMs)
  }
  const countFault = (beganMs: number): void => {
    const atMs = ticks()
    // The engine replies 500 to whatever is thrown here.
    take(500, atMs - beganMs, atMs)
  }
  return (exchange) => {
    const beganMs = ticks()
    let pending: void | Promise<void>
    try {
      pending = answer(exchange)
    } catch (error) {
      countFault(beganMs)
      throw error
    }
    if (!(pending instanceof Promise)) {
      count(exchange, beganMs)
      return
    }
    return pending.then(
      () => count(exchange, beganMs),
      (error: unknown) => {
        if (!exchange.aborted) countFault(beganMs)
        throw error
      },
    )
  }
}
