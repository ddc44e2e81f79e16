import type { AnsweredCallback } from '../http/engine/exchange.js'
import type { Log } from './log.js'

/** Any other method is the caller's own text, which may be anything. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Status of a request whose client disconnected before the reply, as in nginx. */
const CLIENT_GONE_STATUS = 499

/**
 * Logs each answered request in one line, with kontor's own knowledge of it: nothing of path,
 * query, fields and body is copied but the request id.
 */
export function accessLogOf(log: Log): AnsweredCallback {
  return (exchange, durationMs, address) => {
    const { method, operation, status, bodyBytes, credential, requestId, aborted } = exchange
    log('info', 'access', 'request', {
      method: METHODS.has(method) ? method : 'other',
      operation,
      status: status === 0 ? CLIENT_GONE_STATUS : status,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      bytes: bodyBytes,
      credentialId: credential?.credentialId,
      workspaceId: credential?.workspaceId,
      address: address === '' ? undefined : address,
      requestId,
      aborted: aborted ? true : undefined,
    })
  }
}
