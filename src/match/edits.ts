import {
  CODES,
  codeOf,
  FOLDED,
  GAP_DERIVED,
  GAP_NONE,
  GAP_STRONG,
  isDigit,
  isLetter,
  LEADING_ZERO,
  MASKED,
} from './codes.js'
import { COST, FORBIDDEN } from './costs.js'

const LETTER_E = codeOf('E')
const UMLAUTS: readonly number[] = [codeOf('A'), codeOf('O'), codeOf('U')]

/** Stands for the cost of a conflict, which depends on the unit. */
export const CONFLICT = -1

/** What it costs that a code (column) stands where another is wanted (row), CODES columns. */
export const REPLACE_COST: Int32Array = replaceCosts()

function replaceCosts(): Int32Array {
  const costs = new Int32Array(MASKED * CODES)
  for (let wanted = 0; wanted < MASKED; wanted++) {
    for (let code = 0; code < CODES; code++) {
      costs[wanted * CODES + code] = replaceCost(wanted, code)
    }
  }
  return costs
}

function replaceCost(wanted: number, code: number): number {
  if (wanted === code) return 0
  if (code >= MASKED) return FORBIDDEN
  const areDigits = isDigit(wanted) && isDigit(code)
  if (FOLDED[wanted] === FOLDED[code]) return areDigits ? 0 : COST.lookAlike
  return isLetter(wanted) && isLetter(code) ? COST.otherLetter : CONFLICT
}

/**
 * What it costs that a code is there on one side only.
 *
 *   FIELD         HOLDS
 *   atGroup       place -> its cost where the other side goes on with a new group of digits
 *   elsewhere     place -> its cost elsewhere
 *   inNumber      place -> its cost between two digits of the other side if it is a letter, else 0
 */
export interface OneSided {
  atGroup: Int32Array
  elsewhere: Int32Array
  inNumber: Int32Array
}

/** Memory for the costs of so many codes. */
export function oneSided(length: number): OneSided {
  return {
    atGroup: new Int32Array(length),
    elsewhere: new Int32Array(length),
    inNumber: new Int32Array(length),
  }
}

/** What depends on the length of a core (costs.ts). */
export interface OneSidedCosts {
  readonly conflict: number
  readonly padding: number
}

/**
 * Writes the costs of codes from one place to before another, the first of them at 0: a leading
 * zero is cheap where a group begins on both sides, an E after A, O or U is an umlaut.
 * @param begin where the field or core begins; nothing before it counts
 */
export function costOneSided(
  { codes, gaps, fieldFrom: begin, from, to, fieldTo: end }: Placed,
  { conflict, padding }: OneSidedCosts,
  { atGroup, elsewhere, inNumber }: OneSided,
): void {
  for (let at = from; at < to; at++) {
    const code = codes[at]! // to <= end <= codes.length
    const gap = at === begin ? GAP_NONE : gaps[at]!
    let near: number = conflict
    let far: number = conflict
    let within = 0
    if (code >= MASKED || gap === GAP_DERIVED) {
      near = FORBIDDEN
      far = FORBIDDEN
    } else if (isLetter(code) && !isReadAsDigit(codes, gaps, begin, end, at)) {
      const isUmlaut = code === LETTER_E && at > begin && UMLAUTS.includes(codes[at - 1]!)
      near = isUmlaut ? COST.umlautSpelling : COST.letterMoreOrLess
      far = near
      within = conflict
    } else if (code === LEADING_ZERO) {
      near = COST.leadingZero
      far = at === begin ? near : padding
    } else if (code === 0 && at + 1 < end && gaps[at + 1] === GAP_NONE && isDigit(codes[at + 1]!)) {
      near = padding
    }
    const strong = gap === GAP_STRONG ? COST.strongGapInside : 0
    atGroup[at - from] = near + strong
    elsewhere[at - from] = far + strong
    inNumber[at - from] = within === 0 ? 0 : within + strong
  }
}

/**
 * Whether a letter of a field may be a digit that was misread: it is joined to a digit, or all
 * letters of its run look like digits. The L of DEL is none.
 */
export function isReadable(
  { codes, gaps, fieldFrom, fieldTo }: Omit<Placed, 'from' | 'to'>,
  at: number,
): boolean {
  if (!isLetter(codes[at]!)) return true // fieldFrom <= at < fieldTo <= codes.length
  if (isReadAsDigit(codes, gaps, fieldFrom, fieldTo, at)) return true
  let from = at
  while (from > fieldFrom && gaps[from] === GAP_NONE && isLetter(codes[from - 1]!)) from -= 1
  for (let i = from; i < fieldTo && isLetter(codes[i]!); i++) {
    if (i > at && gaps[i] !== GAP_NONE) break
    if (!isDigit(FOLDED[codes[i]!]!)) return false
  }
  return true
}

/** Whether a letter looks like a digit and is joined to one: the I of 1I5. */
export function isReadAsDigit(
  codes: Uint8Array,
  gaps: Uint8Array,
  begin: number,
  end: number,
  at: number,
): boolean {
  if (!isDigit(FOLDED[codes[at]!]!)) return false // begin <= at < end <= codes.length
  const isAfter = at > begin && gaps[at] === GAP_NONE && isDigit(codes[at - 1]!)
  return isAfter || (at + 1 < end && gaps[at + 1] === GAP_NONE && isDigit(codes[at + 1]!))
}

/** A stretch of a field or a core. */
export interface Placed {
  readonly codes: Uint8Array
  readonly gaps: Uint8Array
  readonly fieldFrom: number
  readonly fieldTo: number
  readonly from: number
  readonly to: number
}

/** Whether a group of digits begins at a place, or the field ends there: 1, else 0. */
export function isGroupAt(
  { codes, gaps, fieldFrom, fieldTo }: Omit<Placed, 'from' | 'to'>,
  at: number,
): 0 | 1 {
  if (at >= fieldTo || !isDigit(codes[at]!)) return 0 // fieldTo <= codes.length
  return at === fieldFrom || gaps[at] !== GAP_NONE || !isDigit(codes[at - 1]!) ? 1 : 0
}
