import { textOf } from './chunks.js'
import { type CodeSpan, GAP_JOINING, GAP_NONE, isDigit } from './codes.js'
import { STEP_MAX } from './lists.js'

/** Where the digits that begin at a code end. */
export function digitsEnd({ codes, gaps, to }: CodeSpan, begin: number): number {
  let end = begin + 1
  while (end < to && gaps[end] === GAP_NONE && isDigit(codes[end]!)) end += 1
  return end
}

/** Where the digits that end before a code begin. */
export function digitsBegin({ codes, gaps, from }: CodeSpan, end: number): number {
  let begin = end - 1
  while (begin > from && gaps[begin] === GAP_NONE && isDigit(codes[begin - 1]!)) begin -= 1
  return begin
}

/** Minimum digits that the first groups of two numbers have in common, and groups between them. */
const SHARED_LENGTH = 4
const GROUPS_BETWEEN_MAX = 2

/**
 * Whether a joining character divides two numbers that begin alike, not the groups of one:
 * 201407-323/201407-322. Digits stand on both sides of it.
 */
export function isNumberAfterNumber(field: CodeSpan, at: number): boolean {
  const { codes, gaps, from, to } = field
  const end = digitsEnd(field, at)
  const hasGroups = end < to && gaps[end] === GAP_JOINING && isDigit(codes[end]!)
  if (end - at < SHARED_LENGTH || !hasGroups) return false
  let first = digitsBegin(field, at)
  for (let between = 0; between < GROUPS_BETWEEN_MAX; between++) {
    const isGroup = first > from && gaps[first]! <= GAP_JOINING && isDigit(codes[first - 1]!)
    if (!isGroup) return false
    const last = first
    first = digitsBegin(field, last)
    if (last - first !== end - at) continue
    let shared = 0
    while (shared < SHARED_LENGTH && codes[first + shared] === codes[at + shared]) shared += 1
    if (shared === SHARED_LENGTH) return true
  }
  return false
}

const YEAR = /^(?:19|20)\d\d$/
/** Maximum digits of a number of a range; more are no exact number. */
const RANGE_LENGTH_MAX = 15

/** Whether digits are the end of a range that the group before them begins: 1001-1005. */
export function isRangeEnd(field: CodeSpan, at: number): boolean {
  const { codes, from } = field
  if (at === from || !isDigit(codes[at - 1]!)) return false
  const end = digitsEnd(field, at)
  const begin = digitsBegin(field, at)
  if (end - at !== at - begin || end - at > RANGE_LENGTH_MAX) return false
  const first = textOf(codes, begin, at)
  const step = Number(textOf(codes, at, end)) - Number(first)
  return step >= 1 && step <= STEP_MAX && !YEAR.test(first)
}
