import {
  type Alignment,
  STEP_LESS,
  STEP_LESS_FIRST,
  STEP_MORE,
  STEP_REPLACE,
  STEP_SKIP_HEAD,
  STEP_START,
  STEP_SWAP,
  stepOf,
} from './alignment.js'
import { FOLDED, GAP_BLANK, GAP_NONE, isDigit, isLetter, LEADING_ZERO } from './codes.js'
import type { FieldView } from './row-view.js'
import type { ReferenceUnit } from './units.js'

/**
 * Properties of an alignment.
 *
 *   FIELD        HOLDS
 *   from         first code of the field that it covers
 *   conflicts    digits wrong, swapped, extra or missing
 *   lookAlikes   codes that only look like the wanted ones
 *   same         codes that equal the wanted ones, look-alikes aside
 *   letterEdits  letters wrong, swapped, extra or missing
 *   zeros        leading zeros extra or missing
 *   blanks       blanks inside that are not in the query
 *   parted       blanks in place of any other gap
 *   gapsDiffer   places with another gap
 *   headLetters  letters of the core's head that are present; -1 = the head was left out
 *   tailLetters  letters of the core's tail that are present
 */
export interface Trace {
  from: number
  conflicts: number
  lookAlikes: number
  same: number
  letterEdits: number
  zeros: number
  blanks: number
  parted: number
  gapsDiffer: number
  headLetters: number
  tailLetters: number
}

/** An empty trace, to be filled. */
export function emptyTrace(): Trace {
  return {
    from: 0,
    conflicts: 0,
    lookAlikes: 0,
    same: 0,
    letterEdits: 0,
    zeros: 0,
    blanks: 0,
    parted: 0,
    gapsDiffer: 0,
    headLetters: 0,
    tailLetters: 0,
  }
}

/** Follows the steps of an alignment back to its start. @param trace out */
export function traceBack(
  unit: ReferenceUnit,
  field: FieldView,
  { cells, rows, to, cut }: Alignment,
  trace: Trace,
): void {
  trace.conflicts = 0
  trace.lookAlikes = 0
  trace.same = 0
  trace.letterEdits = 0
  trace.zeros = 0
  trace.blanks = 0
  trace.parted = 0
  trace.gapsDiffer = 0
  trace.headLetters = 0
  trace.tailLetters = 0
  let row = unit.length - cut
  let column = to - field.alignFrom
  for (;;) {
    const step = stepOf(cells[rows[row]! + column]!) // the steps lead to a start within the space
    if (step === STEP_START) break
    if (step === STEP_LESS || step === STEP_LESS_FIRST) {
      countEdit(trace, unit.codes[row - 1]!)
      row -= 1
    } else if (step === STEP_MORE) {
      column -= 1
      countEdit(trace, field.codes[field.alignFrom + column]!)
    } else if (step === STEP_SWAP) {
      countSwap(trace, unit.codes[row - 1]!, unit.codes[row - 2]!)
      row -= 2
      column -= 2
    } else {
      row -= 1
      column -= 1
      countReplaced(unit, row, field.codes[field.alignFrom + column]! & unit.visible, trace)
      if (step === STEP_SKIP_HEAD) {
        trace.headLetters = -1
        break
      }
      const before = stepOf(cells[rows[row]! + column]!)
      const isFirst = before === STEP_START || before === STEP_LESS_FIRST
      if (step === STEP_REPLACE && !isFirst) {
        countGap(trace, unit.gaps[row]!, field.gaps[field.alignFrom + column]!)
      }
    }
  }
  trace.from = field.alignFrom + column
}

function countEdit(trace: Trace, code: number): void {
  if (isLetter(code)) trace.letterEdits += 1
  else if (code === LEADING_ZERO || code === 0) trace.zeros += 1
  else trace.conflicts += 1
}

function countSwap(trace: Trace, a: number, b: number): void {
  if (isLetter(a) && isLetter(b)) trace.letterEdits += 1
  else trace.conflicts += 1
}

function countReplaced(unit: ReferenceUnit, i: number, code: number, trace: Trace): void {
  const wanted = unit.codes[i]! // a row of the alignment
  const isSame = wanted === code || FOLDED[wanted] === FOLDED[code]
  if (isSame && isLetter(wanted)) {
    if (i < unit.head) trace.headLetters += 1
    else if (i >= unit.length - unit.tail) trace.tailLetters += 1
  }
  if (wanted === code || (isSame && isDigit(wanted) && isDigit(code))) {
    trace.same += 1
    return
  }
  if (isSame) trace.lookAlikes += 1
  else if (isLetter(wanted) && isLetter(code)) trace.letterEdits += 1
  else trace.conflicts += 1
}

function countGap(trace: Trace, wanted: number, gap: number): void {
  if (wanted === gap) return
  trace.gapsDiffer += 1
  if (gap !== GAP_BLANK) return
  trace.parted += 1
  if (wanted === GAP_NONE) trace.blanks += 1
}
