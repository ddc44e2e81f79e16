import { CODES, type CodeSpan, FOLDED, GAP_DERIVED, MASKED } from './codes.js'

/**
 * Columns of trigrams: one for each of three digits from 1 to 9, in order, followed by 295 that the
 * other trigrams share.
 */
export const GRAM_COLUMNS = 1_024

/** Digits in trigrams: zeros and their look-alikes are left out. */
const DIGITS = 9
const DIGIT_COLUMNS = DIGITS * DIGITS * DIGITS
const SHARED_COLUMNS = GRAM_COLUMNS - DIGIT_COLUMNS
/** Folded codes below it are digits. */
const LETTERS_FROM = 10

/**
 * Code, masked or not -> its code in a trigram: look-alikes are equal, and 0 = it is left out, as
 * are zeros and their look-alikes.
 */
export const GRAM_CODES: Uint8Array = Uint8Array.from(
  { length: CODES },
  (_, code) => FOLDED[code & (MASKED - 1)]!, // a code below MASKED
)

/** The column of a trigram. @param a,b,c of {@link GRAM_CODES}, none of them 0 */
export function gramColumn(a: number, b: number, c: number): number {
  if (a < LETTERS_FROM && b < LETTERS_FROM && c < LETTERS_FROM) {
    return ((a - 1) * DIGITS + b - 1) * DIGITS + c - 1
  }
  return DIGIT_COLUMNS + (((a * 37 + b) * 37 + c) % SHARED_COLUMNS)
}

/**
 * Lists the columns of the trigrams of a field: every three consecutive codes without the zeros,
 * across gaps, but not across the border of a derived span.
 * @param columns out: in order, with repeats; room for one per code
 * @returns their number
 */
export function listGramColumns(field: CodeSpan, columns: Uint16Array): number {
  const { codes, gaps, from, to } = field
  let count = 0
  // 0 = there is none yet
  let a = 0
  let b = 0
  for (let i = from; i < to; i++) {
    if (gaps[i]! >= GAP_DERIVED) {
      a = 0
      b = 0
    }
    const c = GRAM_CODES[codes[i]!]! // from <= i < to, a code
    if (c === 0) continue
    if (a !== 0) columns[count++] = gramColumn(a, b, c)
    a = b
    b = c
  }
  return count
}

/** Adds the columns of the trigrams of codes that follow each other. */
export function addGramColumns(codes: Uint8Array, columns: Set<number>): void {
  const kept = codes.map((code) => GRAM_CODES[code]!).filter((code) => code !== 0) // a code
  for (let i = 2; i < kept.length; i++) {
    columns.add(gramColumn(kept[i - 2]!, kept[i - 1]!, kept[i]!)) // 2 <= i < kept.length
  }
}

/** The columns of the trigrams of codes that follow each other, each once. */
export function gramColumnsOf(codes: Uint8Array): Uint16Array {
  const columns = new Set<number>()
  addGramColumns(codes, columns)
  return Uint16Array.from(columns)
}
