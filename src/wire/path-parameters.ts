import { ApiError } from '../errors.js'
import { compactCode, looksLikeIban } from '../iban.js'
import type { AccountIdentifier } from '../query/transaction-query.js'
import { quote } from './fault.js'
import {
  CATEGORY_ID,
  COUNTERPART_IBAN,
  IDENTIFIER,
  type PathParameter,
  SEGMENT_PATTERN,
  TRANSACTION_ID,
} from './parameter-table.js'
import { digitsValue } from './parameter-values.js'
import { decodePercent } from './percent.js'

const SEGMENT = new RegExp(SEGMENT_PATTERN)

/**
 * The workspace id of a path segment.
 * @param segment as sent, still percent-encoded
 * @returns undefined when it cannot be one: it then names no workspace, and the caller gets the 401
 *   of any unknown one
 */
export function workspaceIdOf(segment: string): string | undefined {
  if (SEGMENT.test(segment)) return segment
  const text = decodePercent(segment)
  return text !== undefined && SEGMENT.test(text) ? text : undefined
}

/**
 * The account of a path segment: digits alone are an id, any other text is an IBAN. Its existence,
 * and the validity of the IBAN, are not checked.
 * @param segment as sent, still percent-encoded
 * @throws ApiError 400
 */
export function parseIdentifier(segment: string): AccountIdentifier {
  const text = decoded(IDENTIFIER, segment)
  if (ONLY_DIGITS.test(text)) return { accountId: resourceId(IDENTIFIER, text) }
  if (!SEGMENT.test(text)) {
    throw segmentFault(
      IDENTIFIER,
      `must be an account id or an IBAN of letters and digits without spaces, not ${quote(text)}`,
    )
  }
  return { iban: text.toUpperCase() }
}

const ONLY_DIGITS = /^\d+$/

/** @param segment as sent   @returns a positive safe integer   @throws ApiError 400 */
export function parseTransactionId(segment: string): number {
  return resourceId(TRANSACTION_ID, decoded(TRANSACTION_ID, segment))
}

/** @param segment as sent   @returns a positive safe integer   @throws ApiError 400 */
export function parseCategoryId(segment: string): number {
  return resourceId(CATEGORY_ID, decoded(CATEGORY_ID, segment))
}

/**
 * The counterpart's IBAN in upper case and without spaces. It has the shape of an IBAN; its check
 * digits are not verified, since an invalid IBAN selects no rows.
 * @param segment as sent, still percent-encoded
 * @throws ApiError 400
 */
export function parseCounterpartIban(segment: string): string {
  const text = decoded(COUNTERPART_IBAN, segment)
  const iban = ibanOf(text)
  if (iban !== undefined) return iban
  throw segmentFault(
    COUNTERPART_IBAN,
    `must be an IBAN (two letters, two digits, up to 30 letters and digits), not ${quote(text)}`,
  )
}

/** A text of the shape of an IBAN in upper case and without spaces; undefined = of another one. */
export function ibanOf(text: string): string | undefined {
  const iban = compactCode(text)
  // Checked before upper-casing: that turns letters beyond ASCII, such as ß and ı, into A to Z.
  return LETTERS_DIGITS_SPACES.test(text) && looksLikeIban(iban) ? iban : undefined
}

const LETTERS_DIGITS_SPACES = /^[A-Za-z0-9 \u00a0\u202f]*$/

function decoded(parameter: PathParameter, segment: string): string {
  const text = decodePercent(segment)
  if (text !== undefined) return text
  throw segmentFault(parameter, `is not percent-encoded UTF-8: ${quote(segment)}`)
}

function resourceId(parameter: PathParameter, text: string): number {
  const id = digitsValue(text, 0, text.length)
  if (id > 0) return id
  throw segmentFault(
    parameter,
    `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}, not ${quote(text)}`,
  )
}

function segmentFault({ name, example }: PathParameter, what: string): ApiError {
  const message = `${name} in the path ${what}; for example ${example}`
  return new ApiError('invalid_parameter', message, { fault: { name, what, example } })
}
