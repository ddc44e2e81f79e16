// FlexSearch over the vocabulary, the design before kontor's own index: its documents are the
// distinct words of both normal forms, its terms their letters in threes. A search asks FlexSearch
// for the rarest three letters of a term, compares the words found with the whole term, and follows
// typed postings from words to rows. Terms of one or two letters are searched in all words.
import FlexSearch from 'flexsearch'
import { type Term, termsOf } from '../src/text/normal-forms.js'
import {
  type Answer,
  PAGE_ROWS,
  type SearchEngine,
  type SearchQuery,
  type SearchSort,
} from './search-engine.js'
import { readSearchedRows } from './searched-rows.js'

/** Letters per term of the index. */
const GRAM_LETTERS = 3

/**
 * Postings of the words, and the order by booking date.
 *
 *   FIELD         SIZE          HOLDS
 *   words                       a word per code
 *   rowOffsets    4 × (n + 1)   rows of word c are rows[rowOffsets[c] .. rowOffsets[c + 1])
 *   rows          4 × entries   ordinals, ascending; ids descend with them
 */
export class VocabularySearch implements SearchEngine {
  readonly buildMs: number
  readonly indexBytes = undefined
  readonly #index = new FlexSearch.Index({ encode: gramsOf, tokenize: 'strict', resolution: 1 })
  readonly #gramCounts = new Map<string, number>()
  readonly #words: string[] = []
  readonly #ids: number[] = []
  readonly #rowsByBooking: Uint32Array
  readonly #rowOffsets: Uint32Array
  readonly #rows: Uint32Array

  constructor(path: string) {
    const codes = new Map<string, number>()
    const entries: number[] = []
    const rowEnds: number[] = []
    const booked: number[] = []
    let readMs = 0
    const beganMs = performance.now()
    let lastMs = beganMs
    readSearchedRows(path, ({ id, bookedAt, first, second }) => {
      readMs += performance.now() - lastMs
      const words = new Set(first === second ? first : [...first, ...second])
      for (const word of words) entries.push(this.#codeOf(word, codes))
      rowEnds.push(entries.length)
      this.#ids.push(id)
      booked.push(bookedAt ?? Number.NEGATIVE_INFINITY)
      lastMs = performance.now()
    })
    const { rowOffsets, rows } = postingsOf(entries, rowEnds, this.#words.length)
    this.#rowOffsets = rowOffsets
    this.#rows = rows
    this.buildMs = performance.now() - beganMs - readMs
    this.#rowsByBooking = Uint32Array.from(booked.keys()).sort(
      (a, b) => (booked[b] ?? 0) - (booked[a] ?? 0) || a - b,
    )
  }

  /** This vocabulary does not distinguish the two forms. */
  answers({ text }: SearchQuery): boolean {
    return termsOf(text).every(({ first, second }) => first === second)
  }

  answer(text: string, sort: SearchSort): Answer {
    let found: Uint8Array | undefined
    for (const term of termsOf(text)) {
      const rows = this.#rowsWith(term)
      if (found === undefined) found = rows
      else for (let row = 0; row < rows.length; row++) found[row]! &= rows[row]!
    }
    const ids: number[] = []
    let total = 0
    for (let i = 0; i < this.#ids.length; i++) {
      const row = sort === '_id' ? i : (this.#rowsByBooking[i] ?? 0)
      if (found?.[row] !== 1) continue
      total += 1
      if (ids.length < PAGE_ROWS) ids.push(this.#ids[row] ?? 0)
    }
    return { total, ids }
  }

  #codeOf(word: string, codes: Map<string, number>): number {
    const known = codes.get(word)
    if (known !== undefined) return known
    const code = this.#words.push(word) - 1
    codes.set(word, code)
    this.#index.add(code, word)
    for (const gram of gramsOf(word)) {
      this.#gramCounts.set(gram, (this.#gramCounts.get(gram) ?? 0) + 1)
    }
    return code
  }

  #rowsWith({ first }: Term): Uint8Array {
    const rows = new Uint8Array(this.#ids.length)
    for (const code of this.#candidates(first)) {
      if (!(this.#words[code] ?? '').includes(first)) continue
      const end = this.#rowOffsets[code + 1] ?? 0
      for (let at = this.#rowOffsets[code] ?? 0; at < end; at++) rows[this.#rows[at]!] = 1
    }
    return rows
  }

  #candidates(form: string): Iterable<number> {
    if (form.length < GRAM_LETTERS) return this.#words.keys()
    const grams = gramsOf(form).map((gram) => ({ gram, count: this.#gramCounts.get(gram) ?? 0 }))
    const [rarest] = grams.sort((a, b) => a.count - b.count)
    if (rarest === undefined || rarest.count === 0) return []
    return this.#index.search(rarest.gram, { limit: rarest.count }) as number[]
  }
}

/** Each distinct sequence of three letters. */
function gramsOf(word: string): string[] {
  const grams = new Set<string>()
  for (let at = 0; at + GRAM_LETTERS <= word.length; at++) {
    grams.add(word.slice(at, at + GRAM_LETTERS))
  }
  return [...grams]
}

/** @param entries codes of the words of row o are entries[rowEnds[o - 1] .. rowEnds[o]) */
function postingsOf(
  entries: readonly number[],
  rowEnds: readonly number[],
  wordCount: number,
): { readonly rowOffsets: Uint32Array; readonly rows: Uint32Array } {
  const rowOffsets = new Uint32Array(wordCount + 1)
  for (const code of entries) rowOffsets[code + 1]! += 1
  for (let code = 0; code < wordCount; code++) rowOffsets[code + 1]! += rowOffsets[code]!
  const ends = rowOffsets.slice(0, wordCount)
  const rows = new Uint32Array(entries.length)
  for (let row = 0, at = 0; row < rowEnds.length; row++) {
    for (; at < (rowEnds[row] ?? 0); at++) rows[ends[entries[at]!]!++] = row
  }
  return { rowOffsets, rows }
}
