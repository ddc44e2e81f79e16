import { randomBytes } from 'node:crypto'
import { REQUEST_ID_LENGTH_MAX } from '../../limits.js'

const USABLE = new RegExp(`^[\\x21-\\x7e]{1,${REQUEST_ID_LENGTH_MAX}}$`)

// A random start for the process and a counter distinguish requests for 50 ns; ids are names in
// logs, never secrets, so guessing the next one gains nothing.
const processPrefix = `${randomBytes(9).toString('base64url')}-`
let madeCount = 0

/**
 * The id of a request in its reply and in the log.
 * @param sent the request's X-Request-Id, `''` when absent
 * @returns `sent` when it is 1 to 128 visible ASCII characters, else an id no other request has
 * @see docs/contract.md, "Response headers"
 */
export function requestIdOf(sent: string): string {
  if (sent !== '' && USABLE.test(sent)) return sent
  madeCount++
  return processPrefix + madeCount
}
