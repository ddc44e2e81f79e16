import type { MatchAdjustment, MatchEvidence } from '../domain/matched-transaction.js'
import { compactField } from './compact.js'
import { COST, FORM, SCORE_MAX, worthOf } from './costs.js'
import { endCost, startCost } from './edges.js'
import { MATCH_FIELDS, type MatchFields, PRIMANOTA, plainOf } from './fields.js'
import { plainTextOf } from './plain-text.js'
import { scorePrimanota } from './primanota.js'
import type { Reference } from './reference.js'
import { orderInField } from './score.js'
import { type SoughtUnits, seek } from './sought.js'
import {
  type Comparison,
  comparison,
  furtherConflicts,
  isDerived,
  KIND_WORDS,
  scoreUnit,
  type UnitScore,
} from './unit-score.js'
import type { ReferenceUnit } from './units.js'
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

/** The compact form of a single field, with a mapping to its text. */
interface OpenField {
  readonly name: keyof MatchFields
  readonly text: string
  readonly scratch: Comparison
  readonly length: number
  readonly units: Int32Array
}

/** Explains the score of `scoreMatch`; undefined where that is 0. */
export function explainMatch(
  reference: Reference,
  fields: MatchFields,
): MatchExplanation | undefined {
  const open = MATCH_FIELDS.flatMap((name) => {
    const text = fields[name]
    return text === null ? [] : [openField(name, text)]
  })
  if (reference.primary.length === 0) return explainWords(reference, open)
  return (
    explainUnits(reference.primary, reference.primarySought, open, []) ??
    explainUnits(reference.secondary, reference.secondarySought, open, ['lesser_reference'])
  )
}

function openField(name: keyof MatchFields, text: string): OpenField {
  const plain = plainOf(name, text)
  const sink = {
    codes: new Uint8Array(plain.lengthMax),
    gaps: new Uint8Array(plain.lengthMax),
    marks: new Uint8Array(plain.lengthMax),
    units: new Int32Array(plain.lengthMax),
  }
  const length = compactField(plain, sink, 0)
  return { name, text, scratch: comparison(sink), length, units: sink.units }
}

function explainUnits(
  units: readonly ReferenceUnit[],
  sought: SoughtUnits,
  fields: readonly OpenField[],
  before: readonly MatchAdjustment[],
): MatchExplanation | undefined {
  let best: MatchExplanation | undefined
  let bestScore = 0
  let bestOrder = -1
  const one: UnitScore = { score: 0, kind: KIND_WORDS, agrees: false, length: 0 }
  for (const { scratch, length } of fields) {
    const { codes, gaps } = scratch.field
    seek(sought, codes, gaps, 0, length, scratch.found[0]!) // there is a field
  }
  for (const [number, unit] of units.entries()) {
    for (const field of fields) {
      const { scratch, length } = field
      const index = MATCH_FIELDS.indexOf(field.name)
      if (index === PRIMANOTA) scorePrimanota(unit, scratch, 0, length, one)
      else scoreUnit(unit, number, scratch, scratch.found[0]!, 0, length, one)
      if (one.score === 0) continue
      const order = orderInField(one, index)
      if (one.score < bestScore || (one.score === bestScore && order <= bestOrder)) continue
      bestScore = one.score
      bestOrder = order
      best = explainUnit(unit, field, one, before)
    }
  }
  return best
}

function explainUnit(
  unit: ReferenceUnit,
  { name, text, scratch, units, length }: OpenField,
  { kind }: UnitScore,
  before: readonly MatchAdjustment[],
): MatchExplanation {
  const kindName = KIND_NAMES[kind] ?? 'words'
  if (name === 'primanota') {
    const matched = spanOf(text, units, 0, length)
    return { field: name, matched, kind: kindName, adjustments: [...before, 'primanota'] }
  }
  const { trace, alignment, field } = scratch
  const adjustments = [...before, ...adjustmentsOf(unit, scratch)]
  const matched = isDerived(field, trace.from)
    ? memberAt(text, units[trace.from] ?? 0)
    : spanOf(text, units, trace.from, alignment.to)
  return { field: name, matched, kind: kindName, adjustments }
}

function adjustmentsOf(unit: ReferenceUnit, scratch: Comparison): MatchAdjustment[] {
  const { field, trace, alignment, verdict } = scratch
  const start = startCost(field, trace.from)
  const end = endCost(field, alignment.to)
  const isLonger = (cost: number): boolean =>
    cost === COST.longerNumber || cost === COST.insideIdentifier || cost === COST.yearOfNumber
  const isJoined = [start, end].some(
    (cost) => cost === COST.groupBefore || cost === COST.groupAfter,
  )
  const isMissing = verdict.cost === FORM.noKeyword && !verdict.agrees
  const found: [boolean, MatchAdjustment][] = [
    [trace.conflicts + furtherConflicts(unit, trace) > 0, 'digits_differ'],
    [isLonger(start) || isLonger(end), 'longer_number'],
    [alignment.cut > 0, 'cut_off'],
    [isJoined, 'digits_joined'],
    [trace.letterEdits > 0, 'letters_differ'],
    [trace.lookAlikes > 0, 'look_alikes'],
    [trace.headKept < 0, 'letters_missing'],
    [end === COST.letterJoinedAfter || end === COST.lettersAfter, 'letters_joined'],
    [trace.zeros > 0 || start === COST.zerosBefore, 'leading_zeros'],
    [trace.blanks > 0, 'blank_inside'],
    [trace.gapsDiffer > trace.blanks, 'other_separators'],
    [verdict.cost > 0 && !isMissing, 'other_keyword'],
    [isMissing, 'no_keyword'],
    [isDerived(field, trace.from), 'list_member'],
    [worthOf(unit.length, verdict.agrees) < SCORE_MAX, 'short_reference'],
  ]
  return found.flatMap(([isSo, name]) => (isSo ? [name] : []))
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

/** The digits of a member of a list. */
function memberAt(text: string, unit: number): string {
  const { text: plain, origins } = plainTextOf(text)
  let end = unit
  while (/\d/.test(plain.charAt(end))) end += 1
  return origins === undefined
    ? text.slice(unit, end)
    : text.slice(origins[unit], origins[end] ?? text.length)
}

function explainWords(
  { words }: Reference,
  fields: readonly OpenField[],
): MatchExplanation | undefined {
  const place: WordPlace = { percent: 0, from: 0, to: 0 }
  let best: MatchExplanation | undefined
  let bestCount = 0
  for (const { name, text, scratch, units, length } of fields) {
    if (name === 'primanota') continue
    let count = 0
    let from = length
    let to = 0
    for (const word of words) {
      findWord(word, scratch.field.codes, scratch.field.gaps, 0, length, place)
      if (place.percent === 0) continue
      count += place.percent
      if (place.from < from) from = place.from
      if (place.to > to) to = place.to
    }
    if (count <= bestCount) continue
    bestCount = count
    const adjustments: MatchAdjustment[] = count < 100 * words.length ? ['letters_differ'] : []
    best = { field: name, matched: spanOf(text, units, from, to), kind: 'words', adjustments }
  }
  return best
}
