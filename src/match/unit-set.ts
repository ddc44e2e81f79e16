import { type CodeRuns, codeRuns, findRuns } from './code-runs.js'
import { LEADING_ZERO, MASKED } from './codes.js'
import { NO_CLASS } from './dictionary.js'
import { findWithin, type PatternSet, patternSet } from './distance.js'
import { PRIMANOTA } from './fields.js'
import type { FieldView, RowView } from './row-view.js'
import type { ReferenceUnit } from './units.js'

/**
 * Units that are searched at once; each has the number of its position.
 *
 *   FIELD      HOLDS
 *   patterns   of all of them
 *   runs       of those that have one
 *   withRun    bits of those with a run: without it they have no score unless cut off
 *   cutOffs    bits of those that the end of a field may cut off
 *   spellings  bits of the further spellings of a date, which may be missing
 */
export interface UnitSet {
  readonly units: readonly ReferenceUnit[]
  readonly patterns: PatternSet
  readonly runs: CodeRuns
  readonly withRun: number
  readonly cutOffs: number
  readonly spellings: number
}

/** Combines units. @param units up to UNITS_MAX */
export function unitSet(units: readonly ReferenceUnit[]): UnitSet {
  const bitsOf = (isOne: (unit: ReferenceUnit) => boolean): number =>
    units.reduce((bits, unit, number) => bits | (isOne(unit) ? 1 << number : 0), 0)
  return {
    units,
    patterns: patternSet(units),
    runs: codeRuns(units.map(({ run }) => run)),
    withRun: bitsOf(({ run }) => run !== undefined),
    cutOffs: bitsOf(({ canBeCutOff }) => canBeCutOff),
    spellings: bitsOf(({ visible, editsMax }) => visible < MASKED && editsMax === 0),
  }
}

/**
 * Searches the fields of a row for units (docs/internals/match-scoring.md, "Candidates"): writes
 * `units` of each field, and where they are.
 * @returns bits of the units that may have a score in one of the fields; the others have none
 */
export function findUnits(set: UnitSet, { fields }: RowView): number {
  let units = 0
  for (const field of fields) {
    if (field.index === PRIMANOTA) findInPrimanota(set, field)
    else findInField(set, field)
    units |= field.units
  }
  return units
}

function findInField({ patterns, runs, withRun, cutOffs }: UnitSet, field: FieldView): void {
  const { places } = field
  findWithin(patterns, field)
  field.units = places.numbers
  const needRun = places.numbers & withRun
  if (needRun === 0) return
  field.runs = findRuns(runs, field)
  for (let left = needRun & ~field.runs; left !== 0; left &= left - 1) {
    const bit = left & -left
    const isCutOff = (bit & cutOffs) !== 0 && places.atEnd[31 - Math.clz32(bit)] === 1 // of a unit
    if (!isCutOff) field.units ^= bit
  }
}

/**
 * A unit is found in a primanota when they are equal, leading zeros of the primanota aside. A query
 * with a prefix or with more leading zeros does not ask for a primanota.
 */
function findInPrimanota({ units }: UnitSet, field: FieldView): void {
  const { codes, to } = field
  let from = field.from
  while (from < to && codes[from] === LEADING_ZERO) from += 1 // to <= codes.length
  const zeros = from - field.from
  field.units = 0
  for (let number = 0; number < units.length; number++) {
    const unit = units[number]! // number < units.length
    const wanted = unit.length - unit.significant
    const isAsked = unit.keyword === NO_CLASS && wanted <= zeros
    let isEqual = isAsked && to - from === unit.significant
    for (let i = 0; isEqual && from + i < to; i++) {
      isEqual = codes[from + i] === unit.codes[wanted + i]
    }
    if (isEqual) field.units |= 1 << number
  }
}
