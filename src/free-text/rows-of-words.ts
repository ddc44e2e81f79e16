import { addRows, emptyWords } from '../ordinals/bit-set.js'
import { sortedOnce } from '../ordinals/ordinal-list.js'
import { type RowSet, rowSetOf, setOfOrdinals } from './row-set.js'
import { bitWords, type IndexedTexts, type TextIndex } from './text-index.js'
import type { TermWords } from './words-with-term.js'

/** The union of the rows of words, of common sets and of lists. */
export function rowsOfWords(
  index: TextIndex,
  found: TermWords,
  also: readonly Uint32Array[],
): RowSet {
  const entries = countEntries(index, found, also)
  // Below an eighth of a bit per row, sorting a list is faster than a pass over all bits.
  if (entries * 8 <= bitWords(index.rowCount)) return listRows(index, found, also, entries)
  const words = emptyWords(index.rowCount)
  for (const place of found.common) addBits(words, index.commonRows, place * words.length)
  for (const codes of found.codes) addRowsOf(words, index, codes)
  for (const rows of also) addRows(words, rows)
  return rowSetOf(words, index.rowCount)
}

function countEntries(
  { rowOffsets, rowCount }: TextIndex,
  { codes, common }: TermWords,
  also: readonly Uint32Array[],
): number {
  let entries = common.length * bitWords(rowCount)
  for (const rows of also) entries += rows.length
  for (const list of codes) {
    for (let i = 0; i < list.length; i++) {
      entries += rowOffsets[list[i]! + 1]! - rowOffsets[list[i]!]!
    }
  }
  return entries
}

/** @param entries of all words and lists; too few for any of them to be a bit per row */
function listRows(
  { rows, rowOffsets, rowCount }: TextIndex,
  { codes }: TermWords,
  also: readonly Uint32Array[],
  entries: number,
): RowSet {
  const all = new Uint32Array(entries)
  let end = 0
  for (const list of codes) {
    for (const code of list) {
      for (let at = rowOffsets[code]!; at < rowOffsets[code + 1]!; at++) all[end++] = rows[at]!
    }
  }
  for (const list of also) {
    all.set(list, end)
    end += list.length
  }
  return setOfOrdinals(sortedOnce(all), rowCount)
}

/** Adds the rows of words to a bit set. */
export function addRowsOf(
  words: Uint32Array,
  { rows, rowOffsets }: IndexedTexts,
  codes: Uint32Array,
): void {
  for (let i = 0; i < codes.length; i++) {
    // i < codes.length, a code has offsets, and rows are below the bits of `words`
    const start = rowOffsets[codes[i]!]!
    const end = rowOffsets[codes[i]! + 1]!
    if (end - start === words.length) addBits(words, rows, start)
    else {
      for (let at = start; at < end; at++) {
        const row = rows[at]!
        words[row >>> 5]! |= 1 << (row & 31)
      }
    }
  }
}

/** Adds the rows of the bit set bits[from ..]. */
function addBits(words: Uint32Array, bits: Uint32Array, from: number): void {
  for (let i = 0; i < words.length; i++) words[i]! |= bits[from + i]!
}
