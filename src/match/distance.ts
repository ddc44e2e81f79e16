import { CODES, type CodeSpan, LEADING_ZERO } from './codes.js'

/**
 * Places of the patterns of a set in a field, by the number of the pattern.
 *
 *   FIELD     HOLDS
 *   numbers   bits of the patterns that are found, in one way or the other
 *   first     code at which the first place within the edits ends, -1 = none
 *   last      code at which the last one ends
 *   atEnd     1 = the field ends with all but 1 to 3 codes of the pattern
 */
export interface PatternPlaces {
  numbers: number
  readonly first: Int32Array
  readonly last: Int32Array
  readonly atEnd: Uint8Array
}

/** Memory for the places of `count` patterns, up to 32. */
export function patternPlaces(count: number): PatternPlaces {
  return {
    numbers: 0,
    first: new Int32Array(count).fill(-1),
    last: new Int32Array(count).fill(-1),
    atEnd: new Uint8Array(count),
  }
}

/** A field, and the places of patterns in it. */
export interface SearchedField extends CodeSpan {
  readonly places: PatternPlaces
}

/**
 * A pattern to search for.
 *
 *   FIELD           HOLDS
 *   pattern         code -> bits of the places that the code equals
 *   patternLength   number of places, 1 to 32
 *   editsMax        edits within which it is found, 0 to 2
 *   written         the same with its leading zeros as they are written, where it has any
 */
export interface Pattern {
  readonly pattern: Int32Array
  readonly patternLength: number
  readonly editsMax: number
  readonly written?: WrittenPattern | undefined
}

/** A pattern without its other spelling. */
export type WrittenPattern = Pick<Pattern, 'pattern' | 'patternLength'>

/** Maximum codes that the end of a field may have cut off. */
export const TRUNCATED_MAX = 3

/** Minimum remaining codes of a unit that is cut off. */
export const TRUNCATED_LEFT_MIN = 6

/**
 * Patterns with as many edits packed into 32 bits, a bit for each place.
 *
 *   FIELD       HOLDS
 *   places      code -> bits of the places that it equals
 *   firsts      bits of the first places
 *   lasts       bits of the last places
 *   withZeros   bits of the last places of patterns that have a zero, and no other spelling
 *   patterns    place -> number of the pattern it is of
 *   editsMax    of all of them
 */
interface PatternWord {
  readonly places: Int32Array
  firsts: number
  lasts: number
  withZeros: number
  readonly patterns: Int32Array
  readonly editsMax: number
}

/**
 * Patterns that are searched at once, by their numbers.
 *
 *   FIELD     HOLDS
 *   words     the patterns
 *   written   those of them that have leading zeros, as written
 */
export interface PatternSet {
  readonly words: readonly PatternWord[]
  readonly written: readonly PatternWord[]
}

const WORD_PLACES = 32

/** Combines patterns; each has the number of its position. @param patterns up to 32 */
export function patternSet(patterns: readonly Pattern[]): PatternSet {
  const written = patterns.map((one) => one.written && { ...one.written, editsMax: one.editsMax })
  return { words: packed(patterns), written: packed(written) }
}

/** @param patterns by their numbers; undefined = there is none */
function packed(patterns: readonly (Pattern | undefined)[]): PatternWord[] {
  const words: PatternWord[] = []
  const open = new Map<number, { readonly word: PatternWord; length: number }>()
  patterns.forEach((one, number) => {
    if (one === undefined) return
    const { pattern, patternLength, editsMax } = one
    const last = open.get(editsMax)
    const hasRoom = last !== undefined && last.length + patternLength <= WORD_PLACES
    const into = hasRoom ? last : { word: emptyWord(editsMax), length: 0 }
    if (!hasRoom) {
      words.push(into.word)
      open.set(editsMax, into)
    }
    const { word, length: from } = into
    into.length += patternLength
    for (let code = 0; code < CODES; code++) word.places[code]! |= pattern[code]! << from
    const lastBit = 1 << (into.length - 1)
    word.firsts |= 1 << from
    word.lasts |= lastBit
    if (pattern[ZERO] !== 0 && one.written === undefined) word.withZeros |= lastBit
    word.patterns.fill(number, from, into.length)
  })
  return words
}

function emptyWord(editsMax: number): PatternWord {
  return {
    places: new Int32Array(CODES),
    firsts: 0,
    lasts: 0,
    withZeros: 0,
    patterns: new Int32Array(WORD_PLACES),
    editsMax,
  }
}

/**
 * Finds the places where a field equals a pattern with at most `editsMax` edits: a code inserted,
 * deleted, replaced, or swapped with its neighbour. Codes that look alike are equal. Leading zeros
 * of both are ignored, and they are also compared as they are written: always where the pattern has
 * some (2024-01-0816), otherwise where nothing else is found, as in 2024-0816 for 20240816.
 * @param field its places are written
 */
export function findWithin({ words, written }: PatternSet, field: SearchedField): void {
  reset(field.places)
  for (const word of words) {
    const seen = search(word, field, LEFT_OUT, word.lasts)
    const missing = word.withZeros & ~seen
    if (missing !== 0 && hasLeadingZero(field)) search(word, field, ZERO, missing)
  }
  for (const word of written) search(word, field, ZERO, word.lasts)
}

/** Resets the result; an empty one needs no reset. */
function reset(places: PatternPlaces): void {
  for (let left = places.numbers; left !== 0; left &= left - 1) {
    const number = 31 - Math.clz32(left & -left)
    places.first[number] = -1
    places.last[number] = -1
    places.atEnd[number] = 0
  }
  places.numbers = 0
}

/** The code of a zero, and of no code at all. */
const ZERO = 0
const LEFT_OUT = -1
const HEAD_ZERO: number = LEADING_ZERO
const CODE_BITS: number = CODES - 1

function hasLeadingZero({ codes, from, to }: CodeSpan): boolean {
  for (let i = from; i < to; i++) if (codes[i] === HEAD_ZERO) return true
  return false
}

/**
 * Bit-parallel: Wu and Manber 1992, "Fast text searching allowing errors", with swaps. Bit p of
 * `within1` says that the codes up to here end with places 0 to p of a pattern, within one edit. A
 * carry from a pattern into the first place of the next one is harmless: without an edit a pattern
 * may begin at any code, and with one its first code may be missing.
 * @param zeroAs code that replaces a leading zero
 * @param wanted bits of the last places of the searched patterns
 * @returns bits of the last places of those found within the edits
 */
function search(word: PatternWord, field: SearchedField, zeroAs: number, wanted: number): number {
  const { firsts, patterns, editsMax } = word
  const { codes, from, to, places } = field
  const { first, last } = places
  const bitsOfCode = word.places
  let within0 = 0
  let within1 = firsts
  let within2 = firsts | (firsts << 1)
  let before0 = 0
  let before1 = firsts
  let equalBefore = 0
  let seen = 0
  for (let i = from; i < to; i++) {
    const written = codes[i]! // to <= codes.length
    const code = written === HEAD_ZERO ? zeroAs : written
    if (code === LEFT_OUT) continue
    const equal = bitsOfCode[code & CODE_BITS]! // it has CODES entries
    const next0 = ((within0 << 1) | firsts) & equal
    let hits = next0
    if (editsMax > 0) {
      const swapped0 = ((((before0 << 1) | firsts) & equal) << 1) & equalBefore
      const edited0 = within0 | ((within0 | next0) << 1)
      const next1 = (((within1 << 1) | firsts) & equal) | edited0 | swapped0 | firsts
      hits = next1
      if (editsMax > 1) {
        const swapped1 = ((((before1 << 1) | firsts) & equal) << 1) & equalBefore
        const edited1 = within1 | ((within1 | next1) << 1)
        within2 = (((within2 << 1) | firsts) & equal) | edited1 | swapped1 | firsts
        hits = within2
      }
      before1 = within1
      within1 = next1
    }
    before0 = within0
    within0 = next0
    equalBefore = equal
    hits &= wanted
    if (hits === 0) continue
    seen |= hits
    for (let left = hits; left !== 0; left &= left - 1) {
      const number = patterns[31 - Math.clz32(left & -left)]! // a place
      places.numbers |= 1 << number
      if (first[number]! < 0 || i < first[number]!) first[number] = i
      if (i > last[number]!) last[number] = i
    }
  }
  writeCutOffs(patterns, wanted, within0, places)
  return seen
}

/**
 * Writes the patterns that the field ends with except for their last codes, without an edit.
 * @param ended bits of the places that the field ends with
 */
function writeCutOffs(
  patterns: Int32Array,
  wanted: number,
  ended: number,
  places: PatternPlaces,
): void {
  if (ended === 0) return
  for (let left = wanted; left !== 0; left &= left - 1) {
    const place = 31 - Math.clz32(left & -left)
    const number = patterns[place]! // a place
    for (let cut = 1; cut <= TRUNCATED_MAX && cut <= place; cut++) {
      const isOfPattern = patterns[place - cut] === number // cut <= place
      if (isOfPattern && (ended & (1 << (place - cut))) !== 0) {
        places.atEnd[number] = 1
        places.numbers |= 1 << number
      }
    }
  }
}
