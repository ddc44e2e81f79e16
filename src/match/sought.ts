import type { CodeRun } from './code-run.js'
import { type CodeRuns, codeRuns, findRuns } from './code-runs.js'
import {
  type FoundEdits,
  findWithin,
  foundPlaces,
  type Pattern,
  type PatternSet,
  patternSet,
} from './distance.js'

/** The parts of a unit that are searched in a field: its pattern, and its run, if it has one. */
export interface SoughtUnit extends Pattern {
  readonly run: CodeRun | undefined
  readonly canBeCutOff: boolean
}

/**
 * Units that are searched at once, by their numbers.
 *
 *   FIELD       HOLDS
 *   patterns    of all of them
 *   runs        of those that have one
 *   withRun     bits of those with a run: without it they have no score unless cut off
 *   cutOffs     bits of those that the end of a field may cut off
 */
export interface SoughtUnits {
  readonly patterns: PatternSet
  readonly runs: CodeRuns
  readonly withRun: number
  readonly cutOffs: number
}

/**
 * Places of units in a field.
 *
 *   FIELD      HOLDS
 *   units      bits of those that may have a score there; nothing is known of the others
 *   runs       bits of those whose runs are there, as far as the caller needs them
 *   patterns   places of their patterns
 */
export interface SoughtPlaces {
  units: number
  runs: number
  readonly patterns: FoundEdits
}

/** Combines units; each has the number of its position in the array. @param units up to 32 */
export function soughtUnits(units: readonly SoughtUnit[]): SoughtUnits {
  const bitsOf = (isOne: (unit: SoughtUnit) => boolean): number =>
    units.reduce((bits, unit, number) => bits | (isOne(unit) ? 1 << number : 0), 0)
  return {
    patterns: patternSet(units),
    runs: codeRuns(units.map(({ run }) => run)),
    withRun: bitsOf(({ run }) => run !== undefined),
    cutOffs: bitsOf(({ canBeCutOff }) => canBeCutOff),
  }
}

/** Memory for the places of so many units. */
export function soughtPlaces(count: number): SoughtPlaces {
  return { units: 0, runs: 0, patterns: foundPlaces(count) }
}

/** Finds units in a field (docs/internals/match-scoring.md, "Candidates"). */
export function seek(
  { patterns, runs, withRun, cutOffs }: SoughtUnits,
  codes: Uint8Array,
  gaps: Uint8Array,
  from: number,
  to: number,
  places: SoughtPlaces,
): void {
  const found = places.patterns
  findWithin(patterns, codes, from, to, found)
  places.units = found.numbers
  const needy = found.numbers & withRun
  if (needy === 0) return
  places.runs = findRuns(runs, codes, gaps, from, to)
  for (let left = needy & ~places.runs; left !== 0; left &= left - 1) {
    const bit = left & -left
    const isCutOff = (bit & cutOffs) !== 0 && found.atEnd[31 - Math.clz32(bit)] === 1 // of a unit
    if (!isCutOff) places.units ^= bit
  }
}
