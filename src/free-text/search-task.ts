import type { Term } from '../text/normal-forms.js'
import type { RowSet } from './row-set.js'
import { rowsWithAllTerms } from './rows-with-terms.js'
import type { TextIndex } from './text-index.js'

/** A search as a thread is asked for it: handles to shared memory, so nothing large is copied. */
export interface SearchTask {
  readonly text: TextIndex
  readonly terms: readonly Term[]
  /** Rows that a term has for another reason than the texts, ascending, by its place in `terms`. */
  readonly further: readonly (readonly Uint32Array[])[]
}

/** The rows that have every term, in a text or among its further rows. */
export function findRows({ text, terms, further }: SearchTask): RowSet {
  const places = new Map(terms.map((term, place) => [term, place]))
  return rowsWithAllTerms(text, terms, (term) => further[places.get(term) ?? -1] ?? [])
}
