import { sharedUint32 } from '../ordinals/shared-memory.js'
import { MATCH_FIELDS } from './fields.js'
import { GRAM_COLUMNS, listGramColumns } from './grams.js'

/**
 * Rows from which on a segment has a trigram index, 128 bytes a row: comparing all of fewer rows
 * takes a millisecond.
 */
export const MATCH_GRAMS_ROWS_MIN = 1_024

/**
 * The fields of all rows of a segment that may contain a reference, in compact form (codes.ts).
 * Arrays are in shared memory and never change.
 *
 *   FIELD     SIZE                        HOLDS
 *   rowCount                              rows of the segment
 *   codes     1 × codes                   rows one after another, each with its fields in the order
 *                                         of MATCH_FIELDS
 *   gaps      1 × codes                   the gap before each code
 *   marks     1 × codes                   its other properties for an alignment (marks.ts)
 *   ends      4 × 6 × rows                6 × row + field -> where its codes end; they begin where
 *                                         those of the field before end
 *   grams     4 × GRAM_COLUMNS × words,   bit r & 31 of grams[column × words + (r >>> 5)] = row r
 *             or none                     has a trigram of that column; words = (rows + 31) >>> 5;
 *                                         none in segments of fewer than MATCH_GRAMS_ROWS_MIN rows
 */
export interface MatchIndex {
  readonly rowCount: number
  readonly codes: Uint8Array
  readonly gaps: Uint8Array
  readonly marks: Uint8Array
  readonly ends: Uint32Array
  readonly grams: Uint32Array
}

/** Maximum codes of an index: their offsets are 32-bit. */
export const CODES_MAX = 0xffff_ffff

/** Fields of a row. */
export const FIELD_COUNT = MATCH_FIELDS.length

/** Begin of the codes of a row; for row `rowCount`, the end of all codes. */
export function rowBegin(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : ends[row * FIELD_COUNT - 1]! // row <= rows
}

/** Completes the index of rows whose fields are compact. */
export function withGrams(rows: Omit<MatchIndex, 'grams'>): MatchIndex {
  const { rowCount, codes, gaps, ends } = rows
  if (rowCount < MATCH_GRAMS_ROWS_MIN) return { ...rows, grams: sharedUint32(0) }
  const words = (rowCount + 31) >>> 5
  const grams = sharedUint32(GRAM_COLUMNS * words)
  const columns = new Uint16Array(longestField(ends))
  for (let place = 0, begin = 0; place < ends.length; place++) {
    const end = ends[place]!
    const count = listGramColumns(codes, gaps, begin, end, columns)
    const row = (place / FIELD_COUNT) | 0
    const bit = 1 << (row & 31)
    for (let i = 0; i < count; i++) grams[columns[i]! * words + (row >>> 5)]! |= bit // i < count
    begin = end
  }
  return { ...rows, grams }
}

function longestField(ends: Uint32Array): number {
  let longest = 0
  for (let place = 0, begin = 0; place < ends.length; place++) {
    const end = ends[place]!
    if (end - begin > longest) longest = end - begin
    begin = end
  }
  return longest
}
