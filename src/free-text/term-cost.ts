import { areMarked, BIT_WORDS_PER_SORTED_ROW } from './rows-of-words.js'
import { bitWords, type TextIndex } from './text-index.js'
import {
  formsOf,
  type ListedWords,
  listedWords,
  placesOfGrams,
  type TermBytes,
  type TermForm,
  WORD_COST,
} from './words-with-term.js'

/** Cost of finding the rows of a term, and their maximum number. */
export interface TermCost {
  /** Approximate nanoseconds. */
  readonly cost: number
  readonly rowsMax: number
}

/**
 * Nanoseconds, fitted to random terms in a million rows of a demo and of a shop: half of them take
 * 0.3 to 0.8 of the estimate, and one in a hundred twice as long.
 */
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
  const costs = formsOf(index, term).map((sought) => costOfForm(index, sought))
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
interface FormCost {
  readonly cost: number
  readonly entries: number
}

function costOfForm(index: TextIndex, sought: TermForm): FormCost {
  if (sought.common !== undefined) {
    const entries = bitWords(index.rowCount)
    return { cost: entries * COSTS.bits, entries }
  }
  const listed = listedWords(sought)
  return listed === undefined ? costOfCompared(index, sought) : costOfListed(index, listed)
}

function costOfListed(index: TextIndex, listed: ListedWords): FormCost {
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

function costOfCompared(index: TextIndex, { grams, form }: TermForm): FormCost {
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

/** Bytes between two reads from which on neither shares what is fetched, nor a page's address. */
const FETCHED_BYTES = 512
const PAGES_BYTES = 8_192

/** Nanoseconds of a read from memory: for the bytes, and for the address. */
const FETCH_COST = 45
const ADDRESS_COST = 45

/** Nanoseconds of each of `count` ascending reads of an array, by how far apart they are. */
function fetchCost({ byteLength }: ArrayBufferView, count: number): number {
  const distance = byteLength / count
  const fetched = Math.min(1, distance / FETCHED_BYTES)
  return FETCH_COST * fetched + ADDRESS_COST * Math.min(1, distance / PAGES_BYTES)
}
