import { strict as assert } from 'node:assert'
import { type RowSet, rowSetCount } from '../free-text/row-set.js'
import { scanCost } from '../free-text/rows-among.js'
import { searchCost } from '../free-text/rows-with-terms.js'
import { findRows, type SearchTask } from '../free-text/search-task.js'
import type { TextIndex } from '../free-text/text-index.js'
import { codeCountOf, type Postings, postingOf } from '../snapshot/postings.js'
import type { LiveSegment, Segment, Snapshot } from '../snapshot/snapshot.js'
import { rowsOfAccounts } from '../snapshot/visible-rows.js'
import { normalForms, type Term } from '../text/normal-forms.js'
import type { RowsPredicate } from './predicate.js'
import type { NamedCode, QueryCache } from './query-cache.js'
import { rowCountOf } from './visible-texts.js'

/**
 * Nanoseconds, by an estimate that is a third of the truth at worst, that a search may take on the
 * thread that answers requests; longer ones run on another thread.
 */
export const SEARCH_COST_MAX = 1_500_000

/** Terms and rows of a search. */
export interface SearchQuery {
  readonly terms: readonly Term[]
  /** As {@link TransactionBounds.visibleCodes}: only rows of these accounts. */
  readonly visibleCodes?: readonly number[] | undefined
}

/**
 * The rows of a segment in which every term occurs, in a text of the row or in the name that its
 * category or parent category has now (docs/contract/lists.md, "Free-text search"). The segment has
 * its index.
 * @param search has at least one term
 */
export function searchedRows(
  snapshot: Snapshot,
  live: LiveSegment,
  search: SearchQuery,
  queryCache: QueryCache,
): RowsPredicate {
  const { text, task, key } = searchOf(snapshot, live, search, queryCache)
  const rows = queryCache.searched.findOrKeep(text, text.rowCount, key, () => findRows(task))
  return { kind: 'rows', key: `t${key}`, rows, count: rowSetCount(rows) }
}

/** A search that would block other requests, and the receiver of its result. */
export interface LongSearch {
  readonly task: SearchTask
  /** Caches the rows, so that {@link searchedRows} finds them. */
  readonly keep: (rows: RowSet) => void
}

/**
 * The searches of a query that are not cached and take long; none when it has no terms. Every
 * segment has its index.
 * @param costMax nanoseconds that one may take synchronously
 */
export function longSearches(
  snapshot: Snapshot,
  search: SearchQuery,
  queryCache: QueryCache,
  costMax = SEARCH_COST_MAX,
): LongSearch[] {
  if (search.terms.length === 0) return []
  return snapshot.segments.flatMap((live): LongSearch[] => {
    const { text, task, key } = searchOf(snapshot, live, search, queryCache)
    if (queryCache.searched.has(text, key)) return []
    if (costOf(task) <= costMax) return []
    const keep = (rows: RowSet): void => {
      queryCache.searched.findOrKeep(text, text.rowCount, key, () => rows)
    }
    return [{ task, keep }]
  })
}

/** Nanoseconds to map a row's ordinal in a part to its ordinal in the segment. */
const MOVED_ROW_COST = 4

function costOf(task: SearchTask): number {
  if (task.kind === 'scan') return scanCost(task)
  const { text, terms, further, part } = task
  const movedCost = part === undefined ? 0 : part.rows.length * MOVED_ROW_COST
  return searchCost(text, terms) + rowCountOf(further.flat()) + movedCost
}

interface Search {
  /** Index of the whole segment; the cache keeps results under it. */
  readonly text: TextIndex
  readonly task: SearchTask
  /** Identifies the result: the same for equal searches of one index and the same accounts. */
  readonly key: string
}

function searchOf(
  snapshot: Snapshot,
  live: LiveSegment,
  { terms, visibleCodes }: SearchQuery,
  queryCache: QueryCache,
): Search {
  const { segment, text } = live
  assert(text !== undefined, 'searches wait for the index')
  const { categoryNames } = queryCache
  const names = categoryNames.get(snapshot.categories) ?? namesOf(snapshot)
  categoryNames.set(snapshot.categories, names)
  const codes = terms.map((term) => codesNamed(names, term))
  const named: NamedSearch = { segment, text, terms, codes }
  const key = terms.map((term, place) => `${keyOf(term)}\n${codes[place]?.join()}`).join('\n')
  if (visibleCodes === undefined) return { text, task: wholeSearch(named), key }
  // No term is empty, so no key of a search over all accounts begins with a line break.
  const ownKey = `\n${visibleCodes.join()}\n${key}`
  const task = visibleSearch(named, visibleCodes, queryCache)
  return { text, task, key: ownKey }
}

/** A segment to be searched, and the codes of categories in whose names each term occurs. */
interface NamedSearch {
  readonly segment: Segment
  readonly text: TextIndex
  readonly terms: readonly Term[]
  readonly codes: readonly (readonly number[])[]
}

function wholeSearch({ segment, text, terms, codes }: NamedSearch): SearchTask {
  const further = codes.map((named) => rowsOfCodes(segment.eitherPostings, named))
  return { kind: 'index', text, terms, further }
}

/**
 * Searches the rows of the accounts: in an index of these alone if there is one, else one by one.
 * The index of all rows is not consulted, because the time that takes depends on other rows.
 */
function visibleSearch(
  named: NamedSearch,
  visibleCodes: readonly number[],
  { visibleTexts }: QueryCache,
): SearchTask {
  const { segment, text, terms, codes } = named
  const lists = rowsOfAccounts(segment, visibleCodes)
  if (rowCountOf(lists) === segment.rowCount) return wholeSearch(named)
  const part = visibleTexts.find(text, visibleCodes)
  if (part === undefined) {
    const columns = [segment.categoryCodes, segment.parentCodes]
    return { kind: 'scan', text, terms, lists, columns, codes }
  }
  const further = codes.map((named) => rowsOfCodes(part.eitherPostings, named))
  const { rowCount } = segment
  return { kind: 'index', text: part.text, terms, further, part: { rows: part.rows, rowCount } }
}

/** Differs between terms; holds no line break, because no term does. */
function keyOf({ first, second }: Term): string {
  return first === second ? first : `${first}\t${second}`
}

function rowsOfCodes(postings: Postings, codes: readonly number[]): Uint32Array[] {
  const codeCount = codeCountOf(postings)
  return codes.filter((code) => code < codeCount).map((code) => postingOf(postings, code))
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
