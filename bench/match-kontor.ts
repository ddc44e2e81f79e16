import { strict as assert } from 'node:assert'
import type { MatchIndex } from '../src/match/match-index.js'
import { MatchIndexBuilder } from '../src/match/match-index-builder.js'
import { parseReference } from '../src/match/reference.js'
import { rankWith } from '../src/query/match-rank.js'
import type { RankingContext, RankMatches } from '../src/query/match-ranking.js'
import { QueryCache } from '../src/query/query-cache.js'
import { matchFieldsOf } from '../src/snapshot/match-fields.js'
import type { Segment } from '../src/snapshot/snapshot.js'
import { MatchPool } from '../src/threads/match-pool.js'
import { readSnapshot } from './in-process.js'

/** A workspace with its match index and no other index. */
export interface MatchedWorkspace {
  readonly context: RankingContext
  readonly rowCount: number
  /** Milliseconds of building the match index from rendered rows. */
  readonly indexMs: number
  readonly indexBytes: number
}

/** Loads a workspace file and builds its match index. */
export async function loadMatched(path: string): Promise<MatchedWorkspace> {
  const loaded = await readSnapshot(path)
  const [live] = loaded.segments
  assert(live !== undefined && loaded.segments.length === 1, 'rows are in one segment')
  const startedMs = performance.now()
  const match = matchIndexOf(live.segment)
  const indexMs = performance.now() - startedMs
  const snapshot = { ...loaded, segments: [{ ...live, match }] }
  const { codes, gaps, marks, offsets, grams } = match
  const indexBytes = [codes, gaps, marks, offsets, grams].reduce(
    (sum, part) => sum + part.byteLength,
    0,
  )
  const context = { snapshot, queryCache: new QueryCache() }
  return { context, rowCount: live.segment.rowCount, indexMs, indexBytes }
}

function matchIndexOf(segment: Segment): MatchIndex {
  const builder = new MatchIndexBuilder(segment.rowCount)
  for (let row = 0; row < segment.rowCount; row++) builder.add(matchFieldsOf(segment, row))
  return builder.finish()
}

/** A result: transaction id and score in 1/10,000. */
export type MatchHit = readonly [id: number, score: number]

/**
 * kontor's match on a given number of threads, from the query text to the ids of the best results.
 */
export class KontorMatches {
  readonly #pool: MatchPool
  readonly #rank: RankMatches

  constructor(
    private readonly workspace: MatchedWorkspace,
    threadCount: number,
  ) {
    this.#pool = new MatchPool(threadCount)
    const ticks = (): number => performance.now()
    this.#rank = rankWith({ ticks, scanOnThreads: (task) => this.#pool.scan(task) })
  }

  /** @param limit at most 50 in a request; a check may ask for all */
  async match(text: string, scoreMin: number, limit = 10): Promise<readonly MatchHit[]> {
    const reference = parseReference(text)
    const page = { scoreMin, offset: 0, limit, explain: false }
    const ranking = this.#rank(
      this.workspace.context,
      { reference, filters: {}, bounds: {}, ...page },
      { deadlineTicks: Number.POSITIVE_INFINITY, signal: new AbortController().signal },
    )
    const { matches } = ranking instanceof Promise ? await ranking : ranking
    return matches.map(({ segment, ordinal, score }) => [segment.ids[ordinal] ?? 0, score])
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}
