import {
  type CodeSpan,
  GAP_BLANK,
  GAP_JOINING,
  GAP_NONE,
  GAP_STRONG,
  isDigit,
  isLetter,
  LEADING_ZERO,
} from './codes.js'
import { COST } from './costs.js'
import { isNumberAfterNumber } from './digit-groups.js'
import { isGroupAt, isReadAsDigit, isReadable, sideOf } from './edits.js'

/**
 * Properties of each code of a field that alignments need, computed once, because they depend on
 * the field alone.
 *
 *   BITS     HOLD
 *   0 to 2   cost of a start there: index in {@link START_COSTS}; START_FIELD = the field
 *            begins there
 *   3        1 = a group of digits begins there
 *   4        1 = it is no misread digit
 *   5 to 7   kind of cost when it is not wanted: a SIDE (edits.ts)
 */
export const MARK_START = 7
export const MARK_GROUP = 8
export const MARK_UNREADABLE = 16
export const MARK_SIDE_SHIFT = 5
/** Turns MARK_UNREADABLE into UNREADABLE (edits.ts). */
export const MARK_UNREADABLE_SHIFT = 3

/** A code that a field begins with. */
export const START_FIELD = 7

/** Costs of an alignment's start at a code, for the code before it. */
export const START_COSTS: Int32Array = Int32Array.of(
  0,
  COST.groupBefore,
  COST.longerNumber,
  COST.insideIdentifier,
  COST.insideWord,
  COST.zerosBefore,
  COST.zerosBefore + COST.groupBefore,
  0,
)

/** Writes the marks of a field. @param marks out: as long as the arrays of the field */
export function markField(field: CodeSpan, marks: Uint8Array): void {
  for (let at = field.from; at < field.to; at++) {
    const start = at === field.from ? START_FIELD : START_COSTS.indexOf(startCostAt(field, at))
    const group = isGroupAt(field, at) ? MARK_GROUP : 0
    const unreadable = isReadable(field, at) ? 0 : MARK_UNREADABLE
    marks[at] = start | group | unreadable | (sideOf(field, at) << MARK_SIDE_SHIFT)
  }
}

/** The cost of beginning at a code that is not the first. */
function startCostAt(field: CodeSpan, at: number): number {
  const { codes, gaps } = field
  const gap = gaps[at]! // at < field.to <= gaps.length
  if (gap === GAP_BLANK || gap >= GAP_STRONG) return 0
  const before = codes[at - 1]! // field.from < at
  const first = codes[at]!
  if (gap === GAP_JOINING) {
    const isGroup = isDigit(before) && isDigit(first) && !isNumberAfterNumber(field, at)
    return isGroup ? COST.groupBefore : 0
  }
  if (isDigit(first)) {
    if (before === LEADING_ZERO) return headZeroCost(field, at - 1)
    if (isDigit(before)) return COST.longerNumber
    return isInsideIdentifier(field, at - 1) ? COST.insideIdentifier : 0
  }
  if (isDigit(before)) return COST.digitJoinedBefore
  // The L of FIL6017 is no 1.
  if (isReadAsDigit(field, at)) return COST.insideIdentifier
  return COST.insideWord
}

/** Whether the letters up to a code are joined to digits before them: the X of J78X3. */
function isInsideIdentifier({ codes, gaps, from }: CodeSpan, letter: number): boolean {
  let at = letter
  while (at > from && gaps[at] === GAP_NONE && isLetter(codes[at - 1]!)) at -= 1
  return at > from && gaps[at] === GAP_NONE && isDigit(codes[at - 1]!)
}

/** Cost of leading zeros up to a code, and of a group that they are joined to. */
function headZeroCost({ codes, gaps, from }: CodeSpan, zero: number): number {
  let head = zero
  while (head > from && gaps[head] === GAP_NONE && codes[head - 1] === LEADING_ZERO) head -= 1
  const isJoined = head > from && gaps[head] === GAP_JOINING && isDigit(codes[head - 1]!)
  return isJoined ? COST.zerosBefore + COST.groupBefore : COST.zerosBefore
}
