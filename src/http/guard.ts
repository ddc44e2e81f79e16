import { strict as assert } from 'node:assert'
import { ApiError } from '../errors.js'
import { errorReply } from './error-reply.js'
import type { AnsweredCallback, Exchange, ListenOptions } from './exchange.js'

/**
 * Runs the answer so that whatever it does, the exchange is replied to or parked: a throw and a
 * rejection become a reply, and so does a promise that settles without one. Never throws.
 */
export function runGuarded(exchange: Exchange, options: ListenOptions): void {
  const { answer, onFault, onAnswered } = options
  const report = onAnswered === undefined ? undefined : reporterOf(exchange, onAnswered)
  try {
    const pending = answer(exchange)
    // An arrow function may return what a timer or a push does; only a promise is waited for.
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

/** Refuses a request that is not to be answered, as {@link runGuarded} answers one. */
export function refuseGuarded(
  exchange: Exchange & { refuse(error: ApiError): void },
  error: ApiError,
  { onAnswered }: ListenOptions,
): void {
  const report = onAnswered === undefined ? undefined : reporterOf(exchange, onAnswered)
  exchange.refuse(error)
  report?.()
}

function reporterOf(exchange: Exchange, onAnswered: AnsweredCallback): () => void {
  const beganMs = performance.now()
  // Read at once: it cannot be when the client has gone.
  const { remoteAddress } = exchange
  return () => {
    if (!exchange.replied && !exchange.aborted) return // It replies later, which nothing tells.
    onAnswered(exchange, performance.now() - beganMs, remoteAddress)
  }
}

function failExchange(exchange: Exchange, error: unknown, onFault: ListenOptions['onFault']): void {
  if (replyFault(exchange, error)) onFault(error, exchange.requestId)
}

/**
 * Replies what `error` deserves, if nothing was replied yet.
 * @returns whether the error is a fault of ours, which is to be reported
 */
export function replyFault(exchange: Exchange, error: unknown): boolean {
  // The client went while the answer waited for it: nobody is left to be told, and nothing broke.
  if (exchange.aborted && error === exchange.signal.reason) return false
  if (exchange.replied) return true
  const expected = error instanceof ApiError && error.code !== 'internal'
  const { requestId } = exchange
  const { status, fields, bytes } = expected
    ? errorReply(error.code, error.message, requestId)
    : errorReply('internal', `Something went wrong here; quote request ${requestId}.`, requestId)
  exchange.reply(status, fields, bytes)
  return !expected
}
