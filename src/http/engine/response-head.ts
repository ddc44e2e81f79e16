import { strict as assert } from 'node:assert'
import { STATUS_CODES } from 'node:http'
import type { ResponseFields } from './exchange.js'

/** Refused in a field value: above all CR, LF and NUL, which would start another field. */
const REFUSED = /[^\t\x20-\x7e]/

/**
 * Throws an AssertionError when a value cannot be sent unchanged: neither a caller's text nor a
 * bank's may reach a field unchecked, and on `uws` no lower layer checks it.
 */
export function assertSendable(fields: ResponseFields): void {
  for (const field of fields) {
    if (!REFUSED.test(field[1])) continue
    assert.fail(`the value of ${field[0]} holds a character no field may carry`)
  }
}

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([status, phrase]) => [Number(status), `${status} ${phrase}`]),
)

/** `200 OK` for 200; the number alone for a status without a phrase. */
export function statusText(status: number): string {
  return statusLines.get(status) ?? String(status)
}

/**
 * Status and fields as one text, `200 OK\r\nName: value\r\nName: value`, without the last line
 * end. Throws as `assertSendable` does.
 */
export function headText(status: number, fields: ResponseFields): string {
  assertSendable(fields)
  let text = statusText(status)
  for (const field of fields) text += `\r\n${field[0]}: ${field[1]}`
  return text
}

/** True for a status whose response never has a body (RFC 9110, sections 15.3.5 and 15.4.5). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304
}
