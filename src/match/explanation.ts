import type { MatchAdjustment, MatchEvidence } from '../domain/matched-transaction.js'
import { type Comparison, comparison } from './comparison.js'
import { COST, FORM, SCORE_MAX, worthOf } from './costs.js'
import { endCost, startCost } from './edges.js'
import { compactFields, MATCH_FIELDS, type MatchFields, PRIMANOTA } from './fields.js'
import { plainTextOf } from './plain-text.js'
import type { Reference } from './reference.js'
import { type FieldView, viewRow } from './row-view.js'
import { qualityInField } from './score.js'
import { derivedBy, furtherConflicts, hasZeros, scoreUnit } from './unit-score.js'
import { findUnits, type UnitSet } from './unit-set.js'
import type { ReferenceUnit } from './units.js'
import type { WordUnit } from './word-units.js'
import { findWord, type WordPlace } from './words.js'

/** Names of the kinds of evidence, by number (unit-score.ts). */
const KIND_NAMES: readonly MatchEvidence[] = [
  'words',
  'conflict',
  'damaged',
  'regrouped',
  'normalized',
  'exact',
]

/**
 * Why a transaction matches.
 *
 *   FIELD         HOLDS
 *   field         the field with the best evidence
 *   matched       the span of its text that is the reference
 *   kind          kind of the evidence
 *   adjustments   reasons for a lower score, the gravest first
 */
export interface MatchExplanation {
  readonly field: keyof MatchFields
  readonly matched: string
  readonly kind: MatchEvidence
  readonly adjustments: readonly MatchAdjustment[]
}

/**
 * The texts of a transaction, in view in their compact form.
 *
 *   FIELD   HOLDS
 *   units   code -> unit of the plain text of its field
 */
interface TextsInView {
  readonly texts: MatchFields
  readonly scratch: Comparison
  readonly units: Int32Array
}

/** Explains the score of `scoreMatch`; undefined where that is 0. */
export function explainMatch(
  { primary, secondary, words }: Reference,
  texts: MatchFields,
): MatchExplanation | undefined {
  const compact = compactFields(texts)
  const shown = { texts, scratch: comparison(compact), units: compact.units }
  viewRow(shown.scratch.row, 0)
  if (primary.units.length === 0) return explainWords(words.units, shown)
  return (
    explainUnits(primary, shown, []) ??
    explainUnits(secondary, shown, ['lesser_reference']) ??
    explainWords(words.units, shown)
  )
}

function explainUnits(
  set: UnitSet,
  shown: TextsInView,
  adjustments: readonly MatchAdjustment[],
): MatchExplanation | undefined {
  const { row, inField } = shown.scratch
  let best: MatchExplanation | undefined
  let bestScore = 0
  let bestQuality = -1
  findUnits(set, row)
  for (const [number, unit] of set.units.entries()) {
    for (const field of row.fields) {
      scoreUnit(unit, number, field, shown.scratch)
      const { score } = inField
      const quality = qualityInField(inField, field.index)
      if (score === 0 || score < bestScore) continue
      if (score === bestScore && quality <= bestQuality) continue
      bestScore = score
      bestQuality = quality
      const { adjustments: more, ...explanation } = explainUnit(unit, field, shown)
      best = { ...explanation, adjustments: [...adjustments, ...more] }
    }
  }
  return best
}

/** Explains the score of a unit in a field, directly after {@link scoreUnit}. */
function explainUnit(
  unit: ReferenceUnit,
  field: FieldView,
  { texts, scratch, units }: TextsInView,
): MatchExplanation {
  const { trace, alignment, inField } = scratch
  const name = MATCH_FIELDS[field.index]! // of a field
  const text = texts[name] ?? ''
  const kind = KIND_NAMES[inField.kind] ?? 'words'
  if (field.index === PRIMANOTA) {
    const matched = spanOf(text, units, field.from, field.to)
    return { field: name, matched, kind, adjustments: ['primanota'] }
  }
  const matched = spanOf(text, units, trace.from, alignment.to)
  return { field: name, matched, kind, adjustments: adjustmentsOf(unit, field, scratch) }
}

function adjustmentsOf(
  unit: ReferenceUnit,
  field: FieldView,
  { trace, alignment, keyword }: Comparison,
): MatchAdjustment[] {
  const start = startCost(field, trace.from)
  const end = endCost(field, alignment.to)
  const isLonger = (cost: number): boolean =>
    cost === COST.longerNumber || cost === COST.insideIdentifier || cost === COST.yearOfNumber
  const isJoined = [start, end].some(
    (cost) => cost === COST.groupBefore || cost === COST.groupAfter,
  )
  const isMissing = keyword.cost === FORM.noKeyword && !keyword.agrees
  const rows: [boolean, MatchAdjustment][] = [
    [trace.conflicts + furtherConflicts(unit, trace) > 0, 'digits_differ'],
    [isLonger(start) || isLonger(end), 'longer_number'],
    [alignment.cut > 0, 'cut_off'],
    [isJoined, 'digits_joined'],
    [trace.letterEdits > 0, 'letters_differ'],
    [trace.lookAlikes > 0, 'look_alikes'],
    [trace.headLetters < 0, 'letters_missing'],
    [end === COST.letterJoinedAfter || end === COST.lettersAfter, 'letters_joined'],
    [trace.zeros > 0 || start === COST.zerosBefore, 'leading_zeros'],
    [trace.blanks > 0, 'blank_inside'],
    [trace.gapsDiffer > trace.blanks, 'other_separators'],
    [keyword.cost > 0 && !isMissing, 'other_keyword'],
    [isMissing, 'no_keyword'],
    [derivedBy(field, trace.from) > 0, 'list_member'],
    [worthOf(unit, keyword.agrees, hasZeros(field, trace)) < SCORE_MAX, 'short_reference'],
  ]
  return rows.flatMap(([applies, name]) => (applies ? [name] : []))
}

/** The span of the original text for a span of codes. */
function spanOf(text: string, units: Int32Array, from: number, to: number): string {
  const { text: plain, origins } = plainTextOf(text)
  const first = units[from] ?? 0
  const last = units[to - 1] ?? first
  if (origins === undefined) return text.slice(first, last + 1)
  let next = last + 1
  while (next < plain.length && origins[next] === origins[last]) next += 1
  return text.slice(origins[first], next < plain.length ? origins[next] : text.length)
}

function explainWords(
  words: readonly WordUnit[],
  { texts, scratch, units }: TextsInView,
): MatchExplanation | undefined {
  const place: WordPlace = { percent: 0, from: 0, to: 0 }
  let best: MatchExplanation | undefined
  let bestPercent = 0
  for (const field of scratch.row.fields) {
    if (field.index === PRIMANOTA) continue
    let percent = 0
    let from = field.to
    let to = 0
    for (const word of words) {
      findWord(word, field, place)
      if (place.percent === 0) continue
      percent += place.percent
      if (place.from < from) from = place.from
      if (place.to > to) to = place.to
    }
    if (percent <= bestPercent) continue
    bestPercent = percent
    const name = MATCH_FIELDS[field.index]! // of a field
    const matched = spanOf(texts[name] ?? '', units, from, to)
    const adjustments: MatchAdjustment[] = percent < 100 * words.length ? ['letters_differ'] : []
    best = { field: name, matched, kind: 'words', adjustments }
  }
  return best
}
