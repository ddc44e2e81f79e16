import {
  CODES,
  type CodeSpan,
  codeOf,
  FOLDED,
  GAP_DERIVED,
  GAP_NONE,
  isDigit,
  isLetter,
  LEADING_ZERO,
  MASKED,
} from './codes.js'
import { COST, FORBIDDEN } from './costs.js'

const LETTER_E = codeOf('E')
const UMLAUTS: readonly number[] = [codeOf('A'), codeOf('O'), codeOf('U')]

/** Added to the code of a letter that is no misread digit ({@link isReadable}). */
const UNREADABLE = CODES

/**
 * Costs of a code in place of another: wanted * 2 * CODES + the code, with UNREADABLE added or not,
 * -> its cost.
 * @param conflict cost of a numeric conflict
 * @param unreadable cost of a letter in place of a digit that it is no misread one of
 */
export function replaceCosts(conflict: number, unreadable: number): Int32Array {
  const key = conflict * FORBIDDEN + unreadable
  const known = REPLACE_COSTS.get(key)
  if (known !== undefined) return known
  const costs = new Int32Array(MASKED * 2 * CODES)
  for (let wanted = 0; wanted < MASKED; wanted++) {
    for (let code = 0; code < CODES; code++) {
      const cost = replaceCost(wanted, code, conflict)
      const isLookAlike = cost === COST.lookAlike && !isLetter(wanted)
      costs[wanted * 2 * CODES + code] = cost
      costs[wanted * 2 * CODES + code + UNREADABLE] = isLookAlike ? unreadable : cost
    }
  }
  REPLACE_COSTS.set(key, costs)
  return costs
}

/** One table per cost of a conflict and of an unreadable letter. */
const REPLACE_COSTS = new Map<number, Int32Array>()

function replaceCost(wanted: number, code: number, conflict: number): number {
  if (wanted === code) return 0
  if (code >= MASKED) return FORBIDDEN
  const areDigits = isDigit(wanted) && isDigit(code)
  if (FOLDED[wanted] === FOLDED[code]) return areDigits ? 0 : COST.lookAlike
  return isLetter(wanted) && isLetter(code) ? COST.otherLetter : conflict
}

/**
 * Kind of a code that is on one side only, which decides its cost:
 *
 *   SIDE              THE CODE IS
 *   SIDE_CONFLICT     any that is none of the others
 *   SIDE_NEVER        masked, or the first of a written-out member
 *   SIDE_LETTER       a letter that was not misread
 *   SIDE_UMLAUT       an E after A, O or U
 *   SIDE_ZERO         a leading zero
 *   SIDE_FIRST_ZERO   one that the field or core begins with
 *   SIDE_YEAR_ZERO    one of the group after a year: 2024-0815
 *   SIDE_PADDING      a zero after a year, leading on the other side only, a digit after it
 */
const SIDE_CONFLICT = 0
const SIDE_NEVER = 1
const SIDE_LETTER = 2
const SIDE_UMLAUT = 3
const SIDE_ZERO = 4
const SIDE_FIRST_ZERO = 5
const SIDE_PADDING = 6
const SIDE_YEAR_ZERO = 7
const SIDES = 8

/** Added to a SIDE: the other side does not continue with a new group of digits there. */
export const ELSEWHERE = SIDES
/** Added to a SIDE as well: the code is between two digits of the other side. */
export const IN_NUMBER = 2 * SIDES

/** The SIDE of a code of a field or core. */
export function sideOf(span: CodeSpan, at: number): number {
  const { codes, gaps, from, to } = span
  const code = codes[at]! // from <= at < to <= codes.length
  if (code >= MASKED || (at > from && gaps[at]! >= GAP_DERIVED)) return SIDE_NEVER
  if (isLetter(code)) {
    if (isReadAsDigit(span, at)) return SIDE_CONFLICT
    const isUmlaut = code === LETTER_E && at > from && UMLAUTS.includes(codes[at - 1]!)
    return isUmlaut ? SIDE_UMLAUT : SIDE_LETTER
  }
  if (code === LEADING_ZERO) {
    if (at === from) return SIDE_FIRST_ZERO
    return isAfterYear(span, at) ? SIDE_YEAR_ZERO : SIDE_ZERO
  }
  const isJoined = code === 0 && at + 1 < to && gaps[at + 1] === GAP_NONE
  const isPadding = isJoined && isDigit(codes[at + 1]!) && isAfterYear(span, at)
  return isPadding ? SIDE_PADDING : SIDE_CONFLICT
}

const YEAR_LENGTH = 4

/** Whether a year 19xx or 20xx stands before a zero, and zeros alone between them. */
function isAfterYear(span: CodeSpan, zero: number): boolean {
  const { codes, gaps, from } = span
  for (let to = zero; to > from; to--) {
    if (isYearBefore({ codes, gaps, from, to })) return true
    const before = codes[to - 1]! // from < to
    const isZero = gaps[to] === GAP_NONE && (before === 0 || before === LEADING_ZERO)
    if (!isZero || zero - to === YEAR_LENGTH) break
  }
  return false
}

/** Whether a span ends with a year, no digit joined before it. */
function isYearBefore({ codes, gaps, from, to }: CodeSpan): boolean {
  const first = to - YEAR_LENGTH
  if (first < from) return false
  for (let i = first; i < to; i++) {
    if (codes[i]! > 9 || (i > first && gaps[i] !== GAP_NONE)) return false
  }
  const century = codes[first]! * 10 + codes[first + 1]! // first + 1 < to
  if (century !== 19 && century !== 20) return false
  return first === from || gaps[first] !== GAP_NONE || !isDigit(codes[first - 1]!)
}

/** Costs that depend on the length of a core (costs.ts). */
export interface OneSidedCosts {
  readonly conflict: number
  readonly padding: number
}

/**
 * Costs of a code that is on one side only: its SIDE, with ELSEWHERE and IN_NUMBER added or not, ->
 * its cost. A leading zero is cheap where a group begins on both sides.
 */
export function oneSidedCosts({ conflict, padding }: OneSidedCosts): Int32Array {
  const costs = new Int32Array(4 * SIDES).fill(conflict)
  for (let from = 0; from < costs.length; from += SIDES) {
    const isElsewhere = (from & ELSEWHERE) !== 0
    const isInNumber = (from & IN_NUMBER) !== 0
    costs[from + SIDE_NEVER] = FORBIDDEN
    costs[from + SIDE_LETTER] = isInNumber ? conflict : COST.letterMoreOrLess
    costs[from + SIDE_UMLAUT] = isInNumber ? conflict : COST.umlautSpelling
    costs[from + SIDE_ZERO] = isElsewhere ? conflict : COST.leadingZero
    costs[from + SIDE_YEAR_ZERO] = isElsewhere ? padding : COST.leadingZero
    costs[from + SIDE_FIRST_ZERO] = COST.leadingZero
    costs[from + SIDE_PADDING] = isElsewhere ? conflict : padding
  }
  return costs
}

/**
 * Whether a letter of a field may be a misread digit: it is joined to a digit, or all letters of
 * its run look like digits. The L of DEL is none.
 */
export function isReadable(span: CodeSpan, at: number): boolean {
  const { codes, gaps, from, to } = span
  if (!isLetter(codes[at]!)) return true // from <= at < to <= codes.length
  if (isReadAsDigit(span, at)) return true
  let first = at
  while (first > from && gaps[first] === GAP_NONE && isLetter(codes[first - 1]!)) first -= 1
  for (let i = first; i < to && isLetter(codes[i]!); i++) {
    if (i > at && gaps[i] !== GAP_NONE) break
    if (!isDigit(FOLDED[codes[i]!]!)) return false
  }
  return true
}

/** Whether a letter looks like a digit and is joined to one: the I of 1I5. */
export function isReadAsDigit({ codes, gaps, from, to }: CodeSpan, at: number): boolean {
  if (!isDigit(FOLDED[codes[at]!]!)) return false // from <= at < to <= codes.length
  const isAfter = at > from && gaps[at] === GAP_NONE && isDigit(codes[at - 1]!)
  return isAfter || (at + 1 < to && gaps[at + 1] === GAP_NONE && isDigit(codes[at + 1]!))
}

/** Whether a group of digits begins at a place; none begins at the span's end. */
export function isGroupAt({ codes, gaps, from, to }: CodeSpan, at: number): boolean {
  const plain = (i: number): number => codes[i]! & ~MASKED // from <= i < to <= codes.length
  if (at >= to || !isDigit(plain(at))) return false
  return at === from || gaps[at] !== GAP_NONE || !isDigit(plain(at - 1))
}
