import { CODES, FOLDED, GAP_BLANK, GAP_STRONG, GAPS, isLetter } from './codes.js'
import { BLANKS_CHARGED_MAX, COST, CUT_OFF_COST, FORBIDDEN, SCORE_MAX } from './costs.js'
import { TRUNCATED_LEFT_MIN, TRUNCATED_MAX } from './distance.js'
import { GAP_COST, headSkipCost, unitEndCost } from './edges.js'
import {
  MARK_GROUP,
  MARK_SIDE_SHIFT,
  MARK_START,
  MARK_UNREADABLE,
  MARK_UNREADABLE_SHIFT,
  START_COSTS,
  START_FIELD,
} from './marks.js'
import type { FieldView } from './row-view.js'
import type { ReferenceUnit } from './units.js'

/**
 * The cheapest alignment of a reference unit with a span of a field, and the memory to find it,
 * which grows with the largest.
 *
 *   FIELD     HOLDS
 *   cost      sum of its steps and edges; FORBIDDEN or more when there is none that is worth
 *             anything
 *   to        where the codes that it covers end
 *   cut       codes of the unit that the end of the field has cut off
 *   width     columns: one before each code of the span, and one after the last
 *   cells     row's start + column -> CELL_COSTS times the cost of aligning the first codes of the
 *             unit, as many as the row says, with codes that end before the column, and the last
 *             step of that path, a STEP; NEVER when no path from there is worth anything
 *   rows      row -> its start in the cells; rows that differ only by a cost that is the same for
 *             every cell may share one, which has the costs of the first of them
 *   columns   column -> properties of the codes before and after it, a COLUMN
 *   skips     column -> cost of beginning there without the letters of the unit's head
 */
export interface Alignment {
  cost: number
  to: number
  cut: number
  width: number
  cells: Int32Array
  rows: Int32Array
  columns: Int32Array
  skips: Int32Array
}

// Of steps with the same cost, the one with the least number is taken. Where the two lowest bits
// are 0, no code of the field is covered yet.
export const STEP_START = 0
export const STEP_SKIP_HEAD = 1
export const STEP_REPLACE = 2
export const STEP_LESS = 3
/** As STEP_LESS, before the first code of the field that is covered. */
export const STEP_LESS_FIRST = 4
export const STEP_SWAP = 5
export const STEP_MORE = 6

const STEP_BITS = 3
const STEPS = 1 << STEP_BITS
const STEP_BEGUN = 3

/** The last step to a cell: a STEP. */
export function stepOf(cell: number): number {
  return cell & (STEPS - 1)
}

/**
 *   BITS       OF A COLUMN HOLD
 *   0 to 7     the code before it, as ReferenceUnit.replaced has it
 *   8 to 10    the gap before that code
 *   11 to 13   kind of its cost when it is not wanted: a SIDE
 *   14         1 = a strong gap before it costs more then
 *   15         1 = a group of digits begins behind it
 */
const COLUMN_CODE = 0xff
const COLUMN_GAP_SHIFT = 8
const COLUMN_GAP = 7
const COLUMN_SIDE_SHIFT = 11
const COLUMN_SIDE = 7
const COLUMN_STRONG = 1 << 14
const COLUMN_GROUP = 1 << 15

/** An alignment to be found by {@link align}. */
export function emptyAlignment(): Alignment {
  return {
    cost: FORBIDDEN,
    to: 0,
    cut: 0,
    width: 0,
    cells: new Int32Array(0),
    rows: new Int32Array(0),
    columns: new Int32Array(0),
    skips: new Int32Array(0),
  }
}

/**
 * Aligns a unit with the span of a field to align.
 * @param alignment out
 * @param scoreMin 1 or more; an alignment that leaves less may be returned as FORBIDDEN
 */
export function align(
  unit: ReferenceUnit,
  field: FieldView,
  alignment: Alignment,
  scoreMin: number,
): void {
  alignment.width = field.alignTo - field.alignFrom + 1
  makeRoom(alignment, unit.length + 1)
  beginRows(unit, field, alignment)
  const costEnd = costEndOf(unit, field, scoreMin)
  let row = 0
  // A swap leads over one row in which every other path has ended.
  for (let deadRows = 0; row < unit.length && (deadRows < 2 || row <= unit.head); ) {
    row += 1
    deadRows = alignRow(unit, alignment, row, costEnd) ? 0 : deadRows + 1
    const repeats = unit.repeats[row - 1]! // row <= unit.length
    if (repeats > 0) row += repeatRows(alignment, row, repeats)
  }
  chooseEnd(unit, field, alignment, row)
}

/**
 * Where a row differs from the one before by the same cost in every cell, so do the following rows
 * with the same step costs, as those of many zeros. Only the last of them is then written: of the
 * others, only their steps are read, which equal those of this row.
 * @returns number of repeated rows
 */
function repeatRows({ cells, rows, width }: Alignment, row: number, repeats: number): number {
  const from = rows[row]!
  const back = from - rows[row - 1]!
  let difference = 0
  for (let i = from; i < from + width; i++) {
    const before = cells[i - back]! // a cell of the row before
    const cell = cells[i]!
    if (before === NEVER && cell === NEVER) continue
    const isSameKind = ((before & STEP_BEGUN) === 0) === ((cell & STEP_BEGUN) === 0)
    const more = (cell >>> STEP_BITS) - (before >>> STEP_BITS)
    if (difference === 0) difference = more
    if (!isSameKind || more !== difference || cell === NEVER || before === NEVER) return 0
  }
  const writtenFrom = repeats > ROWS_READ ? repeats - ROWS_READ + 1 : 1
  for (let repeat = 1; repeat < writtenFrom; repeat++) rows[row + repeat] = from
  let place = from
  for (let repeat = writtenFrom; repeat <= repeats; repeat++) {
    const shift = (difference * repeat) << STEP_BITS
    place += width
    rows[row + repeat] = place
    for (let column = 0; column < width; column++) {
      const cell = cells[from + column]! + shift
      cells[place + column] = cell < NEVER ? cell : NEVER
    }
  }
  return repeats
}

/** Number of last rows whose costs are read: a field may have cut off as many codes, or none. */
const ROWS_READ: number = TRUNCATED_MAX + 1

/** Cost at which less than `scoreMin` is left, including blanks that are not charged. */
export function costEndOf(
  { length }: ReferenceUnit,
  { gaps, alignFrom, alignTo }: FieldView,
  scoreMin: number,
): number {
  let blanks = 0
  for (let i = alignFrom + 1; i < alignTo; i++) if (gaps[i] === GAP_BLANK) blanks += 1
  if (blanks >= length) blanks = length - 1
  const end = SCORE_MAX + 1 - scoreMin
  if (blanks <= BLANKS_CHARGED_MAX) return end
  const endWithBlanks = end + (blanks - BLANKS_CHARGED_MAX) * COST.blankInside
  return endWithBlanks < FORBIDDEN ? endWithBlanks : FORBIDDEN
}

function makeRoom(alignment: Alignment, rows: number): void {
  const { width } = alignment
  const size = width * rows
  if (alignment.cells.length < size) alignment.cells = new Int32Array(2 * size)
  if (alignment.rows.length < rows) alignment.rows = new Int32Array(2 * rows)
  if (alignment.columns.length < width) {
    alignment.columns = new Int32Array(2 * width)
    alignment.skips = new Int32Array(2 * width)
  }
}

function beginRows(
  unit: ReferenceUnit,
  field: FieldView,
  { cells, rows, columns, skips, width }: Alignment,
): void {
  const { codes, gaps, marks, alignFrom, to } = field
  rows[0] = 0
  let before = 0
  for (let column = 0; column < width; column++) {
    const at = alignFrom + column
    const mark = at < to ? marks[at]! : 0 // to <= marks.length
    const start = at < to ? STARTS[mark & MARK_START]! : FORBIDDEN // a cost for each start
    cells[column] = start * STEPS + STEP_START
    columns[column] = before | ((mark & MARK_GROUP) === 0 ? 0 : COLUMN_GROUP)
    if (unit.head > 0) skips[column] = headSkipCost(unit, field, at)
    if (column === width - 1) break
    const gap = gaps[at]! // at < alignTo <= to
    const isStrong = gap === GAP_STRONG && (mark & MARK_START) !== START_FIELD
    before =
      (codes[at]! & unit.visible) | // at < alignTo <= to
      ((mark & MARK_UNREADABLE) << MARK_UNREADABLE_SHIFT) |
      (gap << COLUMN_GAP_SHIFT) |
      ((mark >>> MARK_SIDE_SHIFT) << COLUMN_SIDE_SHIFT) |
      (isStrong ? COLUMN_STRONG : 0)
  }
}

// Compiled code inlines the constants of its own module, but reads imported ones each time.
const NEVER: number = FORBIDDEN * STEPS
const OTHER_LETTER: number = COST.otherLetter
const STRONG_GAP_INSIDE: number = COST.strongGapInside
const STARTS: Int32Array = START_COSTS
const FOLDED_CODES: Uint8Array = FOLDED
const GAP_COSTS: Int32Array = GAP_COST
const GAP_KINDS: number = GAPS
const STRONG: number = GAP_STRONG
const CODE_BITS: number = CODES - 1
/** The least cost of a missing code of the unit. */
const MISSING_COST_MIN: number = COST.leadingZero

/**
 * Writes one row. A cell without any score left is NEVER: no step has a cost below 0, and codes of
 * the unit beyond those of the field are missing.
 * @param costEnd the cost at which no score is left
 * @returns whether a path continues
 */
function alignRow(
  unit: ReferenceUnit,
  { cells, rows, columns, skips, width }: Alignment,
  row: number,
  costEnd: number,
): boolean {
  const { replaced, more } = unit
  const canSwap = row > 1 && unit.codes[row - 1] !== unit.codes[row - 2]
  const isAfterHead = unit.head > 0 && row === unit.head + 1
  const isHeadEnd = row === unit.head
  const moreFrom = unit.moreFrom[row - 1]! // 1 <= row <= unit.length
  const less = unit.less[row - 1]!
  const lessElsewhere = unit.lessElsewhere[row - 1]!
  const replacedFrom = unit.codes[row - 1]! * 2 * CODES
  const gapFrom = unit.gaps[row - 1]! * GAP_KINDS
  // To the right of this column, the unit has more codes left than the field.
  const columnEven = width - 1 - (unit.length - row)
  let end = costEnd * STEPS
  let isAlive = false
  let diagonal = NEVER
  let left = NEVER
  let above = rows[row - 1]!
  rows[row] = above + width
  // Every index below is within the rows up to this one, or of a column.
  for (let column = 0; column < width; column++) {
    const here = columns[column]!
    const up = cells[above]!
    let best = NEVER
    if (up < NEVER) {
      const isBeginning = (up & STEP_BEGUN) === 0
      const cost = (here & COLUMN_GROUP) === 0 ? lessElsewhere : less
      const step = isBeginning ? STEP_LESS_FIRST : STEP_LESS
      // A head is not left out letter by letter.
      best = isBeginning && isHeadEnd ? NEVER : cellAfter(up, cost, step)
    }
    if (diagonal < NEVER) {
      const isFirst = (diagonal & STEP_BEGUN) === 0
      const gap = isFirst ? 0 : GAP_COSTS[gapFrom + ((here >>> COLUMN_GAP_SHIFT) & COLUMN_GAP)]!
      const cost = replaced[replacedFrom + (here & COLUMN_CODE)]!
      const cell = cellAfter(diagonal, cost + gap, STEP_REPLACE)
      if (cell < best) best = cell
    }
    if (isAfterHead && column > 0) {
      const cost = skips[column - 1]! + replaced[replacedFrom + (here & COLUMN_CODE)]!
      const cell = cellAfter(0, cost, STEP_SKIP_HEAD)
      if (cell < best) best = cell
    }
    if (canSwap && column > 1 && cells[above - width - 2]! < NEVER) {
      const cost = swapCost(unit, row, columns[column - 1]!, here)
      const cell = cellAfter(cells[above - width - 2]!, cost, STEP_SWAP)
      if (cell < best) best = cell
    }
    if (left < NEVER) {
      const side = (here >>> COLUMN_SIDE_SHIFT) & COLUMN_SIDE
      const gap = (here & COLUMN_STRONG) === 0 ? 0 : STRONG_GAP_INSIDE
      const cell = cellAfter(left, more[moreFrom + side]! + gap, STEP_MORE)
      if (cell < best) best = cell
    }
    if (column > columnEven) end = (end - MISSING_COST_MIN * STEPS) | 0
    if (best < end) isAlive = true
    else best = NEVER
    cells[above + width] = best
    above += 1
    diagonal = up
    left = best
  }
  return isAlive
}

function cellAfter(before: number, cost: number, step: number): number {
  return (((before >>> STEP_BITS) + cost) << STEP_BITS) | step
}

/** Cost of the codes before two columns in swapped order. */
function swapCost(
  { codes, conflict }: ReferenceUnit,
  row: number,
  columnBefore: number,
  column: number,
): number {
  if (((column >>> COLUMN_GAP_SHIFT) & COLUMN_GAP) >= STRONG) return FORBIDDEN
  const first = codes[row - 2]! // 2 <= row
  const second = codes[row - 1]!
  const isSwapped =
    FOLDED_CODES[second] === FOLDED_CODES[columnBefore & CODE_BITS] &&
    FOLDED_CODES[first] === FOLDED_CODES[column & CODE_BITS]
  if (!isSwapped) return FORBIDDEN
  return isLetter(first) && isLetter(second) ? OTHER_LETTER : conflict
}

/** @param rowCount the last row that is written; no path leads to the others */
function chooseEnd(
  unit: ReferenceUnit,
  field: FieldView,
  alignment: Alignment,
  rowCount: number,
): void {
  const { cells, rows, width } = alignment
  const length = unit.codes.length
  alignment.cost = FORBIDDEN
  for (let column = 1; rowCount === length && column < width; column++) {
    const cost = cells[rows[length]! + column]! >>> STEP_BITS
    if (cost >= alignment.cost) continue
    const sum = cost + unitEndCost(unit, field, field.alignFrom + column)
    if (sum < alignment.cost) {
      alignment.cost = sum
      alignment.to = field.alignFrom + column
      alignment.cut = 0
    }
  }
  if (field.alignTo < field.to) return
  for (let cut = 1; cut <= TRUNCATED_MAX && unit.significant - cut >= TRUNCATED_LEFT_MIN; cut++) {
    if (length - cut > rowCount) continue
    const cost = cells[rows[length - cut]! + width - 1]! >>> STEP_BITS
    const sum = cost + CUT_OFF_COST[cut]!
    if (sum < alignment.cost) {
      alignment.cost = sum
      alignment.to = field.alignTo
      alignment.cut = cut
    }
  }
}
