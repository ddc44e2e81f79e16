import { strict as assert } from 'node:assert'
import { type RowSet, rowSetCount } from '../free-text/row-set.js'
import { searchCost } from '../free-text/rows-with-terms.js'
import { findRows, type SearchTask } from '../free-text/search-task.js'
import { SEARCH_COST_MAX } from '../limits.js'
import { codeCountOf, postingOf } from '../snapshot/postings.js'
import type { LiveSegment, Segment, Snapshot } from '../snapshot/snapshot.js'
import { normalForms, type Term } from '../text/normal-forms.js'
import type { RowsPredicate } from './filter.js'
import type { NamedCode, Selections } from './selections.js'

/**
 * The rows of a segment in which every term occurs, in a text of the row or in the name that its
 * category or parent category has now (decisions, "Free-text search"). The segment has its index.
 * @param terms at least one
 */
export function searchedRows(
  snapshot: Snapshot,
  live: LiveSegment,
  terms: readonly Term[],
  selections: Selections,
): RowsPredicate {
  const { text, further, key } = searchOf(snapshot, live, terms, selections)
  const rows = selections.searched.findOrKeep(text, text.rowCount, key, () =>
    findRows({ text, terms, further }),
  )
  return { kind: 'rows', key: `t${key}`, rows, count: rowSetCount(rows) }
}

/** A search that would keep other requests waiting, and where to put what it finds. */
export interface LongSearch {
  readonly task: SearchTask
  /** Lets {@link searchedRows} find the rows. */
  readonly keep: (rows: RowSet) => void
}

/**
 * The searches of a query that are not remembered and take long; none when it has no terms. Every
 * segment has its index.
 * @param costMax nanoseconds that one may take at once
 */
export function longSearches(
  snapshot: Snapshot,
  terms: readonly Term[],
  selections: Selections,
  costMax = SEARCH_COST_MAX,
): LongSearch[] {
  if (terms.length === 0) return []
  return snapshot.segments.flatMap((live): LongSearch[] => {
    const { text, further, key } = searchOf(snapshot, live, terms, selections)
    if (selections.searched.has(text, key)) return []
    const furtherCount = further.flat().reduce((sum, rows) => sum + rows.length, 0)
    if (searchCost(text, terms) + furtherCount <= costMax) return []
    const keep = (rows: RowSet): void => {
      selections.searched.findOrKeep(text, text.rowCount, key, () => rows)
    }
    return [{ task: { text, terms, further }, keep }]
  })
}

interface Search extends Omit<SearchTask, 'terms'> {
  /** Says which rows are found, the same for equal searches of one index. */
  readonly key: string
}

function searchOf(
  snapshot: Snapshot,
  { segment, text }: LiveSegment,
  terms: readonly Term[],
  { categoryNames }: Selections,
): Search {
  assert(text !== undefined, 'searches wait for the index')
  const names = categoryNames.get(snapshot.categories) ?? namesOf(snapshot)
  categoryNames.set(snapshot.categories, names)
  const codes = terms.map((term) => codesNamed(names, term))
  const key = terms.map((term, place) => `${keyOf(term)}\n${codes[place]?.join()}`).join('\n')
  return { text, further: codes.map((named) => rowsOfCodes(segment, named)), key }
}

/** Differs between terms; holds no line break, because no term does. */
function keyOf({ first, second }: Term): string {
  return first === second ? first : `${first}\t${second}`
}

function rowsOfCodes({ eitherPostings }: Segment, codes: readonly number[]): Uint32Array[] {
  const codeCount = codeCountOf(eitherPostings)
  return codes.filter((code) => code < codeCount).map((code) => postingOf(eitherPostings, code))
}

/** Codes of the categories in whose names the term occurs. */
function codesNamed(names: readonly NamedCode[], term: Term): number[] {
  return names
    .filter(({ first, second }) => first.includes(term.first) || second.includes(term.second))
    .map(({ code }) => code)
}

function namesOf({ categories }: Snapshot): NamedCode[] {
  return categories.map(({ name, code }) => ({ ...normalForms(name), code }))
}
