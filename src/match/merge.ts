import { strict as assert } from 'node:assert'
import { ROW_GONE } from '../ordinals/ordinal.js'
import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { CODES_MAX, FIELD_COUNT, type MatchIndex, rowBegin, withGrams } from './match-index.js'

/** Source of a merge, and where its rows go. */
export interface MovedMatches {
  readonly index: MatchIndex
  /** New ordinal by old ordinal; {@link ROW_GONE} = the row is deleted. */
  readonly ordinalOf: Uint32Array
}

/**
 * The index of the merged rows, equal to one built from their texts.
 * @param rowCount rows of the new index; those without a source have no fields
 */
export function mergeMatchIndexes(sources: readonly MovedMatches[], rowCount: number): MatchIndex {
  const ends = mergedEnds(sources, rowCount)
  const length = rowBegin(ends, rowCount)
  const codes = sharedBytes(length)
  const gaps = sharedBytes(length)
  const marks = sharedBytes(length)
  for (const { index, ordinalOf } of sources) {
    for (let row = 0; row < ordinalOf.length; row++) {
      const moved = ordinalOf[row]!
      if (moved === ROW_GONE) continue
      const end = rowBegin(index.ends, row + 1)
      let to = rowBegin(ends, moved)
      for (let at = rowBegin(index.ends, row); at < end; at++) {
        codes[to] = index.codes[at]!
        gaps[to] = index.gaps[at]!
        marks[to] = index.marks[at]!
        to += 1
      }
    }
  }
  return withGrams({ rowCount, codes, gaps, marks, ends })
}

/** Ends of the fields: first the length of each, and then the sums of these. */
function mergedEnds(sources: readonly MovedMatches[], rowCount: number): Uint32Array {
  const ends = sharedUint32(rowCount * FIELD_COUNT)
  for (const { index, ordinalOf } of sources) {
    for (let row = 0; row < ordinalOf.length; row++) {
      const moved = ordinalOf[row]!
      if (moved === ROW_GONE) continue
      let begin = rowBegin(index.ends, row)
      for (let field = 0; field < FIELD_COUNT; field++) {
        const end = index.ends[row * FIELD_COUNT + field]!
        ends[moved * FIELD_COUNT + field] = end - begin
        begin = end
      }
    }
  }
  let sum = 0
  for (let place = 0; place < ends.length; place++) {
    sum += ends[place]!
    ends[place] = sum
  }
  assert(sum <= CODES_MAX, 'a segment has less than 4 GB of compact fields')
  return ends
}
