import { sortedOnce } from '../ordinals/ordinal-list.js'
import type { Term } from '../text/normal-forms.js'
import { GRAM_BYTES, type GramTable, gramKey, keysEnd, placeOfKey, wordsOfKey } from './grams.js'
import { bitWords, type IndexedTexts, type TextIndex, wordCount } from './text-index.js'

/** A term's forms in UTF-8. */
export interface TermBytes {
  readonly first: Uint8Array
  readonly second: Uint8Array
  readonly differ: boolean
}

/** A form to search for in one range of words. */
interface TermLookup {
  readonly grams: GramTable
  /** Codes of the range are from .. to - 1. */
  readonly from: number
  readonly to: number
  readonly form: Uint8Array
  /** The set in commonRows that already has the rows. */
  readonly common?: number | undefined
}

/** Words that contain a term, and sets in commonRows with the rows of further words. */
export interface TermWords {
  readonly codes: readonly Uint32Array[]
  readonly common: readonly number[]
}

/** Cost of finding the rows of a term, and their maximum number. */
export interface TermCost {
  /** Approximate nanoseconds, fitted to measurements of the search bench. */
  readonly cost: number
  readonly rowsMax: number
}

/** Entries that are read in the time in which one word is fetched and compared. */
const WORD_COST = 6

/** Nanoseconds per word and per entry of its rows, by the way to find words. */
const COSTS = {
  /** By their rarest three bytes, after `other` lists; then their own bytes are compared. */
  long: { word: 17, row: 1.1, other: 7 },
  /** By one key, which is the term. */
  short: { word: 7, row: 1 },
  /** By several keys; words with several of them are counted once. */
  shorter: { word: 41, row: 2.7 },
} as const

const NO_WORDS = new Uint32Array(0)

/** The UTF-8 of a term. */
export function bytesOfTerm({ first, second }: Term): TermBytes {
  return { first: Buffer.from(first), second: Buffer.from(second), differ: first !== second }
}

/** An estimate by the rarest three bytes of a term, without reading a word. */
export function costOfTerm(index: TextIndex, term: TermBytes): TermCost {
  const bitsLength = bitWords(index.rowCount)
  let cost = 0
  let rowsMax = 0
  for (const lookup of lookupsOf(index, term)) {
    const { counts, rowCounts } = lookup.grams
    if (lookup.common !== undefined) {
      cost += bitsLength
      rowsMax = index.rowCount
      continue
    }
    const places = startingPlaces(lookup)
    const isLong = lookup.form.length > GRAM_BYTES
    const each = isLong ? COSTS.long : places.length > 1 ? COSTS.shorter : COSTS.short
    for (const place of places) {
      cost += counts[place]! * each.word + rowCounts[place]! * each.row
      // A word with as many entries as a bit per row takes may have a bit set.
      rowsMax += rowCounts[place]! < bitsLength ? rowCounts[place]! : index.rowCount
    }
    if (isLong) cost += otherEntries(lookup) * COSTS.long.other
  }
  return { cost, rowsMax: Math.min(rowsMax, index.rowCount) }
}

/** The words in which a term occurs: its first form in theirs, or its second form in theirs. */
export function wordsWithTerm(index: TextIndex, term: TermBytes): TermWords {
  const codes: Uint32Array[] = []
  const common: number[] = []
  for (const lookup of lookupsOf(index, term)) {
    if (lookup.common !== undefined) common.push(lookup.common)
    else codes.push(wordsOf(index, lookup))
  }
  return { codes, common }
}

/** Codes of the words equal in both forms in which one to three bytes occur. */
export function equalWordsWith(index: IndexedTexts, form: Uint8Array): Uint32Array {
  const key = gramKey(form, 0, form.length)
  return wordsOfKeys(index.equalGrams, key, keysEnd(key, form.length), index.firstFormsFrom)
}

/** Whether `wanted`, which is not empty, occurs in bytes[from .. to). */
export function bytesOccur(
  bytes: Uint8Array,
  from: number,
  to: number,
  wanted: Uint8Array,
): boolean {
  const first = wanted[0]!
  const last = to - wanted.length
  for (let at = from; at <= last; at++) {
    if (bytes[at] !== first) continue
    let length = 1
    while (length < wanted.length && bytes[at + length] === wanted[length]) length++
    if (length === wanted.length) return true
  }
  return false
}

/** The first form is sought in words equal in both and in first forms, the second likewise. */
function lookupsOf(index: TextIndex, { first, second, differ }: TermBytes): TermLookup[] {
  const { equalGrams, firstGrams, secondGrams, firstFormsFrom, secondFormsFrom } = index
  const inEqual = (form: Uint8Array): TermLookup => {
    const common = commonPlace(index, form)
    return { grams: equalGrams, from: 0, to: firstFormsFrom, form, common }
  }
  const lookups: TermLookup[] = [
    inEqual(first),
    { grams: firstGrams, from: firstFormsFrom, to: secondFormsFrom, form: first },
    { grams: secondGrams, from: secondFormsFrom, to: wordCount(index), form: second },
  ]
  if (differ) lookups.push(inEqual(second))
  return lookups
}

function commonPlace({ commonKeys }: TextIndex, form: Uint8Array): number | undefined {
  if (form.length > GRAM_BYTES) return undefined
  const key = gramKey(form, 0, form.length)
  const place = placeOfKey(commonKeys, key)
  return commonKeys[place] === key ? place : undefined
}

/** Indexes of the keys that find the words: of the rarest three bytes, or of all keys. */
function startingPlaces({ grams, form }: TermLookup): number[] {
  if (form.length > GRAM_BYTES) return placesOfGrams(grams, form).slice(0, 1)
  const key = gramKey(form, 0, form.length)
  const start = placeOfKey(grams.keys, key)
  const end = placeOfKey(grams.keys, keysEnd(key, form.length))
  return Array.from({ length: end - start }, (_, i) => start + i)
}

/**
 * Entries of the lists, except that of the rarest three bytes, that a long form is intersected
 * with.
 */
function otherEntries({ grams, form }: TermLookup): number {
  const [rarest, ...others] = placesOfGrams(grams, form)
  if (rarest === undefined) return 0
  const { counts } = grams
  const entriesMax = counts[rarest]! * WORD_COST
  return others.reduce((sum, place) => sum + (counts[place]! > entriesMax ? 0 : counts[place]!), 0)
}

function wordsOf(index: TextIndex, { grams, from, to, form }: TermLookup): Uint32Array {
  if (form.length <= GRAM_BYTES) {
    const key = gramKey(form, 0, form.length)
    const words = wordsOfKeys(grams, key, keysEnd(key, form.length), to - from)
    return from === 0 ? words : words.map((word) => word + from)
  }
  const places = placesOfGrams(grams, form)
  if (places.length === 0) return NO_WORDS
  let words = wordsOfKey(grams, places[0]!)
  for (const place of places.slice(1)) {
    if (grams.counts[place]! > words.length * WORD_COST) break
    words = keepListed(words, wordsOfKey(grams, place))
  }
  return keepContaining(index, words, from, form)
}

/** Divisor of the words: up to that share, sorting a list costs less than marking all words. */
const SORTED_SHARE = 32

/** Words of the keys at start .. end - 1, ascending, each once. @param count with repeats */
function distinctWords(grams: GramTable, start: number, end: number, count: number): Uint32Array {
  const words = new Uint32Array(count)
  let filled = 0
  for (let place = start; place < end; place++) {
    const listed = wordsOfKey(grams, place)
    words.set(listed, filled)
    filled += listed.length
  }
  return sortedOnce(words)
}

/** Words of the keys fromKey .. toKey - 1, ascending. @param wordCount words of the range */
function wordsOfKeys(
  grams: GramTable,
  fromKey: number,
  toKey: number,
  wordCount: number,
): Uint32Array {
  const start = placeOfKey(grams.keys, fromKey)
  const end = placeOfKey(grams.keys, toKey)
  if (start === end) return NO_WORDS
  if (start + 1 === end) return wordsOfKey(grams, start)
  const listedCount = grams.counts.subarray(start, end).reduce((sum, words) => sum + words, 0)
  if (listedCount * SORTED_SHARE < wordCount) return distinctWords(grams, start, end, listedCount)
  const seen = new Uint8Array(wordCount)
  let count = 0
  for (let place = start; place < end; place++) {
    for (const word of wordsOfKey(grams, place)) {
      // A word of the range, so below wordCount.
      count += 1 - seen[word]!
      seen[word] = 1
    }
  }
  const words = new Uint32Array(count)
  for (let word = 0, kept = 0; kept < count; word++) {
    words[kept] = word
    kept += seen[word]!
  }
  return words
}

/** Indexes of a form's distinct keys, the rarest first; none when one of them is in no word. */
function placesOfGrams({ keys, counts }: GramTable, form: Uint8Array): number[] {
  const places = new Set<number>()
  for (let at = 0; at + GRAM_BYTES <= form.length; at++) {
    const key = gramKey(form, at, form.length)
    const place = placeOfKey(keys, key)
    if (keys[place] !== key) return []
    places.add(place)
  }
  return [...places].sort((a, b) => counts[a]! - counts[b]!)
}

/** The intersection of two ascending lists, in place of the first. */
function keepListed(words: Uint32Array, others: Uint32Array): Uint32Array {
  let kept = 0
  let j = 0
  for (let i = 0; i < words.length; i++) {
    // i < words.length, and kept <= i
    const word = words[i]!
    while (j < others.length && others[j]! < word) j++
    if (others[j] === word) words[kept++] = word
  }
  return words.subarray(0, kept)
}

/** The codes of those words that contain the form, in place. @param words codes less `from` */
function keepContaining(
  { wordBytes, wordOffsets }: TextIndex,
  words: Uint32Array,
  from: number,
  form: Uint8Array,
): Uint32Array {
  let kept = 0
  for (let i = 0; i < words.length; i++) {
    // i < words.length, kept <= i, and every code has offsets
    const code = words[i]! + from
    if (bytesOccur(wordBytes, wordOffsets[code]!, wordOffsets[code + 1]!, form)) {
      words[kept++] = code
    }
  }
  return words.subarray(0, kept)
}
