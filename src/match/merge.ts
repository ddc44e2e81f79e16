import { strict as assert } from 'node:assert'
import { ROW_GONE } from '../ordinals/ordinal.js'
import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { FIELD_COUNT } from './fields.js'
import { CODES_MAX, type MatchIndex, withGrams } from './match-index.js'

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
  const offsets = mergedOffsets(sources, rowCount)
  const length = offsets.at(-1)! // there is one more than fields
  const codes = sharedBytes(length)
  const gaps = sharedBytes(length)
  const marks = sharedBytes(length)
  for (const { index, ordinalOf } of sources) {
    for (let row = 0; row < ordinalOf.length; row++) {
      const moved = ordinalOf[row]!
      if (moved === ROW_GONE) continue
      const end = index.offsets[(row + 1) * FIELD_COUNT]! // row < rows of the source
      let to = offsets[moved * FIELD_COUNT]! // moved < rowCount
      for (let at = index.offsets[row * FIELD_COUNT]!; at < end; at++) {
        codes[to] = index.codes[at]!
        gaps[to] = index.gaps[at]!
        marks[to] = index.marks[at]!
        to += 1
      }
    }
  }
  return withGrams({ rowCount, codes, gaps, marks, offsets })
}

/** Offsets of the fields: first the length of each at the next one, and then the sums of these. */
function mergedOffsets(sources: readonly MovedMatches[], rowCount: number): Uint32Array {
  const offsets = sharedUint32(rowCount * FIELD_COUNT + 1)
  for (const { index, ordinalOf } of sources) {
    for (let row = 0; row < ordinalOf.length; row++) {
      const moved = ordinalOf[row]!
      if (moved === ROW_GONE) continue
      const from = row * FIELD_COUNT
      const to = moved * FIELD_COUNT
      for (let next = 1; next <= FIELD_COUNT; next++) {
        offsets[to + next] = index.offsets[from + next]! - index.offsets[from + next - 1]!
      }
    }
  }
  let sum = 0
  for (let place = 0; place < offsets.length; place++) {
    sum += offsets[place]!
    offsets[place] = sum
  }
  assert(sum <= CODES_MAX, 'a segment has less than 4 GB of compact fields')
  return offsets
}
