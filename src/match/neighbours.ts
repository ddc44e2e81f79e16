import { type CodeSpan, GAP_NONE, isLetter, LEADING_ZERO } from './codes.js'
import { CLASS_NUMBER, keywordAt, keywordBefore, NO_CLASS } from './dictionary.js'
import type { CodeRange } from './unit-drafts.js'

/** Letters of a word that tell it from others; it may be shortened or inflected behind them. */
const BEGIN_LENGTH = 3

/**
 * The words directly before and after a number of a query, of three letters and more, without
 * keywords: the LOONPERIODE of loonperiode 8.
 */
export function neighboursOf(span: CodeSpan, { from, to }: CodeRange): Uint8Array[] {
  return [wordBefore(span, from), wordAfter(span, to)].flatMap((word) => {
    const isWord = word.to - word.from >= BEGIN_LENGTH
    const isPlain = isWord && keywordAt(span.codes, word.from, word.to) === NO_CLASS
    return isPlain ? [span.codes.slice(word.from, word.from + BEGIN_LENGTH)] : []
  })
}

/** Whether a word of a field directly before or after a number begins as one of the neighbours. */
export function isBeside(
  neighbours: readonly Uint8Array[],
  field: CodeSpan,
  at: CodeRange,
): boolean {
  const { codes, gaps, from } = field
  let first = at.from
  while (first > from && gaps[first] === GAP_NONE && codes[first - 1] === LEADING_ZERO) first -= 1
  const words = [wordBefore(field, first), wordAfter(field, at.to)]
  return neighbours.some((begin) => {
    return words.some((word) => {
      const isLong = word.to - word.from >= BEGIN_LENGTH
      return isLong && begin.every((code, i) => codes[word.from + i] === code)
    })
  })
}

/** The letters that end before a place or before its `Nr.`, empty where none do. */
function wordBefore(span: CodeSpan, place: number): CodeRange {
  const { codes, gaps, from } = span
  const keyword = keywordBefore(span, place)
  const to = keyword.keyword === CLASS_NUMBER ? keyword.from : place
  let first = to
  while (first > from && isLetter(codes[first - 1]!)) {
    first -= 1 // from <= first
    if (gaps[first] !== GAP_NONE) break
  }
  return { from: first, to }
}

/** The letters that begin at a place. */
function wordAfter({ codes, gaps, to }: CodeSpan, place: number): CodeRange {
  let end = place
  while (end < to && isLetter(codes[end]!) && (end === place || gaps[end] === GAP_NONE)) end += 1
  return { from: place, to: end }
}
