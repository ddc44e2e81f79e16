import { ApiError, HttpError } from '../../errors.js'
import { isBusy, StoreRefusedError, StoreUnavailableError } from '../../store/store-error.js'
import type { Exchange, ResponseFields } from './exchange.js'
import { jsonFields, NO_STORE, PRIVATE } from './response-fields.js'

/** The arguments of `Exchange.reply`. */
export interface ErrorReply {
  readonly status: number
  readonly fields: ResponseFields
  readonly bytes: Uint8Array
}

/**
 * The reply of an error: its body as JSON, the fields every response has, and its own.
 * @see docs/contract/resources.md, "Error" and docs/contract.md, "Response headers"
 */
export function errorReply({ status, body, fields, isSecret }: HttpError, id: string): ErrorReply {
  return {
    status,
    fields: [...jsonFields(id, isSecret ? NO_STORE : PRIVATE), ...fields],
    bytes: Buffer.from(JSON.stringify(body)),
  }
}

/** The part of an exchange that the reply of an error depends on. */
type FailedExchange = Pick<Exchange, 'aborted' | 'signal' | 'replied' | 'requestId' | 'reply'>

/**
 * Sends the reply for a thrown error, if none was sent yet. An error that is not for callers is
 * answered with 500; its cause is only logged.
 * @returns whether the error is a fault of kontor, which is to be reported
 */
export function replyError(exchange: FailedExchange, error: unknown): boolean {
  // The client disconnected while its handler waited: no caller is left, and nothing broke.
  if (exchange.aborted && error === exchange.signal.reason) return false
  if (exchange.replied) return true
  const { requestId } = exchange
  const isLocked = isBusy(error)
  const isOfStore = error instanceof StoreUnavailableError || isLocked
  const known = isOfStore ? storeUnavailable(error, isLocked) : error
  const isFault = !(known instanceof HttpError) || known.status === 500
  const shown = isFault
    ? new ApiError(
        'internal',
        `Internal error; the log has the details under request id ${requestId}.`,
      )
    : known
  const { status, fields, bytes } = errorReply(shown, requestId)
  exchange.reply(status, fields, bytes)
  // The pulse logs an unreachable database; a lock or a refusal is only logged here.
  return isFault || isLocked || error instanceof StoreRefusedError
}

/** 503: the request may be correct, and its credential valid. */
function storeUnavailable(error: unknown, isLocked: boolean): ApiError {
  const reason = isLocked ? 'is busy' : 'is unavailable'
  const message = `The database of the service ${reason}; try again in a moment.`
  return new ApiError('store_unavailable', message, { cause: error })
}
