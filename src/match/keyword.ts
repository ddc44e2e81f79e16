import {
  type CodeSpan,
  codeOf,
  GAP_BLANK,
  GAP_JOINING,
  GAP_NONE,
  GAP_STRONG,
  isDigit,
  isLetter,
  LEADING_ZERO,
} from './codes.js'
import { COST, conflictCost, FORM, PREFIX_LETTERS_MAX, PREFIXED_DIGITS_MIN } from './costs.js'
import {
  CLASS_FILLER,
  CLASS_NUMBER,
  CLASSES,
  keywordAt,
  keywordBefore,
  NO_CLASS,
} from './dictionary.js'
import { isRangeEnd } from './digit-groups.js'
import type { ReferenceUnit } from './units.js'

const CUSTOMER = CLASSES.indexOf('customer') + 1
const ACCOUNT = CLASSES.indexOf('account') + 1

const LETTER_O = codeOf('O')

/** Maximum members of a list between one of them and its keyword. */
const MEMBERS_PASSED_MAX = 8

/**
 * How the keyword before a place agrees with the keyword of the query.
 *
 *   FIELD       HOLDS
 *   cost        cost of the difference
 *   agrees      whether both name the same class
 *   isConflict  whether the cost is that of a numeric conflict
 */
export interface KeywordComparison {
  cost: number
  agrees: boolean
  isConflict: boolean
}

/** Compares the keyword before a place of a field where an alignment begins. */
export function compareKeyword(
  unit: ReferenceUnit,
  field: CodeSpan,
  begin: number,
): KeywordComparison {
  const { codes, gaps, from } = field
  // Zeros at the head of the number may not be covered.
  let at = begin
  while (at > from && gaps[at] === GAP_NONE && codes[at - 1] === LEADING_ZERO) at -= 1
  const { keyword } = keywordBefore(field, at)
  if (unit.keyword === NO_CLASS) return neither(extraCost(unit, field, at, keyword))
  if (keyword !== NO_CLASS) return compareClass(unit, field, at, keyword)
  const gap = at > from ? gaps[at]! : GAP_STRONG // at < field.to
  if (gap !== GAP_BLANK && gap < GAP_STRONG && isLetter(codes[at - 1]!)) {
    const zeros = misreadZeros(field, at)
    const beforeZeros = zeros < at ? keywordBefore(field, zeros).keyword : NO_CLASS
    if (beforeZeros === NO_CLASS) return compareLetters(unit, field, at)
    const compared = compareClass(unit, field, zeros, beforeZeros)
    compared.cost += COST.lookAlike
    return compared
  }
  // A few digits that lack their zeros are no member.
  const hasZeros = unit.significant === unit.length && at === begin
  const mayBeMember = unit.significant >= 4 || hasZeros
  const isMember = mayBeMember && keywordOfList(field, at) === unit.keyword
  return { cost: isMember ? 0 : FORM.noKeyword, agrees: isMember, isConflict: false }
}

/** Start of the letters O that stand for zeros at the head of the number: the OO of REOO815. */
function misreadZeros({ codes, gaps, from }: CodeSpan, at: number): number {
  let zero = at
  // from <= zero - 1, zero < to
  while (zero > from && gaps[zero] === GAP_NONE && codes[zero - 1] === LETTER_O) zero -= 1
  return zero
}

/** @param keyword class of the keyword before a place */
function compareClass(
  unit: ReferenceUnit,
  field: CodeSpan,
  at: number,
  keyword: number,
): KeywordComparison {
  if (keyword === unit.keyword) {
    const isSame = endsWith(field, at, unit.prefix)
    return { cost: isSame ? 0 : FORM.otherKeyword, agrees: true, isConflict: false }
  }
  if (keyword === CLASS_NUMBER || unit.keyword === CLASS_NUMBER) {
    return neither(FORM.otherKeyword)
  }
  const isOne = (one: number): boolean => keyword === one || unit.keyword === one
  if (isOne(CUSTOMER)) return neither(FORM.customerForOther)
  return neither(isOne(ACCOUNT) ? FORM.accountForOther : FORM.otherClass)
}

/** Neither the same class nor a conflict. */
function neither(cost: number): KeywordComparison {
  return { cost, agrees: false, isConflict: false }
}

/** Cost of a keyword or letters before a place, where the query has none. */
function extraCost(
  unit: ReferenceUnit,
  { codes, gaps, from }: CodeSpan,
  at: number,
  keyword: number,
): number {
  if (keyword !== NO_CLASS) return FORM.extraKeyword
  if (at === from || unit.head > 0) return 0
  const gap = gaps[at]! // at < to
  const isJoined = gap !== GAP_BLANK && gap < GAP_STRONG
  return isJoined && isLetter(codes[at - 1]!) ? FORM.extraLetters : 0
}

/** Letters before the number that are no keyword: glued to a word, misspelled, or others. */
function compareLetters(unit: ReferenceUnit, field: CodeSpan, at: number): KeywordComparison {
  const { prefix } = unit
  if (endsWith(field, at, prefix)) return neither(FORM.keywordGluedToWord)
  const { codes, gaps, from } = field
  let first = at - 1
  while (first > from && gaps[first] === GAP_NONE && isLetter(codes[first - 1]!)) first -= 1
  const length = at - first
  // A word like the REMI of /REMI/4711 says nothing of the number.
  if (keywordAt(codes, first, at) === CLASS_FILLER) return neither(FORM.noKeyword)
  if (length === prefix.length && length > 1) {
    let same = 0
    for (let i = 0; i < length; i++) if (prefix[i] === codes[first + i]) same += 1
    if (same * 2 >= length) return neither(FORM.keywordMisspelled)
  }
  // A long number is likely to be the same whatever two or three letters stand before it.
  const isLong = unit.length >= PREFIXED_DIGITS_MIN
  if (isLong && !unit.isJoined) return neither(FORM.unknownLetters)
  if (isLong && length <= PREFIX_LETTERS_MAX && length > 1) return neither(FORM.foreignPrefix)
  return { cost: conflictCost(unit.length), agrees: false, isConflict: true }
}

function endsWith({ codes, from }: CodeSpan, at: number, prefix: Uint8Array): boolean {
  const first = at - prefix.length
  if (first < from) return false
  for (let i = 0; i < prefix.length; i++) if (codes[first + i] !== prefix[i]) return false
  return prefix.length > 0
}

/**
 * The class that a list gives to its member at a place: `RE 1001, 1002 u. 1003`. Its members have
 * similar lengths, and at least a blank between them.
 */
function keywordOfList(field: CodeSpan, at: number): number {
  const { codes, gaps, from, to } = field
  let length = 0
  while (
    at + length < to &&
    isDigit(codes[at + length]!) &&
    (length === 0 || gaps[at + length] === 0)
  ) {
    length += 1
  }
  let place = at
  for (let member = 0; member < MEMBERS_PASSED_MAX; member++) {
    if (place === from) return NO_CLASS
    if (gaps[place] === GAP_JOINING && !isRangeEnd(field, place)) return NO_CLASS
    let first = place
    while (first > from && isLetter(codes[first - 1]!)) first -= 1 // from <= first - 1
    if (first < place && keywordAt(codes, first, place) !== CLASS_FILLER) return NO_CLASS
    const end = first
    while (first > from && isDigit(codes[first - 1]!) && (first === end || gaps[first] === 0)) {
      first -= 1
    }
    // Groups of a long number stand a blank apart as well.
    const isGroup = end === place && gaps[place] === GAP_BLANK && length < 4
    if (isGroup) return NO_CLASS
    const difference = end - first - length
    if (end === first || difference > 1 || difference < -1) return NO_CLASS
    place = first
    const { keyword } = keywordBefore(field, place)
    if (keyword !== NO_CLASS) return keyword
  }
  return NO_CLASS
}
