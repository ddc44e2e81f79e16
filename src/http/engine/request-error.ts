import { METHODS } from 'node:http'
import { ApiError } from '../../errors.js'
import { TARGET_BYTES_MAX } from '../../limits.js'
import type { RequestHead } from './request-head.js'

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)

/**
 * The reason why a request is refused before any lookup, or undefined when it is not. A method must
 * be one that node's parser knows: newer builds of uWebSockets.js pass on any bytes. GET and HEAD
 * take no body: a request that has one is a mistake or hides a second request.
 * @param targetLength characters of path and query together
 * @see docs/contract.md, "Statuses"
 */
export function requestErrorOf(
  method: string,
  targetLength: number,
  head: RequestHead,
): ApiError | undefined {
  // The strict parser of node:http itself refuses most of these; uWS accepts them all.
  if (head.framingFault) {
    return new ApiError('invalid_request', 'The length of the request is ambiguous.')
  }
  if (method !== 'GET' && !KNOWN_METHODS.has(method)) {
    return new ApiError('invalid_request', 'The request method is unknown.')
  }
  if (head.hostCount !== 1) {
    return new ApiError('invalid_request', 'The request must have exactly one Host header.')
  }
  if (targetLength > TARGET_BYTES_MAX) {
    const message = `The request target is longer than ${TARGET_BYTES_MAX} bytes.`
    return new ApiError('uri_too_long', message)
  }
  if (head.hasBody && (method === 'GET' || method === 'HEAD')) {
    const message = `A ${method} request must not have a body; send parameters in the URL.`
    return new ApiError('invalid_request', message)
  }
  return undefined
}
