import { areMarked, BIT_WORDS_PER_SORTED_ROW } from './rows-of-words.js'
import { bitWords, type TextIndex } from './text-index.js'
import {
  type ListedWords,
  listedWords,
  lookupsOf,
  placesOfGrams,
  type TermBytes,
  type TermLookup,
  WORD_COST,
} from './words-with-term.js'

/** Cost of finding the rows of a term, and their maximum number. */
export interface TermCost {
  /** Approximate nanoseconds, fitted to measurements of the search bench. */
  readonly cost: number
  readonly rowsMax: number
}

/** Nanoseconds, fitted to random searches of a million rows of a demo and of a shop. */
const COSTS = {
  /** To find a key. */
  key: 30,
  /** To read a word from a list, and a row of it. */
  word: 8,
  row: 2,
  /** To read an entry of a list, and compare it with the words found so far. */
  entry: 7,
  /** To compare the bytes of a word. */
  compared: 25,
  /** To sort a row. */
  sorted: 25,
  /** For 32 rows: to pass over their bits, and to add those of a common set. */
  bits: 2.5,
} as const

/** An estimate by the counts of the keys that find the words, without reading a word. */
export function costOfTerm(index: TextIndex, term: TermBytes): TermCost {
  const bitsLength = bitWords(index.rowCount)
  const costs = lookupsOf(index, term).map((lookup) => costOfLookup(index, lookup))
  const cost = costs.reduce((sum, { cost }) => sum + cost, 0)
  const entries = costs.reduce((sum, { entries }) => sum + entries, 0)
  const isSorted = entries * BIT_WORDS_PER_SORTED_ROW <= bitsLength
  return {
    cost: cost + (isSorted ? entries * COSTS.sorted : bitsLength * COSTS.bits),
    // A word with as many entries as a bit per row takes may have a bit set.
    rowsMax: entries < bitsLength ? entries : index.rowCount,
  }
}

/** Nanoseconds to find words and to read their rows, and the entries of these. */
interface LookupCost {
  readonly cost: number
  readonly entries: number
}

function costOfLookup(index: TextIndex, lookup: TermLookup): LookupCost {
  if (lookup.common !== undefined) {
    const entries = bitWords(index.rowCount)
    return { cost: entries * COSTS.bits, entries }
  }
  const listed = listedWords(lookup)
  return listed === undefined ? costOfCompared(index, lookup) : costOfListed(index, listed)
}

function costOfListed(index: TextIndex, listed: ListedWords): LookupCost {
  const { start, end } = listed
  const { counts, rowCounts } = listed.grams
  let words = 0
  let entries = 0
  for (let place = start; place < end; place++) {
    words += counts[place]!
    entries += rowCounts[place]!
  }
  if (words === 0) return { cost: 0, entries: 0 }
  const isInOrder = end - start === 1 || areMarked(listed, words)
  const each =
    COSTS.word +
    fetchCost(index.rows, words) +
    (isInOrder ? 0 : fetchCost(index.rowOffsets, words / (end - start)))
  return { cost: (end - start) * COSTS.key + words * each + entries * COSTS.row, entries }
}

function costOfCompared(index: TextIndex, { grams, form }: TermLookup): LookupCost {
  const places = placesOfGrams(grams, form)
  const [rarest, ...others] = places
  if (rarest === undefined) return { cost: 0, entries: 0 }
  const words = grams.counts[rarest]!
  let listEntries = words
  for (const place of others) {
    if (grams.counts[place]! <= words * WORD_COST) listEntries += grams.counts[place]!
  }
  const each =
    COSTS.word + COSTS.compared + fetchCost(index.wordBytes, words) + fetchCost(index.rows, words)
  // Each word that contains the form has all keys.
  const entries = places.reduce(
    (least, place) => Math.min(least, grams.rowCounts[place]!),
    Number.POSITIVE_INFINITY,
  )
  return { cost: listEntries * COSTS.entry + words * each + entries * COSTS.row, entries }
}

/**
 * Nanoseconds to fetch one of `count` places of an array from memory: the farther they are apart,
 * the fewer share what the processor fetches at once, or have its address at hand.
 */
function fetchCost({ byteLength }: ArrayBufferView, count: number): number {
  const distance = byteLength / count
  return 45 * (Math.min(1, distance / 512) + Math.min(1, distance / 8192))
}
