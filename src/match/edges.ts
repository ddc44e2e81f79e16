import {
  type CodeSpan,
  codeOf,
  FOLDED,
  GAP_BLANK,
  GAP_DERIVED,
  GAP_JOINING,
  GAP_NONE,
  GAP_STRONG,
  GAPS,
  isDigit,
  isLetter,
  MASKED,
} from './codes.js'
import { COST, CUT_IN_QUERY_LENGTH_MIN, CUT_IN_QUERY_MIN, FORBIDDEN } from './costs.js'
import { digitsBegin, digitsEnd, isNumberAfterNumber } from './digit-groups.js'
import { STEP_MAX } from './lists.js'
import { MARK_START, START_COSTS } from './marks.js'
import type { FieldView } from './row-view.js'
import type { ReferenceUnit } from './units.js'

/** Cost of an alignment's start at a code, for the code before it. */
export function startCost({ marks, to }: FieldView, at: number): number {
  // at < to <= marks.length, and there are as many costs as marks
  return at >= to ? FORBIDDEN : START_COSTS[marks[at]! & MARK_START]!
}

/** Whether the letters that begin at a place are joined to digits after them. */
export function leadsToDigit({ codes, gaps, to }: CodeSpan, at: number): boolean {
  let next = at + 1
  while (next < to && gaps[next] === GAP_NONE && isLetter(codes[next]!)) next += 1
  return next < to && gaps[next] === GAP_NONE && isDigit(codes[next]!)
}

/** Whether all letters that begin at a place look like digits, as those of INCASSO do not. */
function areLookAlikes({ codes, gaps, to }: CodeSpan, at: number): boolean {
  let next = at
  while (next < to && (next === at || gaps[next] === GAP_NONE) && isLetter(codes[next]!)) {
    if (!isDigit(FOLDED[codes[next]!]!)) return false
    next += 1
  }
  return true
}

const MASKED_T: number = codeOf('T') | MASKED

/** Cost of an alignment's end before a code, for the code after it. */
export function endCost(field: CodeSpan, at: number): number {
  const { codes, gaps, to } = field
  if (at >= to) return 0
  const gap = gaps[at]! // at < to <= gaps.length
  if (gap === GAP_BLANK || gap >= GAP_STRONG) return 0
  const last = codes[at - 1]! // an alignment covers a code
  const next = codes[at]!
  // A time of day follows a date: 2018-03-01T11:33.
  if (next === MASKED_T) return 0
  if (gap === GAP_JOINING) {
    if (isDigit(next)) return isDigit(last) ? groupAfterCost(field, at) : 0
    return isDigit(last) ? COST.lettersAfter : 0
  }
  if (isDigit(last)) {
    if (isDigit(next)) return COST.longerNumber
    // Letters that look like digits count as such, and a later digit makes it an identifier.
    const isDigits = areLookAlikes(field, at) || leadsToDigit(field, at)
    return isDigits ? COST.insideIdentifier : COST.letterJoinedAfter
  }
  return isLetter(next) ? COST.insideWord : COST.insideIdentifier
}

/**
 * Cost of an alignment's end before a code: of a long unit that is the start of an even longer one
 * less, for the query may have it cut off.
 */
export function unitEndCost({ length }: ReferenceUnit, field: CodeSpan, at: number): number {
  const cost = endCost(field, at)
  if (cost <= COST.cutOffInQuery || length < CUT_IN_QUERY_LENGTH_MIN) return cost
  const { gaps, to } = field
  for (let i = at; i < at + CUT_IN_QUERY_MIN; i++) {
    if (i >= to || gaps[i] !== GAP_NONE) return cost
  }
  return COST.cutOffInQuery
}

const YEAR_LENGTH = 4
const MONTH_LENGTH = 6
const NUMBER_LENGTH_MIN = 3

/**
 * Cost of a digit group after it. A year, or a month, alone is not the reference that it begins:
 * 2024-0815, 202401-323.
 */
function groupAfterCost(field: CodeSpan, at: number): number {
  if (isNumberAfterNumber(field, at)) return 0
  const { codes, gaps, from } = field
  const length = digitsEnd(field, at) - at
  const first = digitsBegin(field, at)
  if (length < MONTH_LENGTH && isMonth(codes, first, at)) return COST.yearOfNumber
  if (length < NUMBER_LENGTH_MIN) return COST.groupAfter
  const isYear = at - first === YEAR_LENGTH && isCentury(codes, first)
  if (!isYear) return COST.groupAfter
  const isGroup = first > from && gaps[first] === GAP_JOINING && isDigit(codes[first - 1]!)
  const isListed = isGroup && length === YEAR_LENGTH && isNextInList(codes, first, at)
  return isListed ? COST.groupAfter : COST.yearOfNumber
}

/** Whether a group of digits begins with 19 or 20. */
function isCentury(codes: Uint8Array, first: number): boolean {
  const century = codes[first]! * 10 + codes[first + 1]! // a group of at least two digits
  return century === 19 || century === 20
}

/** Whether six digits are a year and a month: 202401. */
function isMonth(codes: Uint8Array, first: number, to: number): boolean {
  if (to - first !== MONTH_LENGTH || !isCentury(codes, first)) return false
  const month = codes[to - 2]! * 10 + codes[to - 1]!
  return month >= 1 && month <= 12
}

/** Whether four digits are slightly more than four others: 2084 and 2083 in 2022-2083/2084. */
function isNextInList(codes: Uint8Array, first: number, second: number): boolean {
  const step = numberAt(codes, second) - numberAt(codes, first)
  return step >= 1 && step <= STEP_MAX
}

function numberAt(codes: Uint8Array, from: number): number {
  let number = 0
  for (let i = from; i < from + YEAR_LENGTH; i++) number = number * 10 + FOLDED[codes[i]!]!
  return number
}

/** Cost of leaving out the letters at the head of a core and beginning at a code. */
export function headSkipCost(
  { head, conflict }: ReferenceUnit,
  field: FieldView,
  at: number,
): number {
  if (at >= field.to) return FORBIDDEN
  const gap = field.gaps[at]! // at < field.to <= gaps.length
  const isJoined = at > field.from && (gap === GAP_NONE || gap === GAP_JOINING)
  // Other letters replace them: WEB-2018-17836 is not RE-2018-17836.
  if (isJoined && isLetter(field.codes[at - 1]!)) return conflict
  const missing = COST.headMissing + (head - 1) * COST.headMissingFurther
  return missing + startCost(field, at)
}

/** Cost of a gap (column) in place of another (row), GAPS columns. */
export const GAP_COST: Int32Array = Int32Array.from({ length: GAPS * GAPS }, (_, i) =>
  gapCost((i / GAPS) | 0, i % GAPS),
)

function gapCost(wanted: number, gap: number): number {
  if (wanted === gap) return 0
  if (gap >= GAP_DERIVED) return FORBIDDEN
  if (gap === GAP_STRONG) return COST.strongGapInside
  if (wanted === GAP_NONE && gap === GAP_BLANK) return COST.blankInside
  if (wanted === GAP_NONE || gap === GAP_NONE) return COST.separatorMoreOrLess
  return COST.otherSeparator
}
