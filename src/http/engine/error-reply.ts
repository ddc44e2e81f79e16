import { ERROR_STATUS, type ErrorCode } from '../../errors.js'
import type { ResponseFields } from './exchange.js'

/** The arguments of `Exchange.reply`. */
export interface ErrorReply {
  readonly status: number
  readonly fields: ResponseFields
  readonly bytes: Uint8Array
}

/**
 * The reply that an engine sends without a handler: the Error body and the fields every response
 * has.
 * @param message one sentence for the caller; never the cause of an `internal`
 * @see docs/contract/resources.md, "Error" and docs/contract.md, "Response headers"
 */
export function errorReply(code: ErrorCode, message: string, requestId: string): ErrorReply {
  return {
    status: ERROR_STATUS[code],
    fields: [
      ['Content-Type', 'application/json'],
      ['X-Request-Id', requestId],
      ['Cache-Control', 'private, no-cache'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    bytes: Buffer.from(JSON.stringify({ error: code, message })),
  }
}
