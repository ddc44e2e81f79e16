import type { FieldSpan } from './alignment.js'
import { codeOf, GAP_BLANK, GAP_JOINING, GAP_NONE, GAP_STRONG, isDigit, isLetter } from './codes.js'
import { COST, conflictCost, FORM } from './costs.js'
import {
  CLASS_FILLER,
  CLASS_NUMBER,
  CLASSES,
  type KeywordPlace,
  keywordAt,
  keywordBefore,
  NO_CLASS,
} from './dictionary.js'
import type { ReferenceUnit } from './units.js'

const CUSTOMER = CLASSES.indexOf('customer') + 1

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
export interface KeywordVerdict {
  cost: number
  agrees: boolean
  isConflict: boolean
}

/** Compares the keyword before a place of a field where an alignment begins. */
export function judgeKeyword(unit: ReferenceUnit, field: FieldSpan, at: number): KeywordVerdict {
  const { codes, gaps, fieldFrom } = field
  const found: KeywordPlace = { from: at, keyword: NO_CLASS }
  keywordBefore(codes, gaps, fieldFrom, at, found)
  if (unit.keyword === NO_CLASS) return neither(costUnasked(unit, field, at, found))
  if (found.keyword !== NO_CLASS) return judgeFound(unit, field, at, found.keyword)
  const gap = at > fieldFrom ? gaps[at]! : GAP_STRONG // at < fieldTo
  if (gap !== GAP_BLANK && gap < GAP_STRONG && isLetter(codes[at - 1]!)) {
    const zeros = misreadZeros(field, at)
    if (zeros < at) keywordBefore(codes, gaps, fieldFrom, zeros, found)
    if (found.keyword === NO_CLASS) return judgeLetters(unit, field, at)
    const verdict = judgeFound(unit, field, zeros, found.keyword)
    verdict.cost += COST.lookAlike
    return verdict
  }
  const isMember = keywordOfList(unit, field, at) === unit.keyword
  return { cost: isMember ? 0 : FORM.noKeyword, agrees: isMember, isConflict: false }
}

/** Begin of the letters O that stand for zeros at the head of the number: the OO of REOO815. */
function misreadZeros({ codes, gaps, fieldFrom }: FieldSpan, at: number): number {
  let zero = at
  // fieldFrom <= zero - 1, zero < fieldTo
  while (zero > fieldFrom && gaps[zero] === GAP_NONE && codes[zero - 1] === LETTER_O) zero -= 1
  return zero
}

function judgeFound(
  unit: ReferenceUnit,
  field: FieldSpan,
  at: number,
  keyword: number,
): KeywordVerdict {
  if (keyword === unit.keyword) {
    const isSame = endsWith(field, at, unit.prefix)
    return { cost: isSame ? 0 : FORM.otherKeyword, agrees: true, isConflict: false }
  }
  if (keyword === CLASS_NUMBER || unit.keyword === CLASS_NUMBER) {
    return neither(FORM.otherKeyword)
  }
  const isCustomer = keyword === CUSTOMER || unit.keyword === CUSTOMER
  return neither(isCustomer ? FORM.customerForOther : FORM.otherClass)
}

/** Neither the same class nor a conflict. */
function neither(cost: number): KeywordVerdict {
  return { cost, agrees: false, isConflict: false }
}

function costUnasked(
  unit: ReferenceUnit,
  { codes, gaps, fieldFrom }: FieldSpan,
  at: number,
  found: KeywordPlace,
): number {
  if (found.keyword !== NO_CLASS) return FORM.keywordUnasked
  if (at === fieldFrom || unit.head > 0) return 0
  const gap = gaps[at]! // at < fieldTo
  const isJoined = gap !== GAP_BLANK && gap < GAP_STRONG
  return isJoined && isLetter(codes[at - 1]!) ? FORM.lettersUnasked : 0
}

/** Letters before the number that are no keyword: glued to a word, misspelled, or others. */
function judgeLetters(unit: ReferenceUnit, field: FieldSpan, at: number): KeywordVerdict {
  const { prefix } = unit
  if (endsWith(field, at, prefix)) return neither(FORM.keywordGluedToWord)
  const { codes, gaps, fieldFrom } = field
  let from = at - 1
  while (from > fieldFrom && gaps[from] === GAP_NONE && isLetter(codes[from - 1]!)) from -= 1
  const length = at - from
  if (length === prefix.length && length > 1) {
    let same = 0
    for (let i = 0; i < length; i++) if (prefix[i] === codes[from + i]) same += 1
    if (same * 2 >= length) return neither(FORM.keywordMisspelled)
  }
  if (!unit.isJoined) return neither(FORM.unknownLetters)
  return { cost: conflictCost(unit.length), agrees: false, isConflict: true }
}

function endsWith({ codes, fieldFrom }: FieldSpan, at: number, prefix: Uint8Array): boolean {
  const from = at - prefix.length
  if (from < fieldFrom) return false
  for (let i = 0; i < prefix.length; i++) if (codes[from + i] !== prefix[i]) return false
  return prefix.length > 0
}

/**
 * The class that a list gives to its member at a place: `RE 1001, 1002 u. 1003`. Its members have
 * similar lengths, and at least a blank between them.
 */
function keywordOfList(
  { length }: ReferenceUnit,
  { codes, gaps, fieldFrom }: FieldSpan,
  at: number,
): number {
  const found: KeywordPlace = { from: at, keyword: NO_CLASS }
  let place = at
  for (let member = 0; member < MEMBERS_PASSED_MAX; member++) {
    if (place === fieldFrom || gaps[place] === GAP_JOINING) return NO_CLASS
    let from = place
    while (from > fieldFrom && isLetter(codes[from - 1]!)) from -= 1 // fieldFrom <= from - 1
    if (from < place && keywordAt(codes, from, place) !== CLASS_FILLER) return NO_CLASS
    const end = from
    while (from > fieldFrom && isDigit(codes[from - 1]!) && (from === end || gaps[from] === 0)) {
      from -= 1
    }
    const difference = end - from - length
    if (end === from || difference > 1 || difference < -1) return NO_CLASS
    place = from
    keywordBefore(codes, gaps, fieldFrom, place, found)
    if (found.keyword !== NO_CLASS) return found.keyword
  }
  return NO_CLASS
}
