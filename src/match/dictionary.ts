import { readFileSync } from 'node:fs'
import typia from 'typia'
import { type CodeSpan, codeOf, GAP_NONE, GAP_STRONG, isDigit, isLetter } from './codes.js'
import { digitsEnd } from './digit-groups.js'

/** Class -> language -> the words that stand before such a number, upper case. */
type DictionaryWords = Record<KeywordClass, Record<string, string[]>>

/** Meaning of a number. `number` says only that it is one, `filler` not even that. */
export type KeywordClass =
  | 'invoice'
  | 'document'
  | 'order'
  | 'contract'
  | 'mandate'
  | 'file'
  | 'customer'
  | 'account'
  | 'number'
  | 'filler'

/** Ranks of the classes, the most specific first; 0 is "none". */
export const NO_CLASS = 0
export const CLASSES: readonly KeywordClass[] = [
  'invoice',
  'document',
  'order',
  'contract',
  'mandate',
  'file',
  'customer',
  'account',
  'number',
  'filler',
]
export const CLASS_NUMBER = CLASSES.indexOf('number') + 1
export const CLASS_FILLER = CLASSES.indexOf('filler') + 1

const assertWords = typia.createAssert<DictionaryWords>()

/**
 * Minimum length of a word that is recognized with one wrong letter or two swapped (`RECHNUGN`).
 */
const FORGIVING_LENGTH_MIN = 6

const LETTERS = 26
const FIRST_LETTER = codeOf('A')

/**
 * The words as a tree of letters.
 *
 *   FIELD     HOLDS
 *   next      node * 26 + letter -> node, 0 = none; node 0 is the root
 *   classes   node -> class of the word that ends there, 0 = none
 *   words     the words themselves, for misspelled ones
 */
interface WordTree {
  readonly next: Uint16Array
  readonly classes: Uint8Array
  readonly words: readonly { readonly text: string; readonly keyword: number }[]
}

const TREE: WordTree = growTree(readWords())

function readWords(): DictionaryWords {
  const path = new URL('../../../data/match/dictionary.json', import.meta.url)
  return assertWords(JSON.parse(readFileSync(path, 'utf8')))
}

function growTree(dictionary: DictionaryWords): WordTree {
  const words = CLASSES.flatMap((name, i) =>
    Object.values(dictionary[name])
      .flat()
      .map((text) => ({ text, keyword: i + 1 })),
  )
  const nodeMax = words.reduce((sum, { text }) => sum + text.length, 1)
  const next = new Uint16Array(nodeMax * LETTERS)
  const classes = new Uint8Array(nodeMax)
  let nodeCount = 1
  for (const { text, keyword } of words) {
    let node = 0
    for (const letter of text) {
      const slot = node * LETTERS + codeOf(letter) - FIRST_LETTER
      if (next[slot] === 0) next[slot] = nodeCount++
      node = next[slot]! // slot < next.length: a node per letter at most
    }
    // A word of two classes has the more specific one.
    if (classes[node] === NO_CLASS) classes[node] = keyword
  }
  return { next, classes, words }
}

/** The class of the word in the letters from one place to before another, 0 = none. */
export function keywordAt(codes: Uint8Array, from: number, to: number): number {
  let node = 0
  for (let i = from; i < to; i++) {
    const code = codes[i]! // to <= codes.length
    if (!isLetter(code)) return NO_CLASS
    node = TREE.next[node * LETTERS + code - FIRST_LETTER]! // a node of the tree, a letter
    if (node === 0) return NO_CLASS
  }
  return TREE.classes[node]! // a node of the tree
}

/** The class of a word, which may have one letter too many, missing or wrong, or two swapped. */
export function keywordLike(text: string, edits: (a: string, b: string) => number): number {
  if (text.length < FORGIVING_LENGTH_MIN) return NO_CLASS
  for (const word of TREE.words) {
    const isNear = word.text.length >= FORGIVING_LENGTH_MIN
    if (isNear && Math.abs(word.text.length - text.length) <= 1 && edits(word.text, text) === 1) {
      return word.keyword
    }
  }
  return NO_CLASS
}

/** Maximum runs of letters of a keyword: `NOTA CREDITO N`. */
const KEYWORD_RUNS_MAX = 3

/**
 * The keyword directly before a place.
 *
 *   FIELD     HOLDS
 *   from      start of the keyword and its fillers; the place itself when there is none
 *   keyword   its class, 0 = none
 */
export interface KeywordPlace {
  readonly from: number
  readonly keyword: number
}

/**
 * The keyword that ends directly before a place, over any gap; words that only say "number" are
 * passed (`Rechnung Nr.`), and runs joined or a blank apart make one word (`RG-NR.`).
 */
export function keywordBefore(span: CodeSpan, place: number): KeywordPlace {
  let keyword: KeywordPlace = { from: place, keyword: NO_CLASS }
  for (let passes = 0; passes < KEYWORD_RUNS_MAX; passes++) {
    const before = longestKeyword(span, keyword.from)
    if (before.keyword === NO_CLASS || before.keyword === CLASS_FILLER) break
    keyword = before
    if (before.keyword !== CLASS_NUMBER) break
  }
  return keyword
}

function longestKeyword(span: CodeSpan, place: number): KeywordPlace {
  const { codes, gaps, from } = span
  const longest = { from: place, keyword: NO_CLASS }
  let first = place
  for (let run = 0; run < KEYWORD_RUNS_MAX; run++) {
    if (first <= from || !isLetter(codes[first - 1]!)) break // from <= first - 1
    if (run > 0 && gaps[first]! >= GAP_STRONG) break
    do first -= 1
    while (first > from && gaps[first] === 0 && isLetter(codes[first - 1]!)) // first > from
    const keyword = keywordAt(codes, first, place)
    if (keyword !== NO_CLASS && !isCodeWithLetter(span, first, place)) {
      longest.from = first
      longest.keyword = keyword
    }
  }
  return longest
}

/** Whether letters from one place to before another are the R of R02, which is no invoice. */
function isCodeWithLetter(span: CodeSpan, first: number, place: number): boolean {
  const { codes, gaps, to } = span
  const isJoined = place < to && gaps[place] === GAP_NONE && isDigit(codes[place]!)
  return isJoined && place - first === 1 && digitsEnd(span, place) - place < KEYWORD_DIGITS_MIN
}

/** Digits from which on a single letter before them is a keyword. */
const KEYWORD_DIGITS_MIN = 3
