import { MATCH_SCORE_DECIMALS, MATCH_SCORE_MAX } from '../limits.js'
import { parameterFault, quote } from './fault.js'
import type { ThresholdParameter } from './parameter-table.js'

/** Digits with or without a point among or before them, and an exponent if any. */
const NOTATION = /^(?:(\d+)(?:\.(\d+))?|\.(\d+))(?:[eE]([+-]?\d+))?$/

/**
 * The smallest score, in 1/10,000, that is at least the number written in `text[start, end)`;
 * exact, because it is computed from the digits and never from a binary fraction near them.
 * @returns 0 to 10,000
 * @throws ApiError 400 when it is no such number or not within 0 to 1
 */
export function readThreshold(
  parameter: ThresholdParameter,
  text: string,
  start: number,
  end: number,
): number {
  const written = text.slice(start, end)
  const score = smallestScore(written)
  if (score !== undefined && score <= MATCH_SCORE_MAX) return score
  throw parameterFault(
    parameter,
    `must be a number from 0 to 1 in decimal or exponent notation, not ${quote(written)}`,
  )
}

/** @returns undefined when it is written otherwise; more than 10,000 when it is more than 1 */
function smallestScore(written: string): number | undefined {
  const [matched, whole = '', fraction = '', bare = '', exponent = '0'] =
    NOTATION.exec(written) ?? []
  if (matched === undefined) return undefined
  const decimals = fraction + bare
  const digits = (whole + decimals).replace(/^0+/, '')
  if (digits === '') return 0
  // The number is 0.DIGITS times ten to this; an exponent past all bounds only makes it infinite.
  const unitDigits = digits.length - decimals.length + Number(exponent) + MATCH_SCORE_DECIMALS
  if (unitDigits > MATCH_SCORE_DECIMALS + 1) return MATCH_SCORE_MAX + 1
  if (unitDigits <= 0) return 1
  const units = Number(digits.slice(0, unitDigits).padEnd(unitDigits, '0'))
  return /[1-9]/.test(digits.slice(unitDigits)) ? units + 1 : units
}
