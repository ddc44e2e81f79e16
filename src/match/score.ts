import { type CodeSpan, MASKED } from './codes.js'
import {
  type Comparison,
  comparison,
  KIND_CONFLICT,
  KIND_EXACT,
  KIND_REGROUPED,
  type MatchScore,
  type UnitScore,
} from './comparison.js'
import {
  FORM,
  percentOf,
  SCORE_MAX,
  SECONDARY_CHARGED_MAX,
  SECONDARY_PERCENT,
  WHOLE_FIELD_WORTH,
  WORDS_BESIDE_WORTH,
  WORDS_WORTH,
} from './costs.js'
import { NO_CLASS } from './dictionary.js'
import { compactFields, type MatchFields, PRIMANOTA } from './fields.js'
import type { Reference } from './reference.js'
import { type RowView, viewRow } from './row-view.js'
import { scoreUnit } from './unit-score.js'
import { findUnits, type UnitSet } from './unit-set.js'
import type { ReferenceUnit } from './units.js'

/** Field -> its rank as evidence, higher is better. */
const FIELD_RANK: readonly number[] = [1, 5, 3, 2, 0, 4]

/** Scores a transaction by its texts. @see scoreRow */
export function scoreMatch(reference: Reference, fields: MatchFields): MatchScore {
  const scratch = comparison(compactFields(fields))
  viewRow(scratch.row, 0)
  scoreRow(reference, scratch)
  return scratch.result
}

/**
 * Scores the row in view; the score, `scratch.result`, depends only on the reference and the fields
 * of the row.
 * @param scoreMin a score below it may be returned as 0
 */
export function scoreRow(reference: Reference, scratch: Comparison, scoreMin = 1): void {
  const { primary, secondary, words } = reference
  const { result } = scratch
  result.score = 0
  result.quality = 0
  if (primary.units.length === 0) {
    scoreWords(reference, scratch)
    return
  }
  const seen = findUnits(primary, scratch.row)
  let missing = primary.units.length - bitsOf(seen | primary.spellings)
  // If the best of them does not reach it, nothing else is relevant.
  const least = scoreMin > 1 ? scoreMin + missingCost(missing) : 1
  const isReached = least > 1 && isAnyReached(primary.units, seen, scratch, least)
  const mayReach = isReached || (words.units.length > 0 && scoreMin <= WORDS_BESIDE_WORTH)
  if (least > 1 && !mayReach && !isSecondaryReached(reference, scratch, scoreMin)) return
  if (isReached && missing >= SECONDARY_CHARGED_MAX) {
    scoreBest(primary.units, seen, scratch, least)
  } else {
    missing += scoreAll(primary, seen, scratch)
  }
  // Further missing ones cost nothing.
  if (secondary.units.length > 0 && (result.score === 0 || missing < SECONDARY_CHARGED_MAX)) {
    missing += scoreSecondary(reference, scratch)
  }
  if (result.score === 0 && (words.units.length === 0 || scoreMin > WORDS_BESIDE_WORTH)) return
  let cost = missingCost(missing)
  let share = 0
  if (words.units.length > 0) {
    share = wordsPercent(reference, scratch)
    cost += percentOf(missingWordsCost(primary.units), 100 - share)
  }
  result.score = result.score > cost ? result.score - cost : 0
  if (result.score === 0) result.quality = 0
  // The references may be worth less than the words alone.
  keepBetter(result, percentOf(WORDS_BESIDE_WORTH, share), share)
}

/** Cost of all words of a query; a date, and numbers of a few digits, say little without them. */
function missingWordsCost(units: readonly ReferenceUnit[]): number {
  const isOneDate = units.length <= DATE_SPELLINGS && units.every(isOfMask)
  if (isOneDate) return FORM.wordsOfDateMissing
  const isOfUpTo = (length: number): boolean => {
    return units.every(({ keyword, significant }) => keyword === NO_CLASS && significant <= length)
  }
  if (isOfUpTo(4)) return FORM.wordsOfShortMissing
  return isOfUpTo(5) ? FORM.wordsOfFiveMissing : FORM.wordsMissing
}

/** References of a date: with and without its century, and in another order. */
const DATE_SPELLINGS = 3

/** Whether a reference is a date, an amount or the like. */
function isOfMask({ visible }: ReferenceUnit): boolean {
  return visible < MASKED
}

/** Cost of missing references. */
function missingCost(missing: number): number {
  return (missing < SECONDARY_CHARGED_MAX ? missing : SECONDARY_CHARGED_MAX) * FORM.secondaryMissing
}

const KIND_SHIFT = 15

function keepBetter(result: MatchScore, score: number, quality: number): void {
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
 * @returns how many of them have score 0, spellings of a date aside
 */
function scoreAll({ units, spellings }: UnitSet, seen: number, scratch: Comparison): number {
  const { inRow, result } = scratch
  let missing = 0
  for (let left = seen; left !== 0; left &= left - 1) {
    const number = 31 - Math.clz32(left & -left)
    scoreInRow(units[number]!, number, scratch) // of a unit
    if (inRow.score === 0 && ((spellings >>> number) & 1) === 0) missing += 1
    keepBetter(result, inRow.score, inRow.quality)
  }
  return missing
}

/**
 * Scores the best of the primary units, where one of them reaches `least` and the number of the
 * others is irrelevant. A score below the best so far is taken as 0, except where several fields
 * may have the same, which is evidence whatever their score.
 */
function scoreBest(
  units: readonly ReferenceUnit[],
  seen: number,
  scratch: Comparison,
  least: number,
): void {
  const { inRow, result, row } = scratch
  for (let left = seen; left !== 0; left &= left - 1) {
    const number = 31 - Math.clz32(left & -left)
    const unit = units[number]! // of a unit
    scratch.scoreMin = least > result.score ? least : result.score
    if (fieldsWith(number, row) > 1) {
      if (!isInRow(unit, number, scratch)) continue
      scratch.scoreMin = 1
    }
    scoreInRow(unit, number, scratch)
    keepBetter(result, inRow.score, inRow.quality)
  }
  scratch.scoreMin = 1
}

/** Number of fields that a unit was found in. */
function fieldsWith(number: number, { fields }: RowView): number {
  let count = 0
  for (const field of fields) count += (field.units >>> number) & 1
  return count
}

/**
 * Whether a secondary unit may lift a transaction without a primary one to a score. If so, the
 * primary units are searched again.
 */
function isSecondaryReached(
  { primary, secondary }: Reference,
  scratch: Comparison,
  scoreMin: number,
): boolean {
  if (secondary.units.length === 0) return false
  const leastWithout = scoreMin + missingCost(primary.units.length - bitsOf(primary.spellings))
  // Rounded up, because the share of a score is rounded down.
  const least = Math.ceil((leastWithout * 100) / SECONDARY_PERCENT)
  if (least > SCORE_MAX) return false
  const seen = findUnits(secondary, scratch.row)
  if (!isAnyReached(secondary.units, seen, scratch, least)) return false
  findUnits(primary, scratch.row)
  return true
}

/** Whether one of the units reaches a score. @param seen bits of those that may have one */
function isAnyReached(
  units: readonly ReferenceUnit[],
  seen: number,
  scratch: Comparison,
  scoreMin: number,
): boolean {
  if (scoreMin > SCORE_MAX) return false
  scratch.scoreMin = scoreMin
  let isAny = false
  for (let left = seen; left !== 0 && !isAny; left &= left - 1) {
    const number = 31 - Math.clz32(left & -left)
    isAny = isInRow(units[number]!, number, scratch) // of a unit
  }
  scratch.scoreMin = 1
  return isAny
}

/**
 * Counts the secondary units with score 0; if no primary one is found, the best secondary one is
 * the result, and otherwise a year with another digit takes FORM.otherYear away.
 */
function scoreSecondary({ secondary }: Reference, scratch: Comparison): number {
  const { inRow, result } = scratch
  const isFound = result.score > 0
  let missing = 0
  findUnits(secondary, scratch.row)
  for (const [number, unit] of secondary.units.entries()) {
    if (isFound && !unit.isYear) {
      if (!isInRow(unit, number, scratch)) missing += 1
      continue
    }
    scoreInRow(unit, number, scratch)
    if (inRow.score === 0) missing += 1
    if (isFound) {
      const isOther = inRow.score > 0 && inRow.quality >> KIND_SHIFT === KIND_CONFLICT
      if (isOther) result.score = Math.max(1, result.score - FORM.otherYear)
      continue
    }
    const quality = inRow.quality & ((1 << KIND_SHIFT) - 1)
    keepBetter(result, percentOf(inRow.score, SECONDARY_PERCENT), quality)
  }
  return missing
}

/**
 * Scores a unit in its best field, as `scratch.inRow`; further fields with the same score improve
 * the evidence.
 */
function scoreInRow(unit: ReferenceUnit, number: number, scratch: Comparison): void {
  const { inField, inRow } = scratch
  inRow.score = 0
  inRow.quality = 0
  let fieldCount = 0
  for (const field of scratch.row.fields) {
    scoreUnit(unit, number, field, scratch)
    if (inField.score === 0) continue
    if (inField.kind >= KIND_REGROUPED) fieldCount += 1
    keepBetter(inRow, inField.score, qualityInField(inField, field.index))
  }
  if (inRow.score > 0) inRow.quality |= fieldCount << 11
}

/** Whether a unit reaches the comparison's least score, above 0, in one of the fields. */
function isInRow(unit: ReferenceUnit, number: number, scratch: Comparison): boolean {
  for (const field of scratch.row.fields) {
    scoreUnit(unit, number, field, scratch)
    if (scratch.inField.score >= scratch.scoreMin) return true
  }
  return false
}

/** The quality of one field's evidence (MatchScore, without the number of fields). */
export function qualityInField({ kind, agrees, length }: UnitScore, field: number): number {
  const codes = length < 255 ? length : 255
  // A field has a rank.
  return (kind << KIND_SHIFT) | (agrees ? 1 << 14 : 0) | (FIELD_RANK[field]! << 8) | codes
}

/** The share of the words that a transaction has, by their weights; the best field counts. */
function wordsPercent({ words }: Reference, { row, words: runs }: Comparison): number {
  runs.clear()
  for (const field of row.fields) if (field.index !== PRIMANOTA) runs.addField(field)
  return runs.shareOf(words, row.codes)
}

/** Scores a query without a number: by the share of its words, or a field that equals the query. */
function scoreWords(reference: Reference, scratch: Comparison): void {
  const share = wordsPercent(reference, scratch)
  if (share === 0) return
  const { result, row } = scratch
  result.score = percentOf(WORDS_WORTH, share)
  result.quality = share
  for (const field of row.fields) {
    if (field.index === PRIMANOTA || !isWhole(reference.all, field)) continue
    const rank = FIELD_RANK[field.index]! // a field has a rank
    const quality = (KIND_EXACT << KIND_SHIFT) | (1 << 11) | (rank << 8) | share
    keepBetter(result, WHOLE_FIELD_WORTH, quality)
  }
}

function isWhole(wanted: Uint8Array, { codes, from, to }: CodeSpan): boolean {
  if (to - from !== wanted.length) return false
  for (let i = 0; i < wanted.length; i++) if (codes[from + i] !== wanted[i]) return false
  return true
}
