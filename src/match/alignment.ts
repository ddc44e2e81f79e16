import { CODES, FOLDED, GAP_STRONG, GAPS, isDigit, isLetter } from './codes.js'
import { COST, CUT_OFF_COST, FORBIDDEN } from './costs.js'
import { TRUNCATED_LEFT_MIN, TRUNCATED_MAX } from './distance.js'
import { endCost, GAP_COST, headSkipCost, startCost } from './edges.js'
import {
  CONFLICT,
  costOneSided,
  isGroupAt,
  isReadable,
  type OneSided,
  oneSided,
  REPLACE_COST,
} from './edits.js'
import type { ReferenceUnit } from './units.js'

/** A field's compact form within a larger array, and the part of it that is looked at. */
export interface FieldStretch {
  codes: Uint8Array
  gaps: Uint8Array
  fieldFrom: number
  fieldTo: number
  from: number
  to: number
}

/**
 * Memory that alignments are made in; grows with the largest.
 *
 *   FIELD     HOLDS
 *   costs     row * width + column -> the cost of the first codes of the unit, as many as the row
 *             says, against codes that end before the column
 *   steps     the same -> the last step of the way there, a STEP
 *   more      column -> what the code of the field before it costs when it is not wanted
 *   groups    column -> 1 where a group of digits begins
 *   readable  column -> 1 where the code before it may be a digit that was misread
 *   skips     column -> what it costs to begin there without the letters of the unit's head
 */
export interface AlignmentSpace {
  costs: Int32Array
  steps: Uint8Array
  more: OneSided
  groups: Uint8Array
  readable: Uint8Array
  skips: Int32Array
}

/**
 * The cheapest alignment of a reference unit with a stretch of a field.
 *
 *   FIELD       HOLDS
 *   cost        sum of its steps and edges; FORBIDDEN or more when there is none
 *   to          where the codes that it covers end
 *   cut         codes of the unit that the end of the field has cut off
 */
export interface Alignment {
  cost: number
  to: number
  cut: number
}

export const STEP_START = 1
export const STEP_REPLACE = 2
export const STEP_SWAP = 3
export const STEP_LESS = 4
export const STEP_MORE = 5
export const STEP_SKIP_HEAD = 6
/** As STEP_LESS, before the first code of the field that is covered. */
export const STEP_LESS_FIRST = 7

/** Memory for alignments. */
export function alignmentSpace(): AlignmentSpace {
  return {
    costs: new Int32Array(0),
    steps: new Uint8Array(0),
    more: oneSided(0),
    groups: new Uint8Array(0),
    readable: new Uint8Array(0),
    skips: new Int32Array(0),
  }
}

/** Aligns a unit with the stretch. @param found is written, and `space` as it says */
export function align(
  unit: ReferenceUnit,
  field: FieldStretch,
  space: AlignmentSpace,
  found: Alignment,
): void {
  const width = field.to - field.from + 1
  makeRoom(space, width, (unit.length + 1) * width)
  measureColumns(unit, field, space, width)
  for (let row = 1; row <= unit.length; row++) alignRow(unit, field, space, width, row)
  chooseEnd(unit, field, space, width, found)
}

function makeRoom(space: AlignmentSpace, width: number, size: number): void {
  if (space.costs.length < size) {
    space.costs = new Int32Array(2 * size)
    space.steps = new Uint8Array(2 * size)
  }
  if (space.groups.length < width) {
    space.more = oneSided(2 * width)
    space.groups = new Uint8Array(2 * width)
    space.readable = new Uint8Array(2 * width)
    space.skips = new Int32Array(2 * width)
  }
}

function measureColumns(
  unit: ReferenceUnit,
  field: FieldStretch,
  { costs, steps, more, groups, readable, skips }: AlignmentSpace,
  width: number,
): void {
  costOneSided(field, unit, more)
  for (let column = 0; column < width; column++) {
    const at = field.from + column
    costs[column] = startCost(field, at)
    steps[column] = STEP_START
    groups[column] = isGroupAt(field, at)
    readable[column] = column > 0 && isReadable(field, at - 1) ? 1 : 0
    if (unit.head > 0) skips[column] = headSkipCost(unit, field, at)
  }
}

function alignRow(
  unit: ReferenceUnit,
  { codes, gaps, from }: FieldStretch,
  { costs, steps, more, groups, readable, skips }: AlignmentSpace,
  width: number,
  row: number,
): void {
  const { visible, conflict } = unit
  const wanted = unit.codes[row - 1]! // 1 <= row <= unit.length
  const wantedBefore = row > 1 ? unit.codes[row - 2]! : wanted
  const isWantedLetter = isLetter(wanted)
  const wantedGap = unit.gaps[row - 1]!
  const isAfterHead = unit.head > 0 && row === unit.head + 1
  const isAtGroup = isGroupAt(unit, row) === 1 || row === unit.length
  const moreCosts = isAtGroup ? more.atGroup : more.elsewhere
  const isInNumber = row < unit.length && isDigit(wanted) && isDigit(unit.codes[row]!)
  const lessAtGroup = unit.less.atGroup[row - 1]!
  const lessElsewhere = unit.less.elsewhere[row - 1]!
  const here = row * width
  // Every index below is within the rows up to this one, or within the field.
  for (let column = 0; column < width; column++) {
    const above = here - width + column
    let best = costs[above]! + (groups[column] === 1 ? lessAtGroup : lessElsewhere)
    let step = isBeginning(steps[above]!) ? STEP_LESS_FIRST : STEP_LESS
    // A head is not left out letter by letter.
    if (row === unit.head && step === STEP_LESS_FIRST) best = FORBIDDEN
    if (column > 0) {
      const code = codes[from + column - 1]! & visible
      const gap = gaps[from + column - 1]!
      const cost = REPLACE_COST[wanted * CODES + code]!
      const isMisread = cost !== COST.lookAlike || isWantedLetter || readable[column] === 1
      const replaced = cost === CONFLICT || !isMisread ? conflict : cost
      const isFirst = isBeginning(steps[above - 1]!)
      const byReplace =
        costs[above - 1]! + replaced + (isFirst ? 0 : GAP_COST[wantedGap * GAPS + gap]!)
      if (byReplace <= best) {
        best = byReplace
        step = STEP_REPLACE
      }
      if (isAfterHead && skips[column - 1]! + replaced <= best) {
        best = skips[column - 1]! + replaced
        step = STEP_SKIP_HEAD
      }
      if (row > 1 && column > 1 && wanted !== wantedBefore && gap < GAP_STRONG) {
        const before = codes[from + column - 2]! & visible
        if (FOLDED[wanted] === FOLDED[before] && FOLDED[wantedBefore] === FOLDED[code]) {
          const isLetters = isLetter(wanted) && isLetter(wantedBefore)
          const swap = isLetters ? COST.otherLetter : conflict
          const bySwap = costs[above - width - 2]! + swap
          if (bySwap < best) {
            best = bySwap
            step = STEP_SWAP
          }
        }
      }
      const letterCost = isInNumber ? more.inNumber[column - 1]! : 0
      const moreCost = letterCost > 0 ? letterCost : moreCosts[column - 1]!
      const byMore = costs[here + column - 1]! + moreCost
      if (byMore < best) {
        best = byMore
        step = STEP_MORE
      }
    }
    costs[here + column] = best
    steps[here + column] = step
  }
}

function isBeginning(step: number): boolean {
  return step === STEP_START || step === STEP_LESS_FIRST
}

function chooseEnd(
  unit: ReferenceUnit,
  field: FieldStretch,
  { costs }: AlignmentSpace,
  width: number,
  found: Alignment,
): void {
  const length = unit.codes.length
  found.cost = FORBIDDEN
  for (let column = 1; column < width; column++) {
    const sum = costs[length * width + column]! + endCost(field, field.from + column)
    if (sum < found.cost) {
      found.cost = sum
      found.to = field.from + column
      found.cut = 0
    }
  }
  if (field.to < field.fieldTo) return
  for (let cut = 1; cut <= TRUNCATED_MAX && unit.telling - cut >= TRUNCATED_LEFT_MIN; cut++) {
    const sum = costs[(length - cut) * width + width - 1]! + CUT_OFF_COST[cut]!
    if (sum < found.cost) {
      found.cost = sum
      found.to = field.to
      found.cut = cut
    }
  }
}
