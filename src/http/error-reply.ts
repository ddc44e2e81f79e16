import { ERROR_STATUS, type ErrorCode } from '../errors.js'
import type { ResponseFields } from './exchange.js'

/** What `Exchange.reply` takes. */
export interface ErrorReply {
  readonly status: number
  readonly fields: ResponseFields
  readonly bytes: Uint8Array
}

/**
 * The reply an engine makes by itself: the Error body and the fields every response has.
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
