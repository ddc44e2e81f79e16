import { strict as assert } from 'node:assert'
import type { HttpError } from '../../errors.js'
import { replyError } from './error-reply.js'
import type { AnsweredCallback, Exchange, ListenOptions } from './exchange.js'

/**
 * Runs the handler so that the exchange is always replied to or parked: a throw and a rejection
 * become a reply, and so does a promise that settles without one. Never throws.
 * @param arrivedMs of the monotonic clock, if the exchange has waited
 */
export function runGuarded(exchange: Exchange, options: ListenOptions, arrivedMs?: number): void {
  const { answer, onFault, onAnswered } = options
  const report = onAnswered === undefined ? undefined : reporterOf(exchange, onAnswered, arrivedMs)
  try {
    const pending = answer(exchange)
    // An arrow function may return the result of a timer or a push; only a promise is awaited.
    if (!(pending instanceof Promise)) {
      report?.()
      return
    }
    const guarded = pending
      .then(() =>
        assert(exchange.replied || exchange.aborted, 'the answer settled without a reply'),
      )
      .catch((error: unknown) => failExchange(exchange, error, onFault))
    if (report !== undefined) void guarded.then(report)
  } catch (error) {
    failExchange(exchange, error, onFault)
    report?.()
  }
}

/** Replies to a request that is refused without its handler, as {@link runGuarded} does. */
export function refuseGuarded(
  exchange: Exchange & { refuse(error: HttpError): void },
  error: HttpError,
  { onAnswered }: ListenOptions,
): void {
  const report = onAnswered === undefined ? undefined : reporterOf(exchange, onAnswered)
  exchange.refuse(error)
  report?.()
}

function reporterOf(
  exchange: Exchange,
  onAnswered: AnsweredCallback,
  arrivedMs = performance.now(),
): () => void {
  // Read immediately: it is unreadable once the client has disconnected.
  const { remoteAddress } = exchange
  return () => {
    if (!exchange.replied && !exchange.aborted) return // It replies later; nothing here shows it.
    onAnswered(exchange, performance.now() - arrivedMs, remoteAddress)
  }
}

function failExchange(exchange: Exchange, error: unknown, onFault: ListenOptions['onFault']): void {
  if (replyError(exchange, error)) onFault(error, exchange.requestId)
}
