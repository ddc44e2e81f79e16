import { addRows, bitSetOf, emptyWords, ordinalsOf } from '../ordinals/bit-set.js'
import { sortedOnce } from '../ordinals/ordinal-list.js'
import { readWords } from './grams.js'
import { type RowSet, rowSetOf, setOfOrdinals } from './row-set.js'
import { bitWords, type IndexedTexts, type TextIndex } from './text-index.js'
import type { ListedWords, TermWords } from './words-with-term.js'

/** Words of a bit per row that are passed over in the time in which a row is sorted. */
export const BIT_WORDS_PER_SORTED_ROW = 8

/** The union of the rows of words, of common sets and of lists. */
export function rowsOfWords(
  index: TextIndex,
  found: TermWords,
  also: readonly Uint32Array[],
): RowSet {
  const entries = countEntries(index, found, also)
  const areFew = entries * BIT_WORDS_PER_SORTED_ROW <= bitWords(index.rowCount)
  if (areFew) return listRows(index, found, also, entries)
  const words = emptyWords(index.rowCount)
  for (const place of found.common) addBits(words, index.commonRows, place * words.length)
  for (const listed of found.listed) addRowsOfListed(words, index, listed)
  for (const codes of found.codes) addRowsOf(words, index, codes, 0)
  for (const rows of also) addRows(words, rows)
  return rowSetOf(words, index.rowCount)
}

function countEntries(
  { rowOffsets, rowCount }: TextIndex,
  { codes, listed, common }: TermWords,
  also: readonly Uint32Array[],
): number {
  let entries = common.length * bitWords(rowCount)
  for (const rows of also) entries += rows.length
  for (const { grams, start, end } of listed) {
    for (let place = start; place < end; place++) entries += grams.rowCounts[place]!
  }
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
  { codes, listed }: TermWords,
  also: readonly Uint32Array[],
  entries: number,
): RowSet {
  const all = new Uint32Array(entries)
  let end = 0
  for (const list of [...listed.map(codesOfListed), ...codes]) {
    for (let i = 0; i < list.length; i++) {
      // i < list.length, and a code has offsets
      const stop = rowOffsets[list[i]! + 1]!
      for (let at = rowOffsets[list[i]!]!; at < stop; at++) all[end++] = rows[at]!
    }
  }
  for (const list of also) {
    all.set(list, end)
    end += list.length
  }
  return setOfOrdinals(sortedOnce(all), rowCount)
}

/** Codes of the words, ascending for each key. */
function codesOfListed({ grams, from, start, end }: ListedWords): Uint32Array {
  let count = 0
  for (let place = start; place < end; place++) count += grams.counts[place]!
  const codes = new Uint32Array(count)
  let filled = 0
  for (let place = start; place < end; place++) filled = readWords(grams, place, codes, filled)
  if (from > 0) for (let i = 0; i < count; i++) codes[i]! += from
  return codes
}

/** Divisor of a range: words of several keys are marked past that share, and read in order. */
const MARKED_SHARE = 64

/** Whether the words are read in order, each once. @param count of the words, with repeats */
export function areMarked({ from, to, start, end }: ListedWords, count: number): boolean {
  return end - start > 1 && count * MARKED_SHARE > to - from
}

/** Adds the rows of listed words to a bit set. */
export function addRowsOfListed(
  words: Uint32Array,
  index: IndexedTexts,
  listed: ListedWords,
): void {
  const { grams, from, to, start, end } = listed
  const counts = grams.counts.subarray(start, end)
  const read = new Uint32Array(counts.reduce((most, count) => Math.max(most, count), 0))
  const readAt = (place: number): Uint32Array => read.subarray(0, readWords(grams, place, read, 0))
  const count = counts.reduce((sum, words) => sum + words, 0)
  if (!areMarked(listed, count)) {
    for (let place = start; place < end; place++) addRowsOf(words, index, readAt(place), from)
    return
  }
  const marked = emptyWords(to - from)
  for (let place = start; place < end; place++) addRows(marked, readAt(place))
  addRowsOf(words, index, ordinalsOf(bitSetOf(marked)), from)
}

/** Adds the rows of words to a bit set. @param codes less `from` */
function addRowsOf(
  words: Uint32Array,
  { rows, rowOffsets }: IndexedTexts,
  codes: Uint32Array,
  from: number,
): void {
  for (let i = 0; i < codes.length; i++) {
    // i < codes.length, a code has offsets, and rows are below the bits of `words`
    const start = rowOffsets[codes[i]! + from]!
    const end = rowOffsets[codes[i]! + from + 1]!
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
