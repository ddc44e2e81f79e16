import {
  type Alignment,
  type AlignmentSpace,
  align,
  alignmentSpace,
  costEndOf,
  type FieldArrays,
  type FieldSpan,
} from './alignment.js'
import { type CodeRun, findDigits, hasRun, hasZerosAlone, type RunPlaces } from './code-run.js'
import { FOLDED, GAP_DERIVED, GAP_NONE, isLetter, LEADING_ZERO } from './codes.js'
import {
  BLANKS_CHARGED_MAX,
  COST,
  CUT_OFF_COST,
  FORBIDDEN,
  FORM,
  SCORE_MAX,
  WHOLE_FIELD_WORTH,
  worthOf,
} from './costs.js'
import { NO_CLASS } from './dictionary.js'
import { endCost, startCost } from './edges.js'
import { MATCH_FIELDS } from './fields.js'
import { judgeKeyword, type KeywordVerdict } from './keyword.js'
import { type SoughtPlaces, soughtPlaces } from './sought.js'
import { emptyTrace, type Trace, traceBack } from './trace.js'
import { type ReferenceUnit, UNITS_MAX } from './units.js'
import { WordRuns } from './words.js'

/** Evidence, the weakest first. */
export const KIND_WORDS = 0
const KIND_CONFLICT = 1
const KIND_DAMAGED = 2
export const KIND_REGROUPED = 3
export const KIND_NORMALIZED = 4
export const KIND_EXACT = 5

/**
 * The score of a unit in a field.
 *
 *   FIELD    HOLDS
 *   score    0 to 10,000
 *   kind     KIND_CONFLICT to KIND_EXACT; KIND_WORDS when the score is 0
 *   agrees   whether the keywords name the same class
 *   length   codes of the field that it covers
 */
export interface UnitScore {
  score: number
  kind: number
  agrees: boolean
  length: number
}

/** Scratch memory of the comparison of one unit and one field, reused for the next ones. */
export interface Comparison {
  readonly field: FieldSpan
  readonly alignment: Alignment
  readonly space: AlignmentSpace
  readonly trace: Trace
  readonly one: UnitScore
  /** Score of one unit in all fields. */
  readonly best: { score: number; quality: number }
  readonly words: WordRuns
  /** Field -> places of the searched units in it. */
  readonly found: readonly SoughtPlaces[]
  /** Place of a run in the field. */
  readonly around: RunPlaces
  verdict: KeywordVerdict
  /** A lower score may be returned as 0. */
  scoreMin: number
}

/** Memory for {@link scoreUnit}, and the arrays that its fields lie in. */
export function comparison({ codes, gaps, marks }: FieldArrays): Comparison {
  return {
    field: { codes, gaps, marks, fieldFrom: 0, fieldTo: 0, from: 0, to: 0 },
    alignment: { cost: 0, to: 0, cut: 0 },
    space: alignmentSpace(),
    trace: emptyTrace(),
    one: { score: 0, kind: KIND_WORDS, agrees: false, length: 0 },
    best: { score: 0, quality: 0 },
    words: new WordRuns(),
    found: MATCH_FIELDS.map(() => soughtPlaces(UNITS_MAX)),
    around: { first: 0, last: 0 },
    verdict: { cost: 0, agrees: false, isConflict: false },
    scoreMin: 1,
  }
}

/**
 * Scores a reference unit in one field, given as a span of codes.
 * @param number of the unit among the searched ones
 * @param scratch its arrays hold the field
 * @param found places of the units in the field
 * @param result out
 */
export function scoreUnit(
  unit: ReferenceUnit,
  number: number,
  scratch: Comparison,
  found: SoughtPlaces,
  fieldFrom: number,
  fieldTo: number,
  result: UnitScore,
): void {
  const { field, alignment, space, trace } = scratch
  result.score = 0
  result.kind = KIND_WORDS
  result.agrees = false
  result.length = 0
  if ((found.units & (1 << number)) === 0) return
  const { first, last, atEnd } = found.patterns
  const isCutOff = unit.canBeCutOff && atEnd[number] === 1
  if (first[number]! < 0 && !isCutOff) return // there is a place for each unit
  const isThere =
    first[number]! >= 0 && (unit.run === undefined || (found.runs & (1 << number)) !== 0)
  if (!isThere && scratch.scoreMin > CUT_OFF_SCORE_MAX) return
  if (unit.isZeros && !hasZerosAlone(unit.visible, field.codes, field.gaps, fieldFrom, fieldTo)) {
    return
  }
  field.fieldFrom = fieldFrom
  field.fieldTo = fieldTo
  const left = costLeft(unit, field, SCORE_MAX - scratch.scoreMin)
  if (left < 0) return
  lookAround(unit, field, first[number]!, isCutOff ? -1 : last[number]!)
  if (left < unit.exactBelow && !narrow(unit, number, scratch, found, left)) return
  align(unit, field, space, scratch.scoreMin, alignment)
  if (alignment.cost >= FORBIDDEN) return
  traceBack(unit, field, space, alignment, trace)
  scratch.verdict = judgeKeyword(unit, field, trace.from)
  judge(unit, scratch, result)
  if (!isThere && result.score > CUT_OFF_SCORE_MAX) result.score = CUT_OFF_SCORE_MAX
}

/** Maximum score of a unit that the end of the field cuts off. */
const CUT_OFF_SCORE_MAX: number = SCORE_MAX - CUT_OFF_COST[1]!

/**
 * Maximum cost of a unit in a field, apart from missing zeros.
 * @param costMax 0 to 9,999; its total cost
 * @returns less than 0 when it costs more, also for the codes around it where it has to be the
 *   whole field
 */
function costLeft(unit: ReferenceUnit, field: FieldSpan, costMax: number): number {
  const { leadingZeros, length, keyword, exactBelow } = unit
  if (SCORE_MAX - costMax > worthOf(length, keyword !== NO_CLASS)) {
    if ((field.fieldTo - field.fieldFrom - length) * MORE_COST_MIN > costMax) return -1
  }
  if (costMax - leadingZeros * MISSING_COST >= exactBelow) return costMax
  return costMax - zerosMissing(unit, field)
}

/**
 * Narrows the span of an alignment without a numeric conflict and without cut-off codes: all of the
 * unit's digits are there except zeros, as requirement.ts says of rows. If the unit consists of
 * digits, a letter between two of them would be a conflict, so that the span only has zeros besides
 * and, after its last code, letters.
 * @param left maximum cost
 * @returns whether there is such a span
 */
function narrow(
  unit: ReferenceUnit,
  number: number,
  { field, around }: Comparison,
  found: SoughtPlaces,
  left: number,
): boolean {
  const { run, digitRun, isRunWhole, exactBelow } = unit
  // A field that seems cut off may lack letters of its run, if it has any: that costs an alignment
  // less than the cut-off codes, and CUT_OFF_SCORE_MAX bounds its score.
  if (run !== undefined && (found.runs & (1 << number)) === 0) return !isRunWhole
  const digits = run ?? digitRun
  if (digits === undefined) return true
  if (!isRunWhole) {
    return (
      run !== undefined || hasRun(digits, field.codes, field.gaps, field.fieldFrom, field.fieldTo)
    )
  }
  if (!findDigits(digits, field, around)) return false
  // Blanks count in full until the cheapest alignment is known: a cheaper one must not be lost.
  const costMax = left + costEndOf(unit, field, 1) - SCORE_MAX
  if (costMax < exactBelow) narrowTo(digits, field, around, costMax)
  return field.from < field.to
}

/** @param around ends of the first and the last place of the run */
function narrowTo(
  { zeros, length }: CodeRun,
  field: FieldSpan,
  { first, last }: RunPlaces,
  costMax: number,
): void {
  const { codes } = field
  let from = first
  for (let codesLeft = length - 1; codesLeft > 0; ) {
    from -= 1
    if (zeros[codes[from]!] === 0) codesLeft -= 1 // a place of the run has so many
  }
  while (from > field.from && zeros[codes[from - 1]!] === 1) from -= 1
  if (from > field.from) field.from = from
  let to = last + 1
  for (let left = costMax; to < field.to; to++) {
    const code = codes[to]! // to < field.to
    if (zeros[code] === 1) continue
    left -= LETTER_COST_MIN
    if (left < 0 || !isLetter(code)) break
  }
  if (to < field.to) field.to = to
}

/** The least cost of a letter of the field that the unit does not have. */
const LETTER_COST_MIN: number = COST.umlautSpelling
const MISSING_COST: number = COST.leadingZero
/** The least cost of a code of the field that the unit does not have. */
const MORE_COST_MIN: number = COST.leadingZero

/** The least cost of zeros, or look-alikes, that the core has and the field lacks. */
function zerosMissing({ leadingZeros, visible }: ReferenceUnit, field: FieldSpan): number {
  const { codes, fieldFrom, fieldTo } = field
  let missing = leadingZeros
  for (let i = fieldFrom; i < fieldTo && missing > 0; i++) {
    if (FOLDED[codes[i]! & visible] === 0) missing -= 1 // fieldFrom <= i < fieldTo <= codes.length
  }
  return missing * MISSING_COST
}

/** Sets the span of every alignment whose pattern ends there; -1 = it is cut off. */
function lookAround(unit: ReferenceUnit, field: FieldSpan, first: number, last: number): void {
  const { codes, fieldFrom, fieldTo } = field
  const { length, editsMax, patternRest, tail } = unit
  let from = first < 0 ? fieldTo : first + 1
  for (let left = length + editsMax + 1; left > 0 && from > fieldFrom; ) {
    from -= 1
    if (codes[from] !== LEADING_ZERO) left -= 1 // fieldFrom <= from
  }
  let to = last < 0 ? fieldTo : last + 1
  for (let left = patternRest + editsMax + tail + 1; left > 0 && to < fieldTo; to++) {
    if (codes[to] !== LEADING_ZERO) left -= 1 // to < fieldTo
  }
  field.from = from
  field.to = to
}

function judge(unit: ReferenceUnit, scratch: Comparison, result: UnitScore): void {
  const { field, alignment, trace, verdict } = scratch
  const conflicts = trace.conflicts + furtherConflicts(unit, trace)
  let cost = alignment.cost + verdict.cost
  cost += furtherConflicts(unit, trace) * unit.conflict
  if (trace.blanks > BLANKS_CHARGED_MAX) {
    cost -= (trace.blanks - BLANKS_CHARGED_MAX) * COST.blankInside
  }
  if (trace.gapsDiffer > 0) {
    cost += FORM.otherForm
    if (isTailOfGroups(unit, field, trace.from)) cost += FORM.tailOfGroups
  }
  if (isDerived(field, trace.from)) cost += FORM.derived
  if (isMiddleGroup(field, trace.from, alignment.to)) cost += FORM.middleGroup
  const isWhole = trace.from === field.fieldFrom && alignment.to === field.fieldTo
  let worth = worthOf(unit.length, verdict.agrees)
  if (isWhole && worth < WHOLE_FIELD_WORTH) worth = WHOLE_FIELD_WORTH
  const score = SCORE_MAX - cost
  result.score = score < 0 ? 0 : score < worth ? score : worth
  if (result.score === 0) return
  const isCutOff = alignment.cut > 0
  const isConflict = conflicts > 0 || verdict.isConflict || (cost >= unit.conflict && !isCutOff)
  result.kind = kindOf(scratch, isConflict, cost)
  result.agrees = verdict.agrees
  result.length = alignment.to - trace.from
}

/** Further conflicts: missing letters of head or tail, and look-alikes beyond plausible slips. */
export function furtherConflicts(unit: ReferenceUnit, trace: Trace): number {
  const lookAlikesMax = unit.length < 4 ? 0 : (unit.length + 1) >> 2
  let conflicts = trace.lookAlikes > lookAlikesMax ? trace.lookAlikes - lookAlikesMax : 0
  if (trace.headKept >= 0 && trace.headKept < unit.headLeast) conflicts += 1
  if (trace.tailKept < unit.tailLeast) conflicts += 1
  return conflicts
}

/** Whether digits are joined to it on both sides: 815 in 21/815/04711. */
function isMiddleGroup(field: FieldSpan, from: number, to: number): boolean {
  return startCost(field, from) >= COST.groupBefore && endCost(field, to) >= COST.groupAfter
}

/** Whether groups that the unit does not have precede it: 81131 in 473.811.31. */
function isTailOfGroups({ gaps }: ReferenceUnit, field: FieldSpan, from: number): boolean {
  for (let i = 1; i < gaps.length; i++) if (gaps[i] !== GAP_NONE) return false
  return startCost(field, from) === COST.groupBefore
}

/** Whether a place lies in a written-out member of a list. */
export function isDerived({ gaps, fieldFrom }: FieldSpan, at: number): boolean {
  for (let i = at; i > fieldFrom; i--) if (gaps[i] === GAP_DERIVED) return true
  return false
}

function kindOf(
  { alignment, trace, verdict }: Comparison,
  isConflict: boolean,
  cost: number,
): number {
  if (isConflict) return KIND_CONFLICT
  if (cost === 0) return KIND_EXACT
  const form = trace.gapsDiffer * COST.separatorMoreOrLess
  if (trace.lookAlikes > 0 || trace.letterEdits > 0 || alignment.cut > 0) return KIND_DAMAGED
  if (trace.zeros > 0 || trace.blanks > 0 || alignment.cost === COST.zerosBefore) {
    return KIND_REGROUPED
  }
  const isPlain = alignment.cost <= form && verdict.cost < FORM.keywordMisspelled
  return isPlain ? KIND_NORMALIZED : KIND_DAMAGED
}
