import {
  FORM,
  percentOf,
  SCORE_MAX,
  SECONDARY_CHARGED_MAX,
  SECONDARY_PERCENT,
  WHOLE_FIELD_WORTH,
  WORDS_WORTH,
} from './costs.js'
import { compactFields, type MatchFields, PRIMANOTA } from './fields.js'
import { scorePrimanota } from './primanota.js'
import type { Reference } from './reference.js'
import { type SoughtPlaces, type SoughtUnits, seek } from './sought.js'
import {
  type Comparison,
  comparison,
  KIND_EXACT,
  KIND_REGROUPED,
  scoreUnit,
  type UnitScore,
} from './unit-score.js'
import type { ReferenceUnit } from './units.js'
import type { WordPlace } from './words.js'

/** Field -> its rank as evidence, higher is better. */
const FIELD_RANK: readonly number[] = [1, 5, 3, 2, 0, 4]

/**
 * How well a reference matches a transaction.
 *
 *   FIELD     HOLDS
 *   score     0 to 10,000; 0 when they have nothing in common
 *   quality   orders equal scores, higher is better: bits 15 and up the kind of evidence, 14
 *             whether the keywords agree, 11 to 13 how many fields have it, 8 to 10 the rank of the
 *             field, 0 to 7 the number of matched codes
 */
export interface MatchScore {
  score: number
  quality: number
}

/** Scores a transaction by its texts. @see scoreCompact */
export function scoreMatch(reference: Reference, fields: MatchFields): MatchScore {
  const scratch = compactFields(fields)
  const result: MatchScore = { score: 0, quality: 0 }
  scoreCompact(reference, comparison(scratch), 0, scratch.ends, result)
  return result
}

/**
 * Scores a transaction; the score depends only on the reference and the transaction's fields.
 * @param scratch its arrays hold the fields, from `from` on
 * @param ends as in {@link CompactFields}
 * @param result out
 * @param scoreMin a score below it may be returned as 0
 */
export function scoreCompact(
  reference: Reference,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  result: MatchScore,
  scoreMin = 1,
): void {
  result.score = 0
  result.quality = 0
  if (reference.primary.length === 0) {
    scoreWords(reference, scratch, from, ends, result)
    return
  }
  const { primary, secondary } = reference
  const seen = findPrimary(reference, scratch, from, ends)
  let missing = primary.length - bitsOf(seen)
  // If the best of them does not reach it, the rest is irrelevant.
  const least = scoreMin > 1 ? scoreMin + missingCost(missing) : 1
  const isReached = least > 1 && isAnyReached(primary, scratch, from, ends, least)
  if (least > 1 && !isReached && !isLesserReached(reference, scratch, from, ends, scoreMin)) return
  if (isReached && missing >= SECONDARY_CHARGED_MAX) {
    scoreBest(primary, seen, scratch, from, ends, least, result)
  } else {
    missing += scoreAll(primary, seen, scratch, from, ends, result)
  }
  const isFound = result.score > 0
  // Further missing ones cost nothing.
  if (secondary.length > 0 && (!isFound || missing < SECONDARY_CHARGED_MAX)) {
    missing += scoreSecondary(reference, scratch, from, ends, result)
  }
  if (result.score === 0) return
  let cost = missingCost(missing)
  if (reference.words.length > 0) {
    const there = wordsPercent(reference, scratch, from, ends)
    cost += percentOf(FORM.wordsMissing, 100 - there)
  }
  result.score = result.score > cost ? result.score - cost : 0
  if (result.score === 0) result.quality = 0
}

/** Cost of missing references. */
function missingCost(missing: number): number {
  return (missing < SECONDARY_CHARGED_MAX ? missing : SECONDARY_CHARGED_MAX) * FORM.secondaryMissing
}

/**
 * Searches for the primary units.
 * @returns bits of those that may have a score; all others have 0
 */
function findPrimary(
  { primary, primarySought }: Reference,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
): number {
  let seen = findInFields(primarySought, scratch, from, ends)
  const begin = ends[PRIMANOTA - 1]! // it is not the first field
  const end = ends[PRIMANOTA]!
  for (let i = 0; begin < end && i < primary.length; i++) {
    scorePrimanota(primary[i]!, scratch, begin, end, scratch.one) // i < primary.length
    if (scratch.one.score > 0) seen |= 1 << i
  }
  return seen
}

const KIND_SHIFT = 15

function takeBetter(result: MatchScore, score: number, quality: number): void {
  if (score < result.score || (score === result.score && quality <= result.quality)) return
  result.score = score
  result.quality = quality
}

/** Number of set bits. */
function bitsOf(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

/**
 * Scores the best of the primary units.
 * @param seen bits of those that may have a score
 * @returns how many of them have score 0
 */
function scoreAll(
  primary: readonly ReferenceUnit[],
  seen: number,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  result: MatchScore,
): number {
  const { best } = scratch
  let missing = 0
  for (let left = seen; left !== 0; left &= left - 1) {
    const number = 31 - Math.clz32(left & -left)
    scoreInFields(primary[number]!, number, scratch, from, ends, best) // of a unit
    if (best.score === 0) missing += 1
    takeBetter(result, best.score, best.quality)
  }
  return missing
}

/**
 * Scores the best of the primary units, where one of them reaches `least` and the number of the
 * others is irrelevant. A score below the best so far is returned as 0, except where several fields
 * may have the same, which is evidence whatever their score.
 */
function scoreBest(
  primary: readonly ReferenceUnit[],
  seen: number,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  least: number,
  result: MatchScore,
): void {
  const { best } = scratch
  for (let left = seen; left !== 0; left &= left - 1) {
    const number = 31 - Math.clz32(left & -left)
    const unit = primary[number]! // of a unit
    scratch.scoreMin = least > result.score ? least : result.score
    if (fieldsWith(number, scratch, from, ends) > 1) {
      if (!isInFields(unit, number, scratch, from, ends)) continue
      scratch.scoreMin = 1
    }
    scoreInFields(unit, number, scratch, from, ends, best)
    takeBetter(result, best.score, best.quality)
  }
  scratch.scoreMin = 1
}

/** Fields that a unit was found in; a primanota counts as one. */
function fieldsWith(
  number: number,
  { found }: Comparison,
  from: number,
  ends: Uint32Array,
): number {
  let count = 0
  let begin = from
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]! // i < ends.length
    if (end > begin && (i === PRIMANOTA || (found[i]!.units & (1 << number)) !== 0)) count += 1
    begin = end
  }
  return count
}

/**
 * Whether a secondary unit may lift a transaction without a primary one to a score. If so, the
 * places of the primary units are restored.
 */
function isLesserReached(
  { primary, primarySought, secondary, secondarySought }: Reference,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  scoreMin: number,
): boolean {
  if (secondary.length === 0) return false
  const leastWithout = scoreMin + missingCost(primary.length)
  // Rounded up, because the share of a score is rounded down.
  const least = Math.ceil((leastWithout * 100) / SECONDARY_PERCENT)
  if (least > SCORE_MAX) return false
  findInFields(secondarySought, scratch, from, ends)
  const isOne = isAnyReached(secondary, scratch, from, ends, least)
  if (isOne) findInFields(primarySought, scratch, from, ends)
  return isOne
}

/** Whether one of the found units reaches a score in a field. */
function isAnyReached(
  units: readonly ReferenceUnit[],
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  scoreMin: number,
): boolean {
  if (scoreMin > SCORE_MAX) return false
  scratch.scoreMin = scoreMin
  let isAny = false
  let begin = from
  for (let i = 0; i < ends.length && !isAny; i++) {
    const end = ends[i]! // i < ends.length
    if (end > begin) {
      isAny =
        i === PRIMANOTA
          ? isAnyPrimanota(units, scratch, begin, end, scoreMin)
          : isAnyInField(units, scratch, scratch.found[i]!, begin, end)
    }
    begin = end
  }
  scratch.scoreMin = 1
  return isAny
}

function isAnyPrimanota(
  units: readonly ReferenceUnit[],
  scratch: Comparison,
  from: number,
  to: number,
  scoreMin: number,
): boolean {
  for (let i = 0; i < units.length; i++) {
    scorePrimanota(units[i]!, scratch, from, to, scratch.one) // i < units.length
    if (scratch.one.score >= scoreMin) return true
  }
  return false
}

function isAnyInField(
  units: readonly ReferenceUnit[],
  scratch: Comparison,
  found: SoughtPlaces,
  from: number,
  to: number,
): boolean {
  for (let left = found.units; left !== 0; left &= left - 1) {
    const number = 31 - Math.clz32(left & -left)
    scoreUnit(units[number]!, number, scratch, found, from, to, scratch.one) // of a unit
    if (scratch.one.score >= scratch.scoreMin) return true
  }
  return false
}

/**
 * Counts the secondary units with score 0; if no primary one is found, the best secondary one is
 * the result.
 */
function scoreSecondary(
  { secondary, secondarySought }: Reference,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  result: MatchScore,
): number {
  const isFound = result.score > 0
  const one: MatchScore = { score: 0, quality: 0 }
  let missing = 0
  findInFields(secondarySought, scratch, from, ends)
  for (let i = 0; i < secondary.length; i++) {
    const unit = secondary[i]! // i < secondary.length
    if (isFound) {
      if (!isInFields(unit, i, scratch, from, ends)) missing += 1
      continue
    }
    scoreInFields(unit, i, scratch, from, ends, one)
    if (one.score === 0) missing += 1
    const quality = one.quality & ((1 << KIND_SHIFT) - 1)
    takeBetter(result, percentOf(one.score, SECONDARY_PERCENT), quality)
  }
  return missing
}

/** Searches all fields but the primanota for the units. @returns bits of the found units */
function findInFields(
  sought: SoughtUnits,
  { field: { codes, gaps }, found }: Comparison,
  from: number,
  ends: Uint32Array,
): number {
  let seen = 0
  let begin = from
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]! // i < ends.length, and there are as many fields
    if (end > begin && i !== PRIMANOTA) {
      seek(sought, codes, gaps, begin, end, found[i]!)
      seen |= found[i]!.units
    }
    begin = end
  }
  return seen
}

/** Scores a unit in its best field; further fields with the same score improve the evidence. */
function scoreInFields(
  unit: ReferenceUnit,
  number: number,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  result: MatchScore,
): void {
  const { one } = scratch
  result.score = 0
  result.quality = 0
  let sayingSo = 0
  let begin = from
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]! // i < ends.length
    if (end > begin) {
      if (i === PRIMANOTA) scorePrimanota(unit, scratch, begin, end, one)
      else scoreUnit(unit, number, scratch, scratch.found[i]!, begin, end, one)
      if (one.score > 0) {
        if (one.kind >= KIND_REGROUPED) sayingSo += 1
        takeBetter(result, one.score, orderInField(one, i))
      }
    }
    begin = end
  }
  if (result.score > 0) result.quality |= sayingSo << 11
}

/** Whether a unit reaches the comparison's least score, above 0, in one of the fields. */
function isInFields(
  unit: ReferenceUnit,
  number: number,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
): boolean {
  const { one } = scratch
  let begin = from
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]! // i < ends.length
    if (end > begin) {
      if (i === PRIMANOTA) scorePrimanota(unit, scratch, begin, end, one)
      else scoreUnit(unit, number, scratch, scratch.found[i]!, begin, end, one)
      if (one.score >= scratch.scoreMin) return true
    }
    begin = end
  }
  return false
}

/** The quality of one field's evidence (MatchScore, without the number of fields). */
export function orderInField({ kind, agrees, length }: UnitScore, field: number): number {
  const codes = length < 255 ? length : 255
  // A field has a rank.
  return (kind << KIND_SHIFT) | (agrees ? 1 << 14 : 0) | (FIELD_RANK[field]! << 8) | codes
}

/** The share of the words that a field has, weighted by their letters; the best field counts. */
function wordsPercent(
  { words }: Reference,
  { field: { codes, gaps }, words: runs }: Comparison,
  from: number,
  ends: Uint32Array,
): number {
  runs.clear()
  let begin = from
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]! // i < ends.length
    if (i !== PRIMANOTA) runs.take(codes, gaps, begin, end)
    begin = end
  }
  const place: WordPlace = { percent: 0, from: 0, to: 0 }
  let letters = 0
  let found = 0
  for (const word of words) {
    runs.find(word, codes, place)
    const length = word.forms[0]!.length // a word has a form
    letters += length
    found += length * place.percent
  }
  return (found / letters) | 0
}

/** Scores a query without a number: by the share of its words, or a field that equals the query. */
function scoreWords(
  reference: Reference,
  scratch: Comparison,
  from: number,
  ends: Uint32Array,
  result: MatchScore,
): void {
  const share = wordsPercent(reference, scratch, from, ends)
  if (share === 0) return
  result.score = percentOf(WORDS_WORTH, share)
  result.quality = share
  const { codes } = scratch.field
  let begin = from
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]! // i < ends.length
    if (i !== PRIMANOTA && isWhole(reference.all, codes, begin, end)) {
      takeBetter(
        result,
        WHOLE_FIELD_WORTH,
        (KIND_EXACT << KIND_SHIFT) | (1 << 11) | (FIELD_RANK[i]! << 8) | share,
      )
    }
    begin = end
  }
}

function isWhole(wanted: Uint8Array, codes: Uint8Array, from: number, to: number): boolean {
  if (to - from !== wanted.length) return false
  for (let i = 0; i < wanted.length; i++) if (codes[from + i] !== wanted[i]) return false
  return true
}
