import type { MatchIndex } from './match-index.js'
import type { Requirement, Requirements } from './requirement.js'
import type { WordRequirement } from './word-requirement.js'

/** Words of bits per chunk. */
const CHUNK_WORDS = 64
/** Rows of a chunk, as a power of two. */
const CHUNK_SHIFT = 11

/**
 * The rows of a segment whose trigrams meet one of the requirements, computed chunk by chunk on
 * demand.
 *
 *   FIELD    SIZE          HOLDS
 *   words    4 x words     a bit per row: whether it does; valid in known chunks
 *   known    1 x chunks    1 = the chunk has been computed
 */
export class Candidates {
  readonly #words: Uint32Array
  readonly #known: Uint8Array
  readonly #isEvery: boolean

  /** @param requirements undefined = every row is a candidate */
  constructor(
    private readonly index: MatchIndex,
    private readonly requirements: Requirements | undefined,
  ) {
    const isFiltered = index.grams.length > 0 && requirements?.units.every(isSelective) === true
    this.#isEvery = !isFiltered
    this.#words = new Uint32Array(isFiltered ? (index.rowCount + 31) >>> 5 : 0)
    this.#known = new Uint8Array((this.#words.length + CHUNK_WORDS - 1) / CHUNK_WORDS)
  }

  /** Whether a row may have a score. @param row 0 to rowCount - 1 */
  has(row: number): boolean {
    if (this.#isEvery) return true
    const chunk = row >>> CHUNK_SHIFT
    if (this.#known[chunk] === 0) this.#find(chunk)
    return ((this.#words[row >>> 5]! >>> (row & 31)) & 1) === 1 // row < rowCount
  }

  #find(chunk: number): void {
    const from = chunk * CHUNK_WORDS
    const words = this.#words.subarray(from, from + CHUNK_WORDS)
    const { requirements } = this
    if (requirements?.words !== undefined) {
      addRowsWithWords(this.index, requirements.words, from, words)
    }
    for (const requirement of requirements?.units ?? []) {
      const { columns, least, cutOff } = requirement
      if (least === columns.length) addRowsWithAll(this.index, columns, from, words)
      else addRowsWithLeast(this.index, requirement, from, words)
      if (cutOff !== undefined) addRowsWithAll(this.index, cutOff, from, words)
    }
    this.#known[chunk] = 1
  }
}

/** Whether the requirement excludes rows: without a required trigram, every row meets it. */
function isSelective({ least, cutOff }: Requirement): boolean {
  return least > 0 && (cutOff === undefined || cutOff.length > 0)
}

/**
 * Every column is read even if no row is left: rows that a credential cannot see are in the same
 * words, and an early end would make the duration depend on their texts.
 * @param words those of a chunk   @param from the first of them among all words
 */
function addRowsWithAll(
  { grams, rowCount }: MatchIndex,
  columns: Uint16Array,
  from: number,
  words: Uint32Array,
): void {
  const width = (rowCount + 31) >>> 5
  for (let word = 0; word < words.length; word++) {
    const at = from + word
    let all = -1
    // grams holds `width` words of each column
    for (let i = 0; i < columns.length; i++) all &= grams[columns[i]! * width + at]!
    words[word]! |= all
  }
}

/**
 * Counts for 32 rows at once: bit r of plane p is bit p of row r's count. The counts begin so high
 * that the one that reaches `least` overflows. Parameters as of {@link addRowsWithAll}.
 */
function addRowsWithLeast(
  { grams, rowCount }: MatchIndex,
  { columns, least }: Requirement,
  from: number,
  words: Uint32Array,
): void {
  const width = (rowCount + 31) >>> 5
  const begin = 32 - least
  const begin0 = -(begin & 1)
  const begin1 = -((begin >>> 1) & 1)
  const begin2 = -((begin >>> 2) & 1)
  const begin3 = -((begin >>> 3) & 1)
  const begin4 = -((begin >>> 4) & 1)
  for (let word = 0; word < words.length; word++) {
    const at = from + word
    let plane0 = begin0
    let plane1 = begin1
    let plane2 = begin2
    let plane3 = begin3
    let plane4 = begin4
    let reached = 0
    for (let i = 0; i < columns.length; i++) {
      let carry = grams[columns[i]! * width + at]! // grams holds `width` words of each column
      let sum = plane0 ^ carry
      carry &= plane0
      plane0 = sum
      sum = plane1 ^ carry
      carry &= plane1
      plane1 = sum
      sum = plane2 ^ carry
      carry &= plane2
      plane2 = sum
      sum = plane3 ^ carry
      carry &= plane3
      plane3 = sum
      sum = plane4 ^ carry
      carry &= plane4
      plane4 = sum
      reached |= carry
    }
    words[word]! |= reached
  }
}

/** Adds the rows that meet the requirement of words. Parameters as of {@link addRowsWithAll}. */
function addRowsWithWords(
  { grams, rowCount }: MatchIndex,
  requirement: WordRequirement,
  from: number,
  words: Uint32Array,
): void {
  const width = (rowCount + 31) >>> 5
  for (let word = 0; word < words.length; word++) {
    const at = from + word
    let every = -1
    for (const group of requirement) {
      let any = 0
      for (const columns of group) {
        let all = -1
        // grams holds `width` words of each column
        for (let i = 0; i < columns.length; i++) all &= grams[columns[i]! * width + at]!
        any |= all
      }
      every &= any
    }
    words[word]! |= every
  }
}
