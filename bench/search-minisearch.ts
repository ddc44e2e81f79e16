// MiniSearch: an inverted index of JavaScript objects. It finds whole words (and prefixes, where
// enabled), so it only runs searches that have the same answer by that rule.
import MiniSearch from 'minisearch'
import { splitAtWhiteSpace, termsOf } from '../src/text/normal-forms.js'
import {
  type Answer,
  PAGE_ROWS,
  type SearchEngine,
  type SearchQuery,
  type SearchSort,
} from './search-engine.js'
import { readSearchedRows } from './searched-rows.js'

interface Document {
  readonly id: number
  readonly words: string
}

/** One document per transaction: its words in both forms. */
export class WordSearch implements SearchEngine {
  readonly buildMs: number
  readonly indexBytes = undefined
  readonly #search = new MiniSearch<Document>({
    fields: ['words'],
    tokenize: splitAtWhiteSpace,
    processTerm: (word) => word,
    searchOptions: { combineWith: 'AND', prefix: false, fuzzy: false },
  })
  readonly #bookedAt = new Map<number, number>()

  constructor(path: string) {
    let buildMs = 0
    readSearchedRows(path, ({ id, bookedAt, first, second }) => {
      const words = first === second ? first : new Set([...first, ...second])
      const document = { id, words: [...words].join(' ') }
      this.#bookedAt.set(id, bookedAt ?? Number.NEGATIVE_INFINITY)
      const startedMs = performance.now()
      this.#search.add(document)
      buildMs += performance.now() - startedMs
    })
    this.buildMs = buildMs
  }

  /** Whole words of one form. */
  answers({ text, ofWholeWords }: SearchQuery): boolean {
    return ofWholeWords && termsOf(text).every(({ first, second }) => first === second)
  }

  answer(text: string, sort: SearchSort): Answer {
    const words = termsOf(text).map(({ first }) => first)
    const ids = this.#search.search(words.join(' ')).map(({ id }) => id as number)
    const bookedAt = (id: number): number => this.#bookedAt.get(id) ?? 0
    if (sort === '_id') ids.sort((a, b) => b - a)
    else ids.sort((a, b) => bookedAt(b) - bookedAt(a) || b - a)
    return { total: ids.length, ids: ids.slice(0, PAGE_ROWS) }
  }
}
