import { strict as assert } from 'node:assert'
import { sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { COMMON_COST_MIN, chooseCommon } from './common-terms.js'
import type { IndexDraft, WordRange } from './draft.js'
import { buildGrams } from './grams.js'
import { bitWords, type TextIndex } from './text-index.js'
import { varintBytes, writeVarint } from './varint.js'
import type { WordTable } from './word-table.js'

/** Offsets are 32-bit. */
const OFFSET_MAX = 0xffff_ffff

/** Builds the index of a draft, whose last row has ended. */
export function layOut(draft: IndexDraft): TextIndex {
  const codes = numberWords(draft)
  const firstFormsFrom = draft.tables[0].count
  const secondFormsFrom = firstFormsFrom + draft.tables[1].count
  const words = copyWords(draft, codes)
  const { rowOffsets, rows } = listRows(draft, codes, words.wordOffsets.length - 1)
  const indexed = { ...words, rowOffsets }
  const index = {
    rowCount: draft.rowCount,
    firstFormsFrom,
    secondFormsFrom,
    ...words,
    rowOffsets,
    rows,
    ...listRowWords(draft, codes),
    equalGrams: buildGrams(indexed, 0, firstFormsFrom),
    firstGrams: buildGrams(indexed, firstFormsFrom, secondFormsFrom),
    secondGrams: buildGrams(indexed, secondFormsFrom, rowOffsets.length - 1),
  }
  const costMin = Math.max(COMMON_COST_MIN, bitWords(draft.rowCount) * 2)
  return { ...index, ...chooseCommon(index, costMin) }
}

/** For each range the code in the index by the code in the range's table. */
type CodesByRange = readonly [Uint32Array, Uint32Array, Uint32Array]

/** Most frequent first, so that the codes of most words of a row are short, and near each other. */
function numberWords({ tables }: IndexDraft): CodesByRange {
  const [equal, first, second] = tables
  return [
    numberTable(equal, 0),
    numberTable(first, equal.count),
    numberTable(second, equal.count + first.count),
  ]
}

/** Counting sort by rows, descending; equal ones in order of first appearance. */
function numberTable({ count, rowCounts }: WordTable, from: number): Uint32Array {
  let most = 0
  for (let word = 0; word < count; word++) most = Math.max(most, rowCounts[word]!)
  const starts = new Uint32Array(most + 1)
  for (let word = 0; word < count; word++) starts[rowCounts[word]!]! += 1
  for (let rows = most, next = from; rows >= 0; rows--) {
    const wordsOfRows = starts[rows]!
    starts[rows] = next
    next += wordsOfRows
  }
  const codes = new Uint32Array(count)
  for (let word = 0; word < count; word++) codes[word] = starts[rowCounts[word]!]!++
  return codes
}

function copyWords(
  { tables }: IndexDraft,
  codes: CodesByRange,
): Pick<TextIndex, 'wordBytes' | 'wordOffsets'> {
  const wordOffsets = sharedUint32(tables[0].count + tables[1].count + tables[2].count + 1)
  tables.forEach(({ count, ends }, range) => {
    for (let word = 0, start = 0; word < count; word++) {
      // word < count, the length of codes[range]
      wordOffsets[codes[range as WordRange][word]! + 1] = ends[word]! - start
      start = ends[word]!
    }
  })
  const total = addUp(wordOffsets)
  const wordBytes = sharedBytes(total)
  tables.forEach(({ count, ends, bytes }, range) => {
    for (let word = 0, at = 0; word < count; word++) {
      let to = wordOffsets[codes[range as WordRange][word]!]!
      while (at < ends[word]!) wordBytes[to++] = bytes[at++]!
    }
  })
  return { wordBytes, wordOffsets }
}

/** Prefix sums in place: lengths, each one index later, become offsets. @returns the last */
function addUp(offsets: Uint32Array): number {
  let end = 0
  for (let i = 1; i < offsets.length; i++) {
    end += offsets[i]!
    assert(end <= OFFSET_MAX, 'a segment has less than 4 GB of words')
    offsets[i] = end
  }
  return end
}

function listRows(
  { tables, rowCount, rowEnds, entries }: IndexDraft,
  codes: CodesByRange,
  wordCount: number,
): Pick<TextIndex, 'rowOffsets' | 'rows'> {
  const bitsLength = bitWords(rowCount)
  const rowOffsets = sharedUint32(wordCount + 1)
  tables.forEach(({ count, rowCounts }, range) => {
    for (let word = 0; word < count; word++) {
      // word < count, the length of codes[range]
      rowOffsets[codes[range as WordRange][word]! + 1] = Math.min(rowCounts[word]!, bitsLength)
    }
  })
  const rows = sharedUint32(addUp(rowOffsets))
  const ends = rowOffsets.slice(0, wordCount)
  for (let row = 0, at = 0; row < rowCount; row++) {
    for (; at < rowEnds[row]!; at++) {
      const code = codes[(entries[at]! & 3) as WordRange][entries[at]! >>> 2]!
      const start = rowOffsets[code]!
      if (rowOffsets[code + 1]! - start === bitsLength)
        rows[start + (row >>> 5)]! |= 1 << (row & 31)
      else rows[ends[code]!++] = row
    }
  }
  return { rowOffsets, rows }
}

function listRowWords(
  { rowCount, rowEnds, entries }: IndexDraft,
  codes: CodesByRange,
): Pick<TextIndex, 'rowWordOffsets' | 'rowWords'> {
  const rowWordOffsets = sharedUint32(rowCount + 1)
  for (let row = 0, at = 0; row < rowCount; row++) {
    let length = 0
    for (; at < rowEnds[row]!; at++) {
      length += varintBytes(codes[(entries[at]! & 3) as WordRange][entries[at]! >>> 2]!)
    }
    rowWordOffsets[row + 1] = length
  }
  const rowWords = sharedBytes(addUp(rowWordOffsets))
  for (let row = 0, at = 0, end = 0; row < rowCount; row++) {
    for (; at < rowEnds[row]!; at++) {
      end = writeVarint(rowWords, end, codes[(entries[at]! & 3) as WordRange][entries[at]! >>> 2]!)
    }
  }
  return { rowWordOffsets, rowWords }
}
