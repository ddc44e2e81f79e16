import { grown } from '../free-text/growing.js'
import { WordTable } from '../free-text/word-table.js'
import { bitCount } from '../ordinals/bit-set.js'
import { type Closeness, closenessOfWords, editsMax, FAR } from './closeness.js'
import { tableBytes } from './suggestion-texts.js'
import { WordIndex } from './word-index.js'

/** Words that begin with one to three typed letters: the most frequent ones are enough. */
const BEGINNING_WORDS_MAX = 300

/** Bytes of a key of FlexSearch in one word: an id in an array that has grown. */
const KEY_BYTES = 20

/** Bytes of a word as a text, and in FlexSearch's register. */
const WORD_BYTES = 80

/** A word, and its closeness to a typed one. */
export interface NearWord {
  readonly code: number
  readonly closeness: Closeness
}

/**
 * The distinct words of suggested texts, in their compared forms, and the texts that have them.
 *
 *   FIELD        SIZE          HOLDS
 *   table                      the words
 *   letters      4 × words     which letters a word has, a bit each
 *   heads        4 × words     1 + the last link of word c, 0 = none
 *   linkCounts   4 × words     how many links it has
 *   linkTexts    4 × links     code of a text that has the word
 *   linkBefore   4 × links     1 + the link before, 0 = none
 */
export class SuggestedWords {
  readonly #table = new WordTable()
  /** The words again, as texts to compare. */
  readonly #texts: string[] = []
  readonly #wordIndex = new WordIndex()
  #letters = new Uint32Array(64)
  #heads = new Uint32Array(64)
  #linkCounts = new Uint32Array(64)
  #linkTexts = new Uint32Array(64)
  #linkBefore = new Uint32Array(64)
  #linkCount = 0
  /** Words that the word index has, or gets next: those below it. */
  #foundCount = 0
  /** Of these, the ones that it gets next, the last one first. */
  #order: number[] = []
  #stamps = new Uint32Array(64)
  #stamp = 0
  #scratch = new Uint8Array(1024)

  /** Notes that a text has a word. @param word not longer than some hundred letters */
  add(word: string, textCode: number): void {
    this.#scratch = grown(this.#scratch, word.length * 3)
    const { written } = encoder.encodeInto(word, this.#scratch)
    const known = this.#table.count
    const code = this.#table.codeOf(this.#scratch, 0, written)
    if (code === known) {
      const { count } = this.#table
      this.#letters = grown(this.#letters, count)
      this.#heads = grown(this.#heads, count)
      this.#linkCounts = grown(this.#linkCounts, count)
      this.#letters[code] = lettersOf(word)
      this.#texts.push(word)
    }
    this.#linkTexts = grown(this.#linkTexts, this.#linkCount + 1)
    this.#linkBefore = grown(this.#linkBefore, this.#linkCount + 1)
    this.#linkTexts[this.#linkCount] = textCode
    this.#linkBefore[this.#linkCount] = this.#heads[code]!
    this.#linkCount += 1
    this.#heads[code] = this.#linkCount
    this.#linkCounts[code]! += 1
  }

  /**
   * Makes words that were added findable, the most frequent ones first.
   * @param frequencyOf of a text   @param countMax so many words at most
   * @returns whether all are findable
   */
  settle(frequencyOf: (textCode: number) => number, countMax: number): boolean {
    const { count } = this.#table
    if (this.#order.length === 0 && this.#foundCount < count) {
      const frequencies = new Map<number, number>()
      for (let code = this.#foundCount; code < count; code++) {
        let frequency = 0
        for (const textCode of this.textsWith(code)) frequency += frequencyOf(textCode)
        frequencies.set(code, frequency)
      }
      this.#order = [...frequencies.keys()].sort(
        (a, b) => (frequencies.get(a) ?? 0) - (frequencies.get(b) ?? 0),
      )
      this.#foundCount = count
    }
    for (let added = 0; added < countMax; added++) {
      const code = this.#order.pop()
      if (code === undefined) break
      this.#wordIndex.add(code, this.#texts[code]!)
    }
    return this.#order.length === 0
  }

  /** Number of texts that have a word. */
  textCountOf(code: number): number {
    return this.#linkCounts[code] ?? 0
  }

  /** Codes of the texts that have a word, the last added first. @param countMax default: all */
  textsWith(code: number, countMax = Number.POSITIVE_INFINITY): Uint32Array {
    const texts = new Uint32Array(Math.min(this.textCountOf(code), countMax))
    let link = this.#heads[code] ?? 0
    for (let i = 0; i < texts.length; i++) {
      texts[i] = this.#linkTexts[link - 1]!
      link = this.#linkBefore[link - 1]!
    }
    return texts
  }

  /**
   * The words near a typed one, each once, in no order.
   * @param edits at most, also where the typed word would allow more
   */
  near(typed: string, edits: number): NearWord[] {
    const allowed = Math.min(edits, editsMax(typed.length))
    const letters = lettersOf(typed)
    const found: NearWord[] = []
    this.#stamp += 1
    this.#stamps = grown(this.#stamps, this.#table.count)
    const stamps = this.#stamps
    const stamp = this.#stamp
    for (const codes of this.#candidates(typed, allowed)) {
      for (let i = 0; i < codes.length; i++) {
        const code = codes[i]! // i < codes.length
        if (stamps[code] === stamp) continue
        stamps[code] = stamp
        // An edit brings at most one letter that the word does not have.
        if (bitCount(letters & ~this.#letters[code]!) > allowed) continue
        const closeness = closenessOfWords(typed, this.#texts[code]!, allowed)
        if (closeness !== FAR) found.push({ code, closeness })
      }
    }
    return found
  }

  get byteCount(): number {
    const links = this.#linkTexts.byteLength + this.#linkBefore.byteLength
    const words = 4 * this.#heads.byteLength + WORD_BYTES * this.#table.count
    return tableBytes(this.#table) + links + words + this.#wordIndex.keyCount * KEY_BYTES
  }

  *#candidates(typed: string, edits: number): Generator<readonly number[]> {
    if (typed.length <= 3) yield this.#wordIndex.beginningWith(typed, BEGINNING_WORDS_MAX)
    if (edits > 0) yield* this.#wordIndex.near(typed, edits)
  }
}

const encoder = new TextEncoder()

const LETTER_A = 0x61

/** A bit for each of a to z; other characters share the six bits that are left. */
export function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) {
    const letter = word.charCodeAt(i) - LETTER_A
    bits |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (word.charCodeAt(i) % 6))
  }
  return bits
}
