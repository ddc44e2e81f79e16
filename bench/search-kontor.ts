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

/** Which selections a search is to use, given those of the search before, if there was one. */
type SelectionsOf = (earlier: QueryCache | undefined, snapshot: Snapshot) => QueryCache

/** kontor's own search, from the typed text to the ids of the first page. */
export class KontorSearch implements SearchEngine {
  readonly buildMs: number
  readonly indexBytes: number
  readonly text: TextIndex
  readonly #snapshot: Snapshot
  #selections: QueryCache | undefined

  constructor(
    path: string,
    private readonly selectionsOf: SelectionsOf,
  ) {
    const loaded = readSnapshot(path)
    const [live] = loaded.segments
    assert(live !== undefined && loaded.segments.length === 1, 'rows are in one segment')
    const startedMs = performance.now()
    this.text = textOfSegment(live.segment)
    this.buildMs = performance.now() - startedMs
    this.indexBytes = textIndexBytes(this.text)
    this.#snapshot = { ...loaded, segments: [{ ...live, text: this.text }] }
  }

  /** Every search works everything out, but for the names of categories in their normal forms. */
  static cold(path: string): KontorSearch {
    return new KontorSearch(path, withNamesOf)
  }

  /** What a search has worked out is kept, as a server does. */
  static remembering(path: string): KontorSearch {
    return new KontorSearch(path, (earlier) => earlier ?? new QueryCache())
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

  /** What the search is estimated to read, and how long finding its rows takes, without a page. */
  finding(text: string): { readonly cost: number; readonly findMs: number } {
    const terms = termsOf(text)
    // Every search is longer than this.
    const [long] = longSearches(this.#snapshot, { terms }, new QueryCache(), -1)
    assert(long !== undefined, 'there is a term, and nothing is remembered')
    const { task } = long
    assert(task.kind === 'index', 'who may see all has all rows searched')
    const furtherCount = task.further.flat().reduce((sum, rows) => sum + rows.length, 0)
    const startedMs = performance.now()
    findRows(task)
    const findMs = performance.now() - startedMs
    return { cost: searchCost(task.text, terms) + furtherCount, findMs }
  }
}

/** New selections that know as much of the snapshot's categories as those before. */
function withNamesOf(earlier: QueryCache | undefined, { categories }: Snapshot): QueryCache {
  const queryCache = new QueryCache()
  const names = earlier?.categoryNames.get(categories)
  if (names !== undefined) queryCache.categoryNames.set(categories, names)
  return queryCache
}
