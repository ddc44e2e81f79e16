import { sharedUint32 } from '../ordinals/shared-memory.js'
import { type CompactRows, FIELD_COUNT } from './fields.js'
import { GRAM_COLUMNS, listGramColumns } from './grams.js'

/**
 * Rows from which on a segment has a trigram index, 128 bytes a row: comparing all of fewer rows
 * takes a millisecond.
 */
export const MATCH_GRAMS_ROWS_MIN = 1_024

/**
 * The fields of all rows of a segment that may contain a reference. Arrays are in shared memory and
 * never change.
 *
 *   FIELD     SIZE                        HOLDS
 *   rowCount                              rows of the segment
 *   grams     4 × GRAM_COLUMNS × words,   bit r & 31 of grams[column × words + (r >>> 5)] = row r
 *             or none                     has a trigram of that column; words = (rows + 31) >>> 5;
 *                                         none in segments of fewer than MATCH_GRAMS_ROWS_MIN rows
 */
export interface MatchIndex extends CompactRows {
  readonly rowCount: number
  readonly grams: Uint32Array
}

/** Maximum codes of an index: their offsets are 32-bit. */
export const CODES_MAX = 0xffff_ffff

/** Completes the index of rows whose fields are compact. */
export function withGrams(rows: Omit<MatchIndex, 'grams'>): MatchIndex {
  const { rowCount, codes, gaps, offsets } = rows
  if (rowCount < MATCH_GRAMS_ROWS_MIN) return { ...rows, grams: sharedUint32(0) }
  const words = (rowCount + 31) >>> 5
  const grams = sharedUint32(GRAM_COLUMNS * words)
  const columns = new Uint16Array(longestField(offsets))
  const field = { codes, gaps, from: 0, to: 0 }
  for (let place = 0; place < FIELD_COUNT * rowCount; place++) {
    field.from = field.to
    field.to = offsets[place + 1]! // there is an offset more than fields
    const count = listGramColumns(field, columns)
    const row = (place / FIELD_COUNT) | 0
    const bit = 1 << (row & 31)
    for (let i = 0; i < count; i++) grams[columns[i]! * words + (row >>> 5)]! |= bit // i < count
  }
  return { ...rows, grams }
}

function longestField(offsets: Uint32Array): number {
  let longest = 0
  for (let next = 1; next < offsets.length; next++) {
    const length = offsets[next]! - offsets[next - 1]!
    if (length > longest) longest = length
  }
  return longest
}
