import { strict as assert } from 'node:assert'
import { ApiError } from '../errors.js'
import { errorReply } from './error-reply.js'
import type { Exchange, ListenOptions } from './exchange.js'

/**
 * Runs the answer so that whatever it does, the exchange is replied to or parked: a throw and a
 * rejection become a reply, and so does a promise that settles without one. Never throws.
 */
export function runGuarded(exchange: Exchange, { answer, onFault }: ListenOptions): void {
  try {
    const pending = answer(exchange)
    // An arrow function may return what a timer or a push does; only a promise is waited for.
    if (!(pending instanceof Promise)) return
    pending
      .then(() =>
        assert(exchange.replied || exchange.aborted, 'the answer settled without a reply'),
      )
      .catch((error: unknown) => failExchange(exchange, error, onFault))
  } catch (error) {
    failExchange(exchange, error, onFault)
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
