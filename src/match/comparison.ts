import { type Alignment, emptyAlignment } from './alignment.js'
import type { RunPlaces } from './code-run.js'
import type { CompactRows } from './fields.js'
import type { KeywordComparison } from './keyword.js'
import { type RowView, rowView } from './row-view.js'
import { emptyTrace, type Trace } from './trace.js'
import { WordRuns } from './words.js'

/** Evidence, the weakest first. */
export const KIND_WORDS = 0
export const KIND_CONFLICT = 1
export const KIND_DAMAGED = 2
export const KIND_REGROUPED = 3
export const KIND_NORMALIZED = 4
export const KIND_EXACT = 5

/**
 * The score of a unit in a field.
 *
 *   FIELD    HOLDS
 *   score    0 to 10,000
 *   kind     KIND_CONFLICT to KIND_EXACT; KIND_WORDS when the score is 0
 *   agrees   whether the keywords name the same class
 *   length   codes of the field that it covers
 */
export interface UnitScore {
  score: number
  kind: number
  agrees: boolean
  length: number
}

/**
 * How well a reference, or one of its units, matches a row.
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

/**
 * The row in view, and scratch memory of its comparison with a reference, reused for the next one.
 *
 *   FIELD       HOLDS
 *   row         the row
 *   alignment   of one unit and one field
 *   trace       of that alignment
 *   runPlaces   places of the unit's run in the field
 *   keyword     on the keyword before the unit
 *   inField     score of one unit in one field
 *   inRow       score of one unit in its best field
 *   result      score of the reference
 *   words       words of all fields
 *   scoreMin    a lower score of a unit may be taken as 0
 */
export interface Comparison {
  readonly row: RowView
  readonly alignment: Alignment
  readonly trace: Trace
  readonly runPlaces: RunPlaces
  keyword: KeywordComparison
  readonly inField: UnitScore
  readonly inRow: MatchScore
  readonly result: MatchScore
  readonly words: WordRuns
  scoreMin: number
}

/** Memory to compare rows, one after another. */
export function comparison(rows: CompactRows): Comparison {
  return {
    row: rowView(rows),
    alignment: emptyAlignment(),
    trace: emptyTrace(),
    runPlaces: { first: 0, last: 0 },
    keyword: { cost: 0, agrees: false, isConflict: false },
    inField: { score: 0, kind: KIND_WORDS, agrees: false, length: 0 },
    inRow: { score: 0, quality: 0 },
    result: { score: 0, quality: 0 },
    words: new WordRuns(),
    scoreMin: 1,
  }
}
