import { strict as assert } from 'node:assert'
import { searchCost } from '../src/free-text/rows-with-terms.js'
import { findRows } from '../src/free-text/search-task.js'
import { type TextIndex, textIndexBytes } from '../src/free-text/text-index.js'
import { listTransactions } from '../src/query/list.js'
import { ordinalAt } from '../src/query/listing.js'
import { pageOf } from '../src/query/page.js'
import { QueryCache } from '../src/query/query-cache.js'
import { longSearches } from '../src/query/search.js'
import { textOfSegment } from '../src/snapshot/segment-indexes.js'
import type { Snapshot } from '../src/snapshot/snapshot.js'
import { termsOf } from '../src/text/normal-forms.js'
import { readSnapshot } from './in-process.js'
import { type Answer, PAGE_ROWS, type SearchEngine, type SearchSort } from './search-engine.js'

/** The query cache of a search, given that of the search before, if any. */
type SelectionsOf = (earlier: QueryCache | undefined, snapshot: Snapshot) => QueryCache

/** kontor's own search, from the query text to the ids of the first page. */
export class KontorSearch implements SearchEngine {
  readonly buildMs: number
  readonly indexBytes: number
  readonly text: TextIndex
  readonly #snapshot: Snapshot
  #selections: QueryCache | undefined

  private constructor(
    loaded: Snapshot,
    private readonly selectionsOf: SelectionsOf,
  ) {
    const [live] = loaded.segments
    assert(live !== undefined && loaded.segments.length === 1, 'rows are in one segment')
    const startedMs = performance.now()
    this.text = textOfSegment(live.segment)
    this.buildMs = performance.now() - startedMs
    this.indexBytes = textIndexBytes(this.text)
    this.#snapshot = { ...loaded, segments: [{ ...live, text: this.text }] }
  }

  /** Every search starts with an empty cache, except for normalized names of categories. */
  static async cold(path: string): Promise<KontorSearch> {
    return new KontorSearch(await readSnapshot(path), withNamesOf)
  }

  /** Keeps the query cache between searches, as a server does. */
  static async remembering(path: string): Promise<KontorSearch> {
    return new KontorSearch(await readSnapshot(path), (earlier) => earlier ?? new QueryCache())
  }

  answers(): boolean {
    return true
  }

  answer(text: string, sort: SearchSort): Answer {
    const query = { sortBy: sort, order: 'desc', terms: termsOf(text) } as const
    const queryCache = this.selectionsOf(this.#selections, this.#snapshot)
    this.#selections = queryCache
    const listing = listTransactions(this.#snapshot, queryCache, query, {})
    const ids: number[] = []
    for (const run of pageOf(listing, 0, PAGE_ROWS)) {
      for (let i = 0; i < run.count; i++) ids.push(run.segment.ids[ordinalAt(run, i)] ?? 0)
    }
    return { total: listing.total, ids }
  }

  /** The estimated cost of the search, and the duration of finding its rows, without a page. */
  finding(text: string): { readonly cost: number; readonly findMs: number } {
    const terms = termsOf(text)
    // A limit of -1 marks every search as long.
    const [long] = longSearches(this.#snapshot, { terms }, new QueryCache(), -1)
    assert(long !== undefined, 'the search has a term, and no cache')
    const { task } = long
    assert(task.kind === 'index', 'an unrestricted search covers all rows')
    const furtherCount = task.further.flat().reduce((sum, rows) => sum + rows.length, 0)
    const startedMs = performance.now()
    findRows(task)
    const findMs = performance.now() - startedMs
    return { cost: searchCost(task.text, terms) + furtherCount, findMs }
  }
}

/** A new query cache that keeps the normalized names of categories. */
function withNamesOf(earlier: QueryCache | undefined, { categories }: Snapshot): QueryCache {
  const queryCache = new QueryCache()
  const names = earlier?.categoryNames.get(categories)
  if (names !== undefined) queryCache.categoryNames.set(categories, names)
  return queryCache
}
