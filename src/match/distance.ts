import { CODES, LEADING_ZERO } from './codes.js'

/**
 * Where a pattern is found in a field.
 *
 *   FIELD     HOLDS
 *   first     code at which the first place within the edits ends, -1 = none
 *   last      code at which the last one ends
 *   atEnd     whether the field ends with all but 1 to 3 codes of the pattern
 */
export interface Found {
  first: number
  last: number
  atEnd: boolean
}

/** Codes that the end of a field may have cut off. */
export const TRUNCATED_MAX = 3

/** Codes that are left of what was cut off at least. */
export const TRUNCATED_LEFT_MIN = 6

/**
 * Finds the places where a field is a pattern with at most so many edits: a code put in, left out,
 * replaced, or swapped with its neighbour. Codes that look alike are equal. Leading zeros are not
 * there; where that finds nothing, they are zeros like any other, as 20240816 written 2024-0816 has
 * them.
 * @param pattern code -> bits of the places that the code equals; `length` of them
 * @param found is written
 */
export function findWithin(
  sought: Pattern,
  codes: Uint8Array,
  from: number,
  to: number,
  found: Found,
): void {
  search(sought, codes, from, to, LEFT_OUT, found)
  const isFound = found.first >= 0 || found.atEnd
  if (isFound || sought.pattern[ZERO] === 0) return
  if (hasLeadingZero(codes, from, to)) search(sought, codes, from, to, ZERO, found)
}

/** The code of a zero, and of no code at all. */
const ZERO = 0
const LEFT_OUT = -1

function hasLeadingZero(codes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (codes[i] === LEADING_ZERO) return true
  return false
}

/**
 * Bit-parallel: Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit
 * distances", searching.
 * @param zeroAs what a leading zero is
 */
function search(
  { pattern, patternLength, editsMax }: Pattern,
  codes: Uint8Array,
  from: number,
  to: number,
  zeroAs: number,
  found: Found,
): void {
  let positive = -1
  let negative = 0
  let diagonal = -1
  let matchesBefore = 0
  let edits = patternLength
  const lastBit = 1 << (patternLength - 1)
  found.first = -1
  found.last = -1
  found.atEnd = false
  for (let i = from; i < to; i++) {
    const said = codes[i]! // to <= codes.length
    const code = said === LEADING_ZERO ? zeroAs : said
    if (code === LEFT_OUT) continue
    const matches = pattern[code & (CODES - 1)]! // pattern has CODES entries
    const swapped = ((~diagonal & matches) << 1) & matchesBefore
    diagonal = (((matches & positive) + positive) ^ positive) | matches | negative | swapped
    const up = negative | ~(diagonal | positive)
    const down = diagonal & positive
    if ((up & lastBit) !== 0) edits += 1
    else if ((down & lastBit) !== 0) edits -= 1
    positive = (down << 1) | ~(diagonal | (up << 1))
    negative = (up << 1) & diagonal
    matchesBefore = matches
    if (edits <= editsMax) {
      if (found.first < 0) found.first = i
      found.last = i
    }
  }
  found.atEnd = isCutOff(patternLength, edits, positive, negative)
}

/** What {@link findWithin} needs of a reference unit. */
export interface Pattern {
  readonly pattern: Int32Array
  readonly patternLength: number
  readonly editsMax: number
}

/** The last column, read from its end: the pattern without its last codes, equal but for those. */
function isCutOff(length: number, edits: number, positive: number, negative: number): boolean {
  let left = edits
  for (let cut = 1; cut <= TRUNCATED_MAX && cut < length; cut++) {
    const bit = 1 << (length - cut)
    if ((positive & bit) !== 0) left -= 1
    else if ((negative & bit) !== 0) left += 1
    if (left === 0) return true
  }
  return false
}
