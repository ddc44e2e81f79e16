import { LEADING_ZERO } from './codes.js'
import { PRIMANOTA_PERCENT, percentOf, SCORE_MAX } from './costs.js'
import { type Comparison, KIND_NORMALIZED, KIND_WORDS, type UnitScore } from './unit-score.js'
import type { ReferenceUnit } from './units.js'

/**
 * Scores a unit in a primanota: they match when they are equal, leading zeros aside.
 * @param result out
 */
export function scorePrimanota(
  unit: ReferenceUnit,
  { field: { codes } }: Comparison,
  from: number,
  to: number,
  result: UnitScore,
): void {
  let wanted = 0
  let at = from
  while (unit.codes[wanted] === LEADING_ZERO) wanted += 1
  while (at < to && codes[at] === LEADING_ZERO) at += 1 // to <= codes.length
  const length = to - at
  let isEqual = length === unit.length - wanted
  for (let i = 0; isEqual && i < length; i++) isEqual = codes[at + i] === unit.codes[wanted + i]
  result.score = isEqual ? percentOf(SCORE_MAX, PRIMANOTA_PERCENT) : 0
  result.kind = isEqual ? KIND_NORMALIZED : KIND_WORDS
  result.agrees = false
  result.length = isEqual ? length : 0
}
