// Searches of the bench, in classes; each search is chosen by how many rows contain its terms.
import { strict as assert } from 'node:assert'
import type { Random } from '../src/demo/random.js'
import { SEARCH_TERMS_MAX } from '../src/limits.js'
import { normalForms, termsOf } from '../src/text/normal-forms.js'
import type { SearchClass, SearchClasses, SearchQuery } from './search-engine.js'
import type { Scan } from './search-scan.js'
import {
  atShares,
  type Counted,
  ranked,
  sampledSequences,
  sequencesOfWords,
  type WordCounts,
} from './search-words.js'

/** Default number of searches in a class. */
const QUERIES_PER_CLASS = 8

/** Largest share of rows that a selective search of several terms finds. */
const SELECTIVE_SHARE_MAX = 0.01

/**
 * Number of the most frequent letters, which count as terms of every row: no longer term is in all.
 */
const EVERY_ROW_LETTERS = 4

/** Sampled words to find the letter sequences that most words contain. */
const SAMPLED_WORDS = 100_000

/** Inputs of the choice. */
export interface Choice {
  readonly scan: Scan
  readonly words: WordCounts
  readonly categoryNames: readonly string[]
  readonly random: Random
}

/** The classes with the scan's answers; the same for the same rows and seed. */
export function chooseClasses(choice: Choice): SearchClasses {
  const { scan, words, random } = choice
  const { sequences, rowCount } = sampledSequences(scan)
  const letters = ranked(sequences, (text) => text.length === 1)
  const pairs = ranked(sequences, (text) => text.length === 2)
  const long = ranked(sequences, (text) => text.length >= 3)
  const fromHalf = ({ count }: Counted): number => Math.abs(count / rowCount - 0.5)
  const halves = long.toSorted((a, b) => fromHalf(a) - fromHalf(b))
  const rare = ranked(words.rows, (text) => /^[a-z]{5,}$/.test(text)).reverse()
  const references = pickSome(random, words.references)
  const shares = [0, 0.02, 0.1, 0.2, 0.3, 0.5, 0.7, 0.95]
  const narrow = (name: string, texts: readonly string[]) => classOf(scan, name, true, texts)
  const wide = (name: string, texts: readonly string[]) => classOf(scan, name, false, texts)
  return {
    compared: [
      narrow('rare word', textsOf(rare.slice(0, QUERIES_PER_CLASS))),
      narrow('reference', references),
      narrow('infix digits', infixDigits(words, random)),
      narrow('two terms', severalTerms(choice, 2)),
      narrow('four terms', severalTerms(choice, 4)),
      narrow('no hit', noHits(choice, references)),
      wide('half of the rows', textsOf(halves.slice(0, QUERIES_PER_CLASS))),
      wide('most rows', textsOf(long.slice(0, 4))),
      wide('every row', textsOf(letters.slice(0, EVERY_ROW_LETTERS))),
      wide('one letter', atShares(letters.slice(EVERY_ROW_LETTERS), shares)),
      wide('two letters', atShares(pairs, shares)),
      wide('umlauts', umlauts(words)),
    ],
    adversarial: adversarial(choice, letters, pairs),
  }
}

function classOf(
  scan: Scan,
  name: string,
  isSelective: boolean,
  texts: readonly string[],
): SearchClass {
  const queries = texts.map((text): SearchQuery => {
    const answers = { _id: scan.answer(text, '_id'), bookingDate: scan.answer(text, 'bookingDate') }
    return { text, answers, ofWholeWords: scan.countWholeWords(text) === answers._id.total }
  })
  return { name, isSelective, queries }
}

function textsOf(list: readonly Counted[]): string[] {
  return list.map(({ text }) => text)
}

function pickSome(random: Random, list: readonly string[]): string[] {
  const picked = new Set<string>()
  for (let i = 0; i < QUERIES_PER_CLASS * 4 && picked.size < QUERIES_PER_CLASS; i++) {
    picked.add(random.pick(list))
  }
  return [...picked]
}

/** Four digits from the middle of references. */
function infixDigits({ references }: WordCounts, random: Random): string[] {
  const long = references.filter((text) => /\d{7}/.test(text))
  const infixes = pickSome(random, long).map((text) => {
    const start = text.search(/\d{7}/)
    return text.slice(start + 1, start + 5)
  })
  return [...new Set(infixes)]
}

/** Neighbouring words of one row, each in up to a fifth of the rows but together in few. */
function severalTerms({ scan, words, random }: Choice, termCount: number): string[] {
  const rowCount = scan.ids.length
  const isFit = (word: string): boolean => {
    const share = (words.rows.get(word) ?? 0) / rowCount
    return word.length >= 3 && share >= 0.001 && share <= 0.2
  }
  const texts = new Set<string>()
  for (let tries = 0; texts.size < QUERIES_PER_CLASS; tries++) {
    assert(tries < 10_000, `rows have ${termCount} words that few rows have together`)
    const fit = [...new Set(scan.wordsAt(random.below(rowCount) / rowCount))].filter(isFit)
    if (fit.length < termCount) continue
    const start = random.below(fit.length - termCount + 1)
    const text = fit.slice(start, start + termCount).join(' ')
    if (scan.count(termsOf(text)) <= rowCount * SELECTIVE_SHARE_MAX) texts.add(text)
  }
  return [...texts]
}

/** Absent letters, references with one digit changed, and words that never occur together. */
function noHits({ scan, words, random }: Choice, references: readonly string[]): string[] {
  const isNowhere = (text: string): boolean => scan.count(termsOf(text)) === 0
  const changed = references.map((text) => `${text.slice(0, -2)}${random.digits(2)}7`)
  const common = textsOf(ranked(words.rows, (text) => text.length >= 5).slice(0, 40))
  const pairs = common.flatMap((a) => common.slice(20).map((b) => `${a} ${b}`))
  const apart: string[] = []
  for (let tries = 0; tries < 200 && apart.length < 3; tries++) {
    const pair = random.pick(pairs)
    if (isNowhere(pair)) apart.push(pair)
  }
  return ['qxqzj', ...changed.filter(isNowhere).slice(0, 4), ...apart].filter(isNowhere)
}

/** Words with an umlaut, frequent and rare: as spelled, and in either normal form. */
function umlauts(words: WordCounts): string[] {
  const chosen = atShares(ranked(words.umlauts), [0, 0.3, 0.9])
  return chosen.flatMap((word) => {
    const { first, second } = normalForms(word)
    return [word, first, second.toUpperCase()]
  })
}

/** The costliest: terms in the most words, as many as are allowed, and names of categories. */
function adversarial(
  { scan, words, categoryNames }: Choice,
  letters: readonly Counted[],
  pairs: readonly Counted[],
): SearchClass[] {
  const step = Math.max(1, Math.floor(words.rows.size / SAMPLED_WORDS))
  const inWords = sequencesOfWords(words.rows.keys(), { from: 2, to: 4, step })
  const ofLength = (length: number): string[] =>
    textsOf(ranked(inWords, (text) => text.length === length).slice(0, SEARCH_TERMS_MAX))
  const names = categoryNames.map((name) => normalForms(name).first.replaceAll(/\s/g, ''))
  const inNames = textsOf(
    ranked(sequencesOfWords(names, { from: 1, to: 3, step: 1 })).slice(0, QUERIES_PER_CLASS),
  )
  const of = (name: string, texts: readonly string[]) => classOf(scan, name, false, texts)
  const many = (list: readonly Counted[]): string =>
    textsOf(list.slice(0, SEARCH_TERMS_MAX)).join(' ')
  return [
    of('two letters in most words', ofLength(2).slice(0, QUERIES_PER_CLASS)),
    of('three letters in most words', ofLength(3).slice(0, QUERIES_PER_CLASS)),
    of('four letters in most words', ofLength(4).slice(0, QUERIES_PER_CLASS)),
    of(
      'two such terms',
      [2, 3, 4].map((length) => ofLength(length).slice(0, 2).join(' ')),
    ),
    of('32 terms', [many(letters), many(pairs), ofLength(3).join(' '), sequencesOfRow(scan)]),
    of('letters of many categories', [...inNames, inNames.join(' ')]),
  ]
}

/** The maximum number of four-letter terms, all from one row that has so many. */
function sequencesOfRow(scan: Scan): string {
  let most: string[] = []
  for (let i = 0; i < 100 && most.length < SEARCH_TERMS_MAX; i++) {
    const counts = sequencesOfWords(scan.wordsAt(i / 100), { from: 4, to: 4, step: 1 })
    const sequences = [...counts.keys()].slice(0, SEARCH_TERMS_MAX)
    if (sequences.length > most.length) most = sequences
  }
  return most.join(' ')
}
