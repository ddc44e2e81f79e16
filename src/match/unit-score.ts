import { align, costEndOf } from './alignment.js'
import { textOf } from './chunks.js'
import { type CodeRun, findDigits, hasRun, hasZerosAlone, type RunPlaces } from './code-run.js'
import {
  type CodeSpan,
  FOLDED,
  GAP_BETWEEN,
  GAP_BLANK,
  GAP_DERIVED,
  GAP_JOINING,
  GAP_NONE,
  GAP_STRONG,
  isDigit,
  isLetter,
  LEADING_ZERO,
  MASKED,
} from './codes.js'
import {
  type Comparison,
  KIND_CONFLICT,
  KIND_DAMAGED,
  KIND_EXACT,
  KIND_NORMALIZED,
  KIND_REGROUPED,
  KIND_WORDS,
  type UnitScore,
} from './comparison.js'
import {
  BLANKS_CHARGED_MAX,
  COMMON_CODES_MIN,
  COST,
  CUT_OFF_COST,
  FORBIDDEN,
  FORM,
  PREFIX_LETTERS_MAX,
  PREFIXED_DIGITS_MIN,
  PRIMANOTA_PERCENT,
  percentOf,
  SCORE_MAX,
  WHOLE_FIELD_WORTH,
  worthOf,
} from './costs.js'
import { NO_CLASS } from './dictionary.js'
import { digitsBegin, digitsEnd } from './digit-groups.js'
import { endCost, leadsToDigit, startCost } from './edges.js'
import { PRIMANOTA } from './fields.js'
import { compareKeyword } from './keyword.js'
import { isBeside } from './neighbours.js'
import type { FieldView } from './row-view.js'
import { type Trace, traceBack } from './trace.js'
import type { ReferenceUnit } from './units.js'

/**
 * Scores a reference unit in a field that was searched for it (unit-set.ts); the score is
 * `scratch.inField`.
 * @param number of the unit in its set
 */
export function scoreUnit(
  unit: ReferenceUnit,
  number: number,
  field: FieldView,
  scratch: Comparison,
): void {
  const { alignment, trace, inField, scoreMin } = scratch
  inField.score = 0
  inField.kind = KIND_WORDS
  inField.agrees = false
  inField.length = 0
  const bit = 1 << number
  if ((field.units & bit) === 0) return
  if (field.index === PRIMANOTA) {
    scorePrimanota(unit, inField)
    return
  }
  const { first, last, atEnd } = field.places
  const isCutOff = unit.canBeCutOff && atEnd[number] === 1
  if (first[number]! < 0 && !isCutOff) return // there is a place for each unit
  const hasItsRun = unit.run === undefined || (field.runs & bit) !== 0
  const isThere = first[number]! >= 0 && hasItsRun
  if (!isThere && scoreMin > CUT_OFF_SCORE_MAX) return
  if (unit.isZeros && !hasZerosAlone(unit.visible, field)) return
  const left = costLeft(unit, field, SCORE_MAX - scoreMin)
  if (left < 0) return
  setSpanToAlign(unit, field, first[number]!, isCutOff ? -1 : last[number]!)
  if (left < unit.exactBelow) {
    // A field that seems cut off may lack letters of its run, if it has any: that costs an
    // alignment less than the cut-off codes, and CUT_OFF_SCORE_MAX bounds its score.
    if (!(hasItsRun ? narrow(unit, field, left, scratch.runPlaces) : !unit.isRunWhole)) return
  }
  align(unit, field, alignment, scoreMin)
  if (alignment.cost >= FORBIDDEN) return
  traceBack(unit, field, alignment, trace)
  scratch.keyword = compareKeyword(unit, field, trace.from)
  judge(unit, field, scratch)
  if (!isThere && inField.score > CUT_OFF_SCORE_MAX) inField.score = CUT_OFF_SCORE_MAX
}

/** A primanota that a unit is found in equals it. */
function scorePrimanota({ significant }: ReferenceUnit, score: UnitScore): void {
  score.score = PRIMANOTA_SCORE
  score.kind = KIND_NORMALIZED
  score.length = significant
}

const PRIMANOTA_SCORE: number = percentOf(SCORE_MAX, PRIMANOTA_PERCENT)

/** Maximum score of a unit that the end of the field cuts off. */
const CUT_OFF_SCORE_MAX: number = SCORE_MAX - CUT_OFF_COST[1]!

/**
 * Maximum cost of a unit in a field, apart from missing zeros.
 * @param costMax 0 to 9,999; its total cost
 * @returns less than 0 when it costs more, also for the codes around it where it has to be the
 *   whole field
 */
function costLeft(unit: ReferenceUnit, field: CodeSpan, costMax: number): number {
  const { leadingZeros, length, keyword, exactBelow } = unit
  if (SCORE_MAX - costMax > worthOf(unit, keyword !== NO_CLASS, true)) {
    if ((field.to - field.from - length) * MORE_COST_MIN > costMax) return -1
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
  field: FieldView,
  left: number,
  runPlaces: RunPlaces,
): boolean {
  const { run, digitRun, isRunWhole, exactBelow } = unit
  const digits = run ?? digitRun
  if (digits === undefined) return true
  if (!isRunWhole) return run !== undefined || hasRun(digits, field)
  if (!findDigits(digits, field, runPlaces)) return false
  // Blanks count in full until the cheapest alignment is known: a cheaper one must not be lost.
  const costMax = left + costEndOf(unit, field, 1) - SCORE_MAX
  if (costMax < exactBelow) narrowTo(digits, field, runPlaces, costMax)
  return field.alignFrom < field.alignTo
}

function narrowTo(
  { zeros, length }: CodeRun,
  field: FieldView,
  { first, last }: RunPlaces,
  costMax: number,
): void {
  const { codes } = field
  let from = first
  for (let codesLeft = length - 1; codesLeft > 0; ) {
    from -= 1
    if (zeros[codes[from]!] === 0) codesLeft -= 1 // in range: the run was found here
  }
  while (from > field.alignFrom && zeros[codes[from - 1]!] === 1) from -= 1
  if (from > field.alignFrom) field.alignFrom = from
  let to = last + 1
  for (let left = costMax; to < field.alignTo; to++) {
    const code = codes[to]! // to < field.alignTo
    if (zeros[code] === 1) continue
    left -= LETTER_COST_MIN
    if (left < 0 || !isLetter(code)) break
  }
  if (to < field.alignTo) field.alignTo = to
}

/** The least cost of a letter of the field that the unit does not have. */
const LETTER_COST_MIN: number = COST.umlautSpelling
const MISSING_COST: number = COST.leadingZero
/** The least cost of a code of the field that the unit does not have. */
const MORE_COST_MIN: number = COST.leadingZero

/** The least cost of zeros, or look-alikes, that the core has and the field lacks. */
function zerosMissing({ leadingZeros, visible }: ReferenceUnit, field: CodeSpan): number {
  const { codes, from, to } = field
  let missing = leadingZeros
  for (let i = from; i < to && missing > 0; i++) {
    if (FOLDED[codes[i]! & visible] === 0) missing -= 1 // from <= i < to <= codes.length
  }
  return missing * MISSING_COST
}

/**
 * Sets the span to align: every alignment whose pattern ends at one of the places lies in it.
 * @param first,last codes that the first and the last place end with; -1 = it is cut off
 */
function setSpanToAlign(unit: ReferenceUnit, field: FieldView, first: number, last: number): void {
  const { codes, from, to } = field
  const { length, editsMax, patternRest, tail } = unit
  let alignFrom = first < 0 ? to : first + 1
  for (let left = length + editsMax + 1; left > 0 && alignFrom > from; ) {
    alignFrom -= 1
    if (codes[alignFrom] !== LEADING_ZERO) left -= 1 // from <= alignFrom
  }
  let alignTo = last < 0 ? to : last + 1
  for (let left = patternRest + editsMax + tail + 1; left > 0 && alignTo < to; alignTo++) {
    if (codes[alignTo] !== LEADING_ZERO) left -= 1 // alignTo < to
  }
  field.alignFrom = alignFrom
  field.alignTo = alignTo
}

/** Scores what an alignment and its context cost. */
function judge(unit: ReferenceUnit, field: FieldView, scratch: Comparison): void {
  const { alignment, trace, keyword, inField } = scratch
  const isBare = lacksPrefix(unit, scratch)
  const isInDate = isPartOfDate(unit, field, trace, alignment.to)
  // A number that was typed as something else.
  const isRegrouped = trace.gapsDiffer > 0 && isOneGroup(unit)
  const isOtherDate =
    (isBare && field.codes[trace.from]! >= MASKED) || // covered by the alignment
    ((isBare || isRegrouped) && isDate(field, trace.from, alignment.to))
  const further = furtherConflicts(unit, trace) + (isInDate || isOtherDate ? 1 : 0)
  const conflicts = trace.conflicts + further
  let cost = alignment.cost + keyword.cost + further * unit.conflict
  if (isForeignHead(unit, trace)) cost += FORM.foreignHead
  if (trace.blanks > BLANKS_CHARGED_MAX) {
    cost -= (trace.blanks - BLANKS_CHARGED_MAX) * COST.blankInside
  }
  if (trace.gapsDiffer > 0) cost += FORM.otherForm
  if (isBegunIdentifier(unit, field, alignment.to)) cost += COST.insideIdentifier
  if (isTailOfGroups(unit, field, trace.from)) {
    // Of equally long ones, it may be the last of a range.
    const isOther = isBare && !isAfterEqual(field, trace.from, alignment.to)
    if (isOther || trace.gapsDiffer > 0) cost += FORM.tailOfGroups
  }
  cost += derivedBy(field, trace.from)
  if (trace.zeros > 0 && isBeforeGroup(field, alignment.to)) cost += FORM.zerosBeforeGroup
  if (isRegrouped && isBeforeGroups(field, alignment.to)) cost += FORM.headOfGroups
  if (trace.parted > 0 && unit.head === 0 && unit.length <= PARTED_LENGTH_MAX && !keyword.agrees) {
    cost += unit.keyword === NO_CLASS ? FORM.parted : unit.conflict
  }
  if (isPartOfBlocks(field, trace.from, alignment.to)) cost += FORM.groupOfNumber
  if (isMiddleGroup(field, trace.from, alignment.to)) cost += FORM.middleGroup
  if (isGroupOfNumber(field, trace.from, alignment.to)) cost += FORM.groupOfNumber
  const { neighbours } = unit
  const place = { from: trace.from, to: alignment.to }
  const isApart = neighbours.length > 0 && !isBeside(neighbours, field, place)
  const isWhole = alignment.to === field.to && areZeros(field, trace.from)
  const isShort = unit.digits < 4 || (unit.digits === 4 && !isWhole)
  const isHeadNeeded =
    (isShort && !(unit.digits === 4 && hasHeadBefore(unit, field, trace.from))) ||
    (unit.keyword !== NO_CLASS && isBare && unit.head > 1)
  if (trace.headLetters < 0 && isHeadNeeded) cost += unit.conflict
  const zeros = hasZeros(field, trace)
  let worth = worthOf(unit, keyword.agrees, zeros) - (isApart ? FORM.apartFromWords : 0)
  const isEvidence = unit.significant >= 4 || (zeros && unit.length >= 4)
  const isAsked = unit.keyword === NO_CLASS && zeros
  if (isWhole && (isEvidence || isAsked) && worth < WHOLE_FIELD_WORTH) worth = WHOLE_FIELD_WORTH
  const score = SCORE_MAX - cost
  inField.score = score < 0 ? 0 : score < worth ? score : worth
  if (inField.score === 0) return
  const isCutOff = alignment.cut > 0
  const isConflict = conflicts > 0 || keyword.isConflict || (cost >= unit.conflict && !isCutOff)
  inField.kind = kindOf(scratch, isConflict, cost)
  inField.agrees = keyword.agrees
  inField.length = alignment.to - trace.from
}

/** Whether a number stands without the keyword, or the letters, that the query has before it. */
function lacksPrefix(unit: ReferenceUnit, { keyword, trace }: Comparison): boolean {
  return unit.keyword === NO_CLASS ? trace.headLetters < 0 : !keyword.agrees
}

/** Whether another group of digits follows, joined or a blank apart. */
function isBeforeGroup(field: FieldView, at: number): boolean {
  if (endCost(field, at) === COST.groupAfter) return true
  return at < field.to && field.gaps[at] === GAP_BLANK && isDigit(field.codes[at]!)
}

/** Whether a number goes on with a group of three digits and more: 123/123 in 123/123/12345. */
function isBeforeGroups(field: FieldView, at: number): boolean {
  return endCost(field, at) === COST.groupAfter && digitsEnd(field, at) - at >= BLOCK_LENGTH_MIN
}

/** Whether codes are some of the blocks, equally long, of a number: 4444 2222 in 7777 4444 2222. */
function isPartOfBlocks(field: FieldView, from: number, to: number): boolean {
  const { codes, gaps } = field
  const length = digitsEnd(field, from) - from
  const isBlock = length >= BLOCK_LENGTH_MIN && length <= GROUP_LENGTH_MAX
  if (!isBlock || from + length >= to) return false
  for (let at = from; at < to; at += length) {
    if (!isDigit(codes[at]!) || digitsEnd(field, at) - at !== length) return false // at < to
    if (at > from && gaps[at] !== GAP_BLANK) return false
  }
  const isAfter = to < field.to && gaps[to] === GAP_BLANK && isDigit(codes[to]!)
  if (isAfter && digitsEnd(field, to) - to === length) return true
  const isBefore = from > field.from && gaps[from] === GAP_BLANK && isDigit(codes[from - 1]!)
  return isBefore && from - digitsBegin(field, from) === length
}

/** Minimum digits of a block of a number. */
const BLOCK_LENGTH_MIN = 3
/** Maximum codes of a number that says little when the field has a blank inside it. */
const PARTED_LENGTH_MAX = 7

/** Further conflicts: missing letters of head or tail, and look-alikes beyond plausible slips. */
export function furtherConflicts(unit: ReferenceUnit, trace: Trace): number {
  const lookAlikesMax = unit.length < 4 ? 0 : (unit.length + 1) >> 2
  let conflicts = trace.lookAlikes > lookAlikesMax ? trace.lookAlikes - lookAlikesMax : 0
  if (conflicts === 0 && trace.lookAlikes > 0 && trace.same < COMMON_CODES_MIN) conflicts = 1
  const isHeadThere = trace.headLetters < 0 || trace.headLetters >= unit.headLeast
  if (!isHeadThere && !isForeignHead(unit, trace)) conflicts += 1
  if (trace.tailLetters < unit.tailLeast) conflicts += 1
  if (trace.letterEdits > unit.letterEditsMax) conflicts += 1
  return conflicts
}

/** Whether a whole long number has other letters before it: RS 2025 09284 for RG-2025-09284. */
function isForeignHead({ head, headLeast, length }: ReferenceUnit, trace: Trace): boolean {
  const isOther = trace.headLetters >= 0 && trace.headLetters < headLeast
  const isLong = length - head >= PREFIXED_DIGITS_MIN && head <= PREFIX_LETTERS_MAX
  return isOther && isLong && head > 1 && trace.conflicts === 0 && trace.lookAlikes === 0
}

/** Whether the field has the zeros at the head of a core, or as many. */
export function hasZeros(field: FieldView, { zeros, from }: Trace): boolean {
  return zeros === 0 && startCost(field, from) !== COST.zerosBefore
}

/** Whether groups that were not typed as a date are one that more digits follow. */
function isPartOfDate(unit: ReferenceUnit, field: FieldView, trace: Trace, to: number): boolean {
  const { codes, gaps } = field
  const { from } = trace
  if (to - from !== DATE_LENGTH || to >= field.to || trace.gapsDiffer === 0) return false
  const isFollowed = gaps[to]! < GAP_STRONG && isDigit(codes[to]!) // to < field.to
  if (!isFollowed || unit.length !== DATE_LENGTH) return false
  return [4, 6].every((i) => gaps[from + i] === GAP_JOINING) && DATE.test(textOf(codes, from, to))
}

/** Whether codes are a date without separators (20170601, 01062017), or 2019-12 or 12.2019. */
function isDate({ codes, gaps }: FieldView, from: number, to: number): boolean {
  const length = to - from
  if (length !== DATE_LENGTH && length !== MONTH_LENGTH) return false
  const separated = length === DATE_LENGTH ? to : from + (gaps[from + 2] === GAP_NONE ? 4 : 2)
  for (let i = from + 1; i < to; i++) {
    if (gaps[i] !== (i === separated ? GAP_JOINING : GAP_NONE)) return false
  }
  const form = length === DATE_LENGTH ? DATE : separated === from + 2 ? MONTH_OF_YEAR : MONTH
  return form.test(textOf(codes, from, to))
}

const MONTH_LENGTH = 6
const DATE_LENGTH = 8
const MONTH = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])$/
const MONTH_OF_YEAR = /^(?:0[1-9]|1[0-2])(?:19|20)\d\d$/
const DATE = new RegExp(
  '^(?:(?:19|20)\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|' +
    '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\\d\\d)$',
)

/** Whether nothing but leading zeros stands before a code. */
function areZeros({ codes, from }: FieldView, to: number): boolean {
  for (let i = from; i < to; i++) if (codes[i] !== LEADING_ZERO) return false
  return true
}

/** Whether digits are joined to it on both sides: 815 in 21/815/04711. */
function isMiddleGroup(field: FieldView, from: number, to: number): boolean {
  return startCost(field, from) >= COST.groupBefore && endCost(field, to) >= COST.groupAfter
}

/** Whether it is a group among three and more, a blank apart, of a number that is no list. */
function isGroupOfNumber(field: FieldView, from: number, to: number): boolean {
  const { codes, gaps } = field
  if (to - from > GROUP_LENGTH_MAX) return false
  let others = 0
  let length = to - from
  let end = to
  let first = from
  // field.from < first, end < field.to
  while (end < field.to && gaps[end] === GAP_BLANK && isDigit(codes[end]!)) {
    const begin = end
    end = digitsEnd(field, begin)
    if (end < field.to && gaps[end]! < GAP_STRONG && gaps[end] !== GAP_BLANK) return false
    if (end - begin !== length) length = 0
    others += 1
  }
  while (first > field.from && gaps[first] === GAP_BLANK && isDigit(codes[first - 1]!)) {
    const last = first
    do first -= 1
    while (first > field.from && gaps[first] === GAP_NONE && isDigit(codes[first - 1]!))
    if (last - first !== length) length = 0
    others += 1
  }
  // Numbers of one length may be a list: 1001 1002 1003.
  return others >= GROUPS_MIN && (length === 0 || length < LISTED_LENGTH_MIN)
}

/** Maximum codes of a group of a long number, and minimum of the other groups around it. */
const GROUP_LENGTH_MAX = 5
const GROUPS_MIN = 3
/** Minimum digits of numbers of one length that may be a list. */
const LISTED_LENGTH_MIN = 4

/** Whether groups that the unit does not have precede it: 81131 in 473.811.31. */
function isTailOfGroups(unit: ReferenceUnit, field: FieldView, from: number): boolean {
  return isOneGroup(unit) && startCost(field, from) === COST.groupBefore
}

/** Whether no gap divides the codes of a unit. */
function isOneGroup({ gaps }: ReferenceUnit): boolean {
  for (let i = 1; i < gaps.length; i++) if (gaps[i] !== GAP_NONE) return false
  return true
}

/** Whether the last code is a letter of an identifier that a number begins: 131209C in 131209CH98. */
function isBegunIdentifier({ tail }: ReferenceUnit, field: FieldView, to: number): boolean {
  const last = field.codes[to - 1]! // covered by the alignment
  return tail === 0 && isLetter(last) && !isDigit(FOLDED[last]!) && leadsToDigit(field, to - 1)
}

/** Whether a number before a place has the letters of the unit's head: MUE-1001, 1002. */
function hasHeadBefore({ codes, head }: ReferenceUnit, field: FieldView, place: number): boolean {
  for (let at = field.from; at + head < place; at++) {
    let i = 0
    while (i < head && field.codes[at + i] === codes[i]) i += 1
    if (i === head && isDigit(field.codes[at + head]!)) return true // at + head < place
  }
  return false
}

/** Whether the group before a span of digits is as long. */
function isAfterEqual(field: FieldView, from: number, to: number): boolean {
  return from - digitsBegin(field, from) === to - from
}

/** Cost of a place in a member of a list that the text does not write out; 0 = it is none. */
export function derivedBy({ gaps, from }: CodeSpan, at: number): number {
  for (let i = at; i > from; i--) {
    if (gaps[i] === GAP_DERIVED) return FORM.derived
    if (gaps[i] === GAP_BETWEEN) return FORM.between
  }
  return 0
}

function kindOf(
  { alignment, trace, keyword }: Comparison,
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
  const isPlain = alignment.cost <= form && keyword.cost < FORM.keywordMisspelled
  return isPlain ? KIND_NORMALIZED : KIND_DAMAGED
}
