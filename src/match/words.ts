import { type CodeSpan, GAP_BLANK, GAP_JOINING, GAP_NONE, isLetter, MASKED } from './codes.js'
import {
  ABBREVIATED_PERCENT,
  CUT_WORD_PERCENT,
  FORGIVEN_LENGTH_MIN,
  NEAR_WORD_PERCENT,
} from './costs.js'
import type { WordForm, WordSet } from './word-set.js'
import type { WordUnit } from './word-units.js'

/** Minimum length of an abbreviation. */
const ABBREVIATION_LENGTH_MIN = 3
/** Bits of a code: a word is one in a date as well, as DECEMBER is in December 2019. */
const PLAIN: number = MASKED - 1

/**
 * Place of a word.
 *
 *   FIELD      HOLDS
 *   percent    100 when it is a word of the field, or two words joined; NEAR_WORD_PERCENT when one
 *              letter is wrong, missing, extra or swapped with its neighbour, or the query has up
 *              to half of it cut off, and ABBREVIATED_PERCENT when more; CUT_WORD_PERCENT when the
 *              field has up to half of it cut off (BETALINGSKENM.); else 0
 *   from, to   the codes of that word
 */
export interface WordPlace {
  percent: number
  from: number
  to: number
}

/**
 * The words of one or more fields: runs of letters, such runs with joining characters in them
 * (`M?LLER`), and with a blank where a line was broken (`KUNDENNUM MER`). Refilled for each row.
 *
 *   FIELD      SIZE                   HOLDS
 *   places     8 × words              start and end of each word
 *   percents   1 × words of a query   of the word most similar to it (WordPlace)
 */
export class WordRuns {
  #places = new Int32Array(16)
  #percents = new Uint8Array(0)
  #count = 0

  clear(): void {
    this.#count = 0
  }

  /** Adds the words of a field, in order. */
  addField(field: CodeSpan): void {
    const { codes, gaps, to } = field
    for (let begin = field.from; begin < to; ) {
      // to <= codes.length
      if (!isLetter(codes[begin]! & PLAIN)) {
        begin += 1
        continue
      }
      const end = runEnd(field, begin, GAP_NONE)
      this.#add(begin, end)
      if (end < to && gaps[end] === GAP_JOINING) {
        this.#add(begin, runEnd(field, begin, GAP_JOINING))
      }
      if (end < to && gaps[end] === GAP_BLANK && isLetter(codes[end]! & PLAIN)) {
        this.#add(begin, runEnd(field, end, GAP_NONE))
      }
      begin = end
    }
  }

  /** Finds the first of the words that are most similar to one. @param place out */
  find(word: WordUnit, codes: Uint8Array, place: WordPlace): void {
    place.percent = 0
    const end = 2 * this.#count
    for (let i = 0; i < end && place.percent < 100; i += 2) {
      const from = this.#places[i]! // i + 1 < end
      const to = this.#places[i + 1]!
      const percent = similarity(word, codes, from, to)
      if (percent <= place.percent) continue
      place.percent = percent
      place.from = from
      place.to = to
    }
  }

  /**
   * The share of the words of a query that are found, by their weights: 0 to 100 percent. A form is
   * only compared with words that begin with its first letter, or end with its last one: an edit
   * that changes the first letter leaves the last one.
   */
  shareOf({ distinct, weight, byBegin, byEnd }: WordSet, codes: Uint8Array): number {
    if (distinct.length > this.#percents.length) this.#percents = new Uint8Array(distinct.length)
    const percents = this.#percents
    percents.fill(0, 0, distinct.length)
    const end = 2 * this.#count
    for (let i = 0; i < end; i += 2) {
      const from = this.#places[i]! // i + 1 < end
      const to = this.#places[i + 1]!
      const first = codes[from]! & PLAIN // from < to <= codes.length
      for (const form of byBegin[first]!) {
        const percent = percentOfForm(form, codes, from, to)
        if (percent > percents[form.word]!) percents[form.word] = percent
      }
      for (const { codes: form, word } of byEnd[codes[to - 1]! & PLAIN]!) {
        if (form[0] === first || percents[word]! >= NEAR_WORD_PERCENT) continue
        const difference = form.length - (to - from)
        if (difference < -1 || difference > 1) continue
        if (isOneEdit(form, codes, from, to)) percents[word] = NEAR_WORD_PERCENT
      }
    }
    let sum = 0
    for (let word = 0; word < distinct.length; word++) {
      sum += distinct[word]!.weight * percents[word]! // word < distinct.length
    }
    return (sum / weight) | 0
  }

  #add(from: number, to: number): void {
    if (2 * this.#count === this.#places.length) {
      const grown = new Int32Array(2 * this.#places.length)
      grown.set(this.#places)
      this.#places = grown
    }
    this.#places[2 * this.#count] = from
    this.#places[2 * this.#count + 1] = to
    this.#count += 1
  }
}

/**
 * Finds a word in a field: the first of the most similar.
 * @param place out
 */
export function findWord(word: WordUnit, field: CodeSpan, place: WordPlace): void {
  const words = new WordRuns()
  words.addField(field)
  words.find(word, field.codes, place)
}

function runEnd({ codes, gaps, to }: CodeSpan, from: number, joint: number): number {
  let end = from + 1
  // end < to <= codes.length
  while (end < to && (gaps[end] === GAP_NONE || gaps[end] === joint)) {
    if (!isLetter(codes[end]! & PLAIN)) break
    end += 1
  }
  return end
}

/** Percent of the most similar form of a word ({@link WordPlace}). */
function similarity(
  { forms, joined, isMonth }: WordUnit,
  codes: Uint8Array,
  from: number,
  to: number,
): number {
  for (const both of joined) {
    if (percentOfForm({ codes: both, isWhole: true }, codes, from, to) === 100) return 100
  }
  let most = 0
  for (const form of forms) {
    const percent = percentOfForm({ codes: form, isWhole: isMonth }, codes, from, to)
    if (percent > most) most = percent
  }
  return most
}

/** Percent of a form. */
function percentOfForm(
  { codes: form, isWhole }: Pick<WordForm, 'codes' | 'isWhole'>,
  codes: Uint8Array,
  from: number,
  to: number,
): number {
  const difference = form.length - (to - from)
  if (difference === 0 && begins(form, codes, from, form.length)) return 100
  if (isWhole) return 0
  return difference >= -1 && difference <= 1
    ? nearPercent(form, codes, from, to)
    : cutPercent(form, codes, from, to - from)
}

function nearPercent(form: Uint8Array, codes: Uint8Array, from: number, to: number): number {
  const mayDiffer = form.length >= FORGIVEN_LENGTH_MIN
  return mayDiffer && isOneEdit(form, codes, from, to) ? NEAR_WORD_PERCENT : 0
}

/** Percent of a word when it, or that of the field, is the start of the other. */
function cutPercent(form: Uint8Array, codes: Uint8Array, from: number, length: number): number {
  const isCutInField = length < form.length
  const [left, whole] = isCutInField ? [length, form.length] : [form.length, length]
  if (left < ABBREVIATION_LENGTH_MIN || !begins(form, codes, from, left)) return 0
  const isHalf = left >= FORGIVEN_LENGTH_MIN && whole <= 2 * left
  if (isCutInField) return isHalf ? CUT_WORD_PERCENT : 0
  return isHalf ? NEAR_WORD_PERCENT : ABBREVIATED_PERCENT
}

/** Whether the first codes of a word are those of a field. */
function begins(form: Uint8Array, codes: Uint8Array, from: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (form[i] !== (codes[from + i]! & PLAIN)) return false
  return true
}

/** Whether two different words are one edit apart, a swap counted as one. */
function isOneEdit(form: Uint8Array, codes: Uint8Array, from: number, to: number): boolean {
  const length = to - from
  const shorter = form.length < length ? form.length : length
  let head = 0
  while (head < shorter && form[head] === (codes[from + head]! & PLAIN)) head += 1
  let tail = 0
  // Both have more than tail codes.
  while (
    tail < shorter - head &&
    form[form.length - 1 - tail] === (codes[to - 1 - tail]! & PLAIN)
  ) {
    tail += 1
  }
  const left = form.length - head - tail
  const right = length - head - tail
  if (left <= 1 && right <= 1) return true
  return (
    left === 2 &&
    right === 2 &&
    form[head] === (codes[from + head + 1]! & PLAIN) &&
    form[head + 1] === (codes[from + head]! & PLAIN)
  )
}
