import type { Term } from '../text/normal-forms.js'
import { type RowSet, rowSetOrdinals, setOfOrdinals } from './row-set.js'
import { type RowScan, rowsAmong } from './rows-among.js'
import { rowsWithAllTerms } from './rows-with-terms.js'
import type { TextIndex } from './text-index.js'

/** A search for a thread: handles to shared memory, so nothing large is copied. */
export type SearchTask = IndexSearch | RowScan

/** A search of all rows that an index has. */
interface IndexSearch {
  readonly kind: 'index'
  readonly text: TextIndex
  readonly terms: readonly Term[]
  /** Rows that have a term outside of the texts, ascending, by its index in `terms`. */
  readonly further: readonly (readonly Uint32Array[])[]
  /** Absent = the index is that of a whole segment. */
  readonly part?: PartRows | undefined
}

/** The rows of a part of a segment. */
interface PartRows {
  /** Ascending ordinals of the segment, by ordinal of the part. */
  readonly rows: Uint32Array
  /** Rows of the segment. */
  readonly rowCount: number
}

/** The rows with every term, in a text or among its further rows; in ordinals of the segment. */
export function findRows(task: SearchTask): RowSet {
  if (task.kind === 'scan') return rowsAmong(task)
  const { text, terms, further, part } = task
  const places = new Map(terms.map((term, place) => [term, place]))
  const found = rowsWithAllTerms(text, terms, (term) => further[places.get(term) ?? -1] ?? [])
  if (part === undefined) return found
  // Ascending in the part, so ascending in the segment.
  const ordinals = rowSetOrdinals(found).map((row) => part.rows[row]!)
  return setOfOrdinals(ordinals, part.rowCount)
}
