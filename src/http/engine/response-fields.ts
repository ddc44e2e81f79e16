import type { ResponseFields } from './exchange.js'

/** One field of a response. */
type ResponseField = ResponseFields[number]

export const NO_FIELDS: ResponseFields = []

/** Only the caller may keep the answer, and asks before each use. */
export const PRIVATE: ResponseField = ['Cache-Control', 'private, no-cache']

/** No cache keeps the answer, a browser's included. */
export const NO_STORE: ResponseField = ['Cache-Control', 'no-store']

export const JSON_TYPE: ResponseField = ['Content-Type', 'application/json']
export const HTML_TYPE: ResponseField = ['Content-Type', 'text/html; charset=utf-8']

/** The body is of its Content-Type: a browser must not guess another one. */
export const NO_SNIFF: ResponseField = ['X-Content-Type-Options', 'nosniff']

/**
 * The fields that every response has, in the order they are sent.
 * @see docs/contract.md, "Response headers"
 */
export function commonFields(
  requestId: string,
  cacheControl: ResponseField = PRIVATE,
): ResponseField[] {
  return [['X-Request-Id', requestId], cacheControl, NO_SNIFF]
}

/** Those of a response whose body is JSON. */
export function jsonFields(
  requestId: string,
  cacheControl: ResponseField = PRIVATE,
): ResponseField[] {
  return [JSON_TYPE, ['X-Request-Id', requestId], cacheControl, NO_SNIFF]
}
