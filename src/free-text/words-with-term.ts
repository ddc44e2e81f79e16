import type { Term } from '../text/normal-forms.js'
import {
  bytesOfKey,
  GRAM_BYTES,
  type GramTable,
  gramKey,
  isUndivided,
  KEY_BYTES,
  keysEnd,
  placeOfBytes,
  placeOfKey,
  wordsOfKey,
} from './grams.js'
import { type IndexedTexts, type TextIndex, wordCount } from './text-index.js'

/** A term's forms in UTF-8. */
export interface TermBytes {
  readonly first: Uint8Array
  readonly second: Uint8Array
  readonly differ: boolean
}

/** A form to search for in one range of words. */
export interface TermForm {
  readonly grams: GramTable
  /** Codes of the range are from .. to - 1. */
  readonly from: number
  readonly to: number
  readonly form: Uint8Array
  /** The set in commonRows that already has the rows. */
  readonly common?: number | undefined
}

/** Words of the keys at start .. end - 1 of a table; those with several of the keys repeat. */
export interface ListedWords {
  readonly grams: GramTable
  /** Codes of the range are from .. to - 1. */
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/** Words that contain a term, and sets in commonRows with the rows of further words. */
export interface TermWords {
  readonly codes: readonly Uint32Array[]
  readonly listed: readonly ListedWords[]
  readonly common: readonly number[]
}

/** Entries of a list that are read in the time in which one word is fetched and compared. */
export const WORD_COST = 6

const NO_WORDS = new Uint32Array(0)

/** The UTF-8 of a term. */
export function bytesOfTerm({ first, second }: Term): TermBytes {
  return { first: Buffer.from(first), second: Buffer.from(second), differ: first !== second }
}

/** The words in which a term occurs: its first form in theirs, or its second form in theirs. */
export function wordsWithTerm(index: TextIndex, term: TermBytes): TermWords {
  const codes: Uint32Array[] = []
  const listed: ListedWords[] = []
  const common: number[] = []
  for (const sought of formsOf(index, term)) {
    if (sought.common !== undefined) {
      common.push(sought.common)
      continue
    }
    const list = listedWords(sought)
    if (list === undefined) codes.push(comparedWords(index, sought))
    else listed.push(list)
  }
  return { codes, listed, common }
}

/** The words equal in both forms in which a key's bytes occur. */
export function equalWordsWith(
  { equalGrams, firstFormsFrom }: IndexedTexts,
  key: number,
): ListedWords {
  return wordsOfKeys({ grams: equalGrams, from: 0, to: firstFormsFrom }, bytesOfKey(key))
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
export function formsOf(index: TextIndex, { first, second, differ }: TermBytes): TermForm[] {
  const { equalGrams, firstGrams, secondGrams, firstFormsFrom, secondFormsFrom } = index
  const inEqual = (form: Uint8Array): TermForm => {
    const common = commonPlace(index, form)
    return { grams: equalGrams, from: 0, to: firstFormsFrom, form, common }
  }
  const forms: TermForm[] = [
    inEqual(first),
    { grams: firstGrams, from: firstFormsFrom, to: secondFormsFrom, form: first },
    { grams: secondGrams, from: secondFormsFrom, to: wordCount(index), form: second },
  ]
  if (differ) forms.push(inEqual(second))
  return forms
}

function commonPlace({ commonKeys }: TextIndex, form: Uint8Array): number | undefined {
  if (form.length > KEY_BYTES) return undefined
  const key = gramKey(form, 0, form.length)
  const place = placeOfKey(commonKeys, key)
  return commonKeys[place] === key ? place : undefined
}

/** The words of a form that keys find; undefined = they only narrow the words down. */
export function listedWords(sought: TermForm): ListedWords | undefined {
  const { form } = sought
  if (form.length > KEY_BYTES) return undefined
  const words = wordsOfKeys(sought, form)
  // No key of four bytes: their first three may be undivided.
  return form.length === KEY_BYTES && words.start === words.end ? undefined : words
}

function wordsOfKeys(
  { grams, from, to }: Pick<TermForm, 'grams' | 'from' | 'to'>,
  form: Uint8Array,
): ListedWords {
  const key = gramKey(form, 0, form.length)
  const start = placeOfKey(grams.keys, key)
  const end = placeOfKey(grams.keys, keysEnd(key, form.length))
  return { grams, from, to, start, end }
}

function comparedWords(index: TextIndex, { grams, from, form }: TermForm): Uint32Array {
  const places = placesOfGrams(grams, form)
  if (places.length === 0) return NO_WORDS
  let words = wordsOfKey(grams, places[0]!)
  for (const place of places.slice(1)) {
    if (grams.counts[place]! > words.length * WORD_COST) break
    words = keepListed(words, wordsOfKey(grams, place))
  }
  return keepContaining(index, words, from, form)
}

/**
 * Indexes of distinct keys that all words with a form have, the rarest first; none when no word has
 * one of them. @param form of more than three bytes
 */
export function placesOfGrams({ keys, counts }: GramTable, form: Uint8Array): number[] {
  const places = new Set<number>()
  for (let at = 0; at + KEY_BYTES <= form.length; at++) {
    const place = placeOfBytes(keys, gramKey(form, at, form.length))
    if (place === -1) return []
    places.add(place)
  }
  const lastKey = gramKey(form, form.length - GRAM_BYTES, form.length)
  const last = placeOfKey(keys, lastKey)
  if (isUndivided(keys, last, lastKey)) places.add(last)
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

/** Words whose bytes are fetched at once. */
const FETCHED_WORDS = 32

/** The codes of those words that contain the form, in place. @param words codes less `from` */
function keepContaining(
  { wordBytes, wordOffsets }: TextIndex,
  words: Uint32Array,
  from: number,
  form: Uint8Array,
): Uint32Array {
  const fetched = new Uint8Array(FETCHED_WORDS)
  let kept = 0
  for (let start = 0; start < words.length; start += FETCHED_WORDS) {
    const end = Math.min(start + FETCHED_WORDS, words.length)
    // The words are far apart in memory. Here no read waits for the one before, so the processor
    // fetches many words at once; a comparison waits for its own word, and would fetch only that.
    for (let i = start; i < end; i++)
      fetched[i - start] = wordBytes[wordOffsets[words[i]! + from]!]!
    for (let i = start; i < end; i++) {
      // i < words.length, kept <= i, and every code has offsets
      const code = words[i]! + from
      if (bytesOccur(wordBytes, wordOffsets[code]!, wordOffsets[code + 1]!, form)) {
        words[kept++] = code
      }
    }
  }
  return words.subarray(0, kept)
}
