import type { CodeArray } from '../ordinals/shared-memory.js'
import type { Term } from '../text/normal-forms.js'
import { type RowSet, setOfOrdinals } from './row-set.js'
import { rowHasTerm } from './rows-with-terms.js'
import type { TextIndex } from './text-index.js'
import { bytesOfTerm, type TermBytes } from './words-with-term.js'

/** Some rows of a segment, to be searched one by one. */
export interface RowScan {
  readonly kind: 'scan'
  /** Index of the whole segment; only the words of the rows are read. */
  readonly text: TextIndex
  readonly terms: readonly Term[]
  /** Ordinals, in disjoint lists. */
  readonly lists: readonly Uint32Array[]
  /** Codes of a row, one column each, by which it may have a term without a text. */
  readonly columns: readonly CodeArray[]
  /** Those codes, by the term's index in `terms`. */
  readonly codes: readonly (readonly number[])[]
}

/** Approximate nanoseconds to fetch the words of a row, and to compare them with a term. */
const FETCHED_ROW_COST = 800
const COMPARED_ROW_COST = 200

/** Approximate nanoseconds of a scan; depends only on its own rows. */
export function scanCost({ lists, terms }: Pick<RowScan, 'lists' | 'terms'>): number {
  const rowCount = lists.reduce((sum, rows) => sum + rows.length, 0)
  return rowCount * (FETCHED_ROW_COST + terms.length * COMPARED_ROW_COST)
}

/**
 * The given rows that have every term, in a text or by one of their codes. The time depends on no
 * other row of the segment, unlike that of a look-up in its index.
 */
export function rowsAmong(scan: RowScan): RowSet {
  const { text, terms, lists, columns, codes } = scan
  const tests = terms.map((term, place) => ({
    term: bytesOfTerm(term),
    codes: new Set(codes[place]),
  }))
  const found = lists.flatMap((rows) =>
    rows.filter((row) => tests.every((test) => passesTest(text, row, columns, test))),
  )
  const ordinals = new Uint32Array(found.reduce((sum, rows) => sum + rows.length, 0))
  let end = 0
  for (const rows of found) {
    ordinals.set(rows, end)
    end += rows.length
  }
  return setOfOrdinals(ordinals.sort(), text.rowCount)
}

interface TermTest {
  readonly term: TermBytes
  readonly codes: ReadonlySet<number>
}

function passesTest(
  text: TextIndex,
  row: number,
  columns: readonly CodeArray[],
  { term, codes }: TermTest,
): boolean {
  if (rowHasTerm(text, row, term)) return true
  return codes.size > 0 && columns.some((column) => codes.has(column[row] ?? -1))
}
