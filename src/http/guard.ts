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
    if (pending === undefined) return
    pending
      .then(() =>
        assert(exchange.replied || exchange.aborted, 'the answer settled without a reply'),
      )
      .catch((error: unknown) => failExchange(exchange, error, onFault))
  } catch (error) {
    failExchange(exchange, error, onFault)
  }
}

/** Replies what `error` deserves, if nothing was replied yet, and reports it when it is ours. */
function failExchange(exchange: Exchange, error: unknown, onFault: ListenOptions['onFault']): void {
  // The client went while the answer waited for it: nobody is left to be told, and nothing broke.
  if (exchange.aborted && error === exchange.signal.reason) return
  const expected = error instanceof ApiError && error.code !== 'internal'
  if (!exchange.replied) {
    const { requestId } = exchange
    const { status, fields, bytes } = expected
      ? errorReply(error.code, error.message, requestId)
      : errorReply('internal', `Something went wrong here; quote request ${requestId}.`, requestId)
    exchange.reply(status, fields, bytes)
    if (expected) return
  }
  onFault(error, exchange.requestId)
}
