import { GAP_JOINING, GAP_NONE, isLetter } from './codes.js'
import { NEAR_WORD_PERCENT } from './costs.js'
import type { WordUnit } from './word-units.js'

/** Minimum length of a word that may have one wrong letter. */
const FORGIVING_LENGTH_MIN = 5

/**
 * Place of a word.
 *
 *   FIELD      HOLDS
 *   percent    100 when it is a word of the field, NEAR_WORD_PERCENT when one letter is wrong,
 *              missing, extra or swapped with its neighbour, else 0
 *   from, to   the codes of that word
 */
export interface WordPlace {
  percent: number
  from: number
  to: number
}

/**
 * The words of one or more fields: runs of letters, and such runs with joining characters in them
 * (`M?LLER`). Refilled for each row.
 *
 *   FIELD     SIZE          HOLDS
 *   places    8 × words     begin and end of each word
 */
export class WordRuns {
  #places = new Int32Array(64)
  #count = 0

  clear(): void {
    this.#count = 0
  }

  /** Adds the words of a field, in order. */
  take(codes: Uint8Array, gaps: Uint8Array, fieldFrom: number, fieldTo: number): void {
    for (let from = fieldFrom; from < fieldTo; ) {
      // fieldTo <= codes.length
      if (!isLetter(codes[from]!)) {
        from += 1
        continue
      }
      const to = runEnd(codes, gaps, from, fieldTo, GAP_NONE)
      this.#add(from, to)
      if (to < fieldTo && gaps[to] === GAP_JOINING) {
        this.#add(from, runEnd(codes, gaps, from, fieldTo, GAP_JOINING))
      }
      from = to
    }
  }

  /** Finds the first of the words that are most similar to one. @param place out */
  find(word: WordUnit, codes: Uint8Array, place: WordPlace): void {
    place.percent = 0
    const end = 2 * this.#count
    for (let i = 0; i < end && place.percent < 100; i += 2) {
      compareWord(word, codes, this.#places[i]!, this.#places[i + 1]!, place) // i + 1 < end
    }
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
export function findWord(
  word: WordUnit,
  codes: Uint8Array,
  gaps: Uint8Array,
  fieldFrom: number,
  fieldTo: number,
  place: WordPlace,
): void {
  const words = new WordRuns()
  words.take(codes, gaps, fieldFrom, fieldTo)
  words.find(word, codes, place)
}

function runEnd(
  codes: Uint8Array,
  gaps: Uint8Array,
  from: number,
  fieldTo: number,
  joint: number,
): number {
  let to = from + 1
  // to < fieldTo <= codes.length
  while (to < fieldTo && isLetter(codes[to]!) && (gaps[to] === GAP_NONE || gaps[to] === joint)) {
    to += 1
  }
  return to
}

function compareWord(
  { forms }: WordUnit,
  codes: Uint8Array,
  from: number,
  to: number,
  place: WordPlace,
): void {
  for (const form of forms) {
    const difference = form.length - (to - from)
    if (difference > 1 || difference < -1) continue
    const isNear = form.length >= FORGIVING_LENGTH_MIN && isOneEdit(form, codes, from, to)
    const percent = isEqual(form, codes, from, to) ? 100 : isNear ? NEAR_WORD_PERCENT : 0
    if (percent > place.percent) {
      place.percent = percent
      place.from = from
      place.to = to
    }
  }
}

function isEqual(form: Uint8Array, codes: Uint8Array, from: number, to: number): boolean {
  if (form.length !== to - from) return false
  for (let i = 0; i < form.length; i++) if (form[i] !== codes[from + i]) return false
  return true
}

/** Whether two different words are one edit apart, a swap counted as one. */
function isOneEdit(form: Uint8Array, codes: Uint8Array, from: number, to: number): boolean {
  const length = to - from
  const shorter = form.length < length ? form.length : length
  let head = 0
  while (head < shorter && form[head] === codes[from + head]) head += 1
  let tail = 0
  while (
    tail < shorter - head &&
    form[form.length - 1 - tail] === codes[to - 1 - tail] // both have more than tail codes
  ) {
    tail += 1
  }
  const left = form.length - head - tail
  const right = length - head - tail
  if (left <= 1 && right <= 1) return true
  return (
    left === 2 &&
    right === 2 &&
    form[head] === codes[from + head + 1] &&
    form[head + 1] === codes[from + head]
  )
}
