import type { CodeRun } from './code-run.js'
import { isDigit } from './codes.js'
import {
  CUT_OFF_COST,
  percentOf,
  SCORE_MAX,
  SECONDARY_PERCENT,
  WORDS_BESIDE_WORTH,
  WORDS_WORTH,
} from './costs.js'
import { TRUNCATED_MAX } from './distance.js'
import { addGramColumns, gramColumnsOf } from './grams.js'
import type { Reference } from './reference.js'
import type { ReferenceUnit } from './units.js'
import { type WordRequirement, wordRequirement } from './word-requirement.js'

/**
 * A necessary condition, as far as an index knows, for a reference unit to reach a score in a
 * transaction. A transaction that does not meet it does not reach the score; one that does may
 * still not reach it.
 *
 *   FIELD     HOLDS
 *   columns   columns of trigrams (grams.ts), each once
 *   least     how many of them the transaction has; 0 = no condition
 *   cutOff    or it has all of these, having been cut off; undefined = that cannot reach the score
 *   run       codes that one of its fields has; undefined = none are required
 */
export interface Requirement {
  readonly columns: Uint16Array
  readonly least: number
  readonly cutOff: Uint16Array | undefined
  readonly run: CodeRun | undefined
}

/**
 * Requirements of which a transaction has to meet one to reach a score.
 *
 *   FIELD   HOLDS
 *   units   those of the references
 *   words   that of the words alone; undefined = the words alone do not reach the score
 */
export interface Requirements {
  readonly units: readonly Requirement[]
  readonly words: WordRequirement | undefined
}

/**
 * The requirements of a score; undefined = none are known, any transaction may reach it.
 * @param scoreMin 1 to 10,000
 */
export function requirementsOf(reference: Reference, scoreMin: number): Requirements | undefined {
  const { primary, secondary, words } = reference
  const hasUnits = primary.units.length > 0
  const wordsWorth = hasUnits ? WORDS_BESIDE_WORTH : WORDS_WORTH
  const units = primary.units.map((unit) => requirementOf(unit, scoreMin))
  if (hasUnits && percentOf(SCORE_MAX, SECONDARY_PERCENT) >= scoreMin) {
    // Every score rounded down is at least the requested one.
    const ofSecondary = Math.ceil((scoreMin * 100) / SECONDARY_PERCENT)
    for (const unit of secondary.units) units.push(requirementOf(unit, ofSecondary))
  }
  if (words.units.length === 0 || (hasUnits && scoreMin > wordsWorth)) {
    return { units, words: undefined }
  }
  // Rounded up for the same reason. A field that equals the query has all of its words.
  const share = Math.min(100, Math.ceil((scoreMin * 100) / wordsWorth))
  const ofWords = wordRequirement(words, share)
  return ofWords && { units, words: ofWords }
}

function requirementOf(unit: ReferenceUnit, scoreMin: number): Requirement {
  const mayBeCutOff = scoreMin <= SCORE_MAX - CUT_OFF_COST[1]! && unit.canBeCutOff
  const cutOff = mayBeCutOff
    ? gramColumnsOf(unit.patternCodes.subarray(0, -TRUNCATED_MAX))
    : undefined
  const isExact = scoreMin > SCORE_MAX - unit.conflict && !mayBeCutOff
  if (!isExact) return withinEdits(unit, cutOff, mayBeCutOff ? undefined : unit.run)
  const run = unit.run ?? unit.digitRun
  const columns = columnsOfDigits(unit.codes)
  if (columns.length === 0) return withinEdits(unit, cutOff, run)
  return { columns, least: columns.length, cutOff, run }
}

/** An edit breaks four trigrams at most (docs/internals/match-scoring.md, "Candidates"). */
function withinEdits(
  { patternCodes, editsMax }: ReferenceUnit,
  cutOff: Requirement['cutOff'],
  run: Requirement['run'],
): Requirement {
  const columns = gramColumnsOf(patternCodes)
  return { columns, least: Math.max(0, columns.length - 4 * editsMax), cutOff, run }
}

/** Columns of a match without a numeric conflict: each run of digits is unchanged, zeros aside. */
function columnsOfDigits(codes: Uint8Array): Uint16Array {
  const columns = new Set<number>()
  let from = 0
  for (let to = 0; to <= codes.length; to++) {
    if (to < codes.length && isDigit(codes[to]!)) continue // to < codes.length
    addGramColumns(codes.subarray(from, to), columns)
    from = to + 1
  }
  return Uint16Array.from(columns)
}
