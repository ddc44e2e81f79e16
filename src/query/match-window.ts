import { strict as assert } from 'node:assert'
import { lowerBound } from '../lower-bound.js'
import type { MatchIndex } from '../match/match-index.js'
import type { Ordinal } from '../ordinals/ordinal.js'
import { sharedUint32 } from '../ordinals/shared-memory.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import { listTransactions } from './list.js'
import { type Listing, listingOf, ordinalAt, type Run } from './listing.js'
import { pageOf } from './page.js'
import type { MatchWindow, QueryCache } from './query-cache.js'
import type { TransactionBounds, TransactionFilters } from './transaction-query.js'

/** Transactions that a match scans. */
export interface WindowRequest {
  readonly filters: TransactionFilters
  readonly bounds: TransactionBounds
}

/**
 * The newest rows that pass the filters, newest first: by booking date, those of one day by id, and
 * those without a date last (docs/contract/match.md, "Match rules", rule 5).
 * @param snapshot has its match indexes   @param rowsMax maximum number of rows
 */
export function matchWindow(
  snapshot: Snapshot,
  queryCache: QueryCache,
  { filters, bounds }: WindowRequest,
  rowsMax: number,
): MatchWindow {
  const rowCount = snapshot.segments.reduce((sum, { segment }) => sum + segment.rowCount, 0)
  const key = JSON.stringify([filters, bounds, rowsMax])
  return queryCache.windows.findOrKeep(snapshot, rowCount, key, () => {
    const query = { ...filters, sortBy: 'bookingDate', order: 'desc' } as const
    const listing = listTransactions(snapshot, queryCache, query, bounds)
    return windowOf(snapshot, pageOf(listing, 0, rowsMax))
  })
}

function windowOf(snapshot: Snapshot, runs: readonly Run[]): MatchWindow {
  const ordinals = sharedUint32(runs.reduce((count, run) => count + run.count, 0))
  const spans = sharedUint32(2 * runs.length)
  const numbers = new Map<Segment, number>()
  let end = 0
  runs.forEach((run, i) => {
    const number = numbers.get(run.segment) ?? numbers.size
    numbers.set(run.segment, number)
    for (let place = 0; place < run.count; place++) ordinals[end + place] = ordinalAt(run, place)
    end += run.count
    spans[2 * i] = number
    spans[2 * i + 1] = end
  })
  const segments = [...numbers.keys()]
  const indexes = segments.map((segment) => indexOf(snapshot, segment))
  return { rows: { ordinals, spans, indexes }, segments }
}

function indexOf({ segments }: Snapshot, segment: Segment): MatchIndex {
  const live = segments.find((candidate) => candidate.segment === segment)
  assert(live?.match !== undefined, 'a window is made once every row has its match index')
  return live.match
}

/** The row at a position of the window. @param position 0 to its rows - 1 */
export function windowRow(
  { rows: { ordinals, spans }, segments }: MatchWindow,
  position: number,
): { readonly segment: Segment; readonly ordinal: Ordinal } {
  const span = lowerBound(0, spans.length / 2 - 1, (i) => spans[2 * i + 1]! <= position)
  const segment = segments[spans[2 * span]!]! // each span has the number of a segment
  return { segment, ordinal: ordinals[position]! as Ordinal }
}

/** All rows of a window. */
export function listingOfWindow(window: MatchWindow): Listing {
  return listingOf(runsOf(window))
}

/** The rows at some positions of a window. @param positions ascending */
export function listingOfPositions(window: MatchWindow, positions: Uint32Array): Listing {
  const { ordinals } = window.rows
  const found = positions.map((position) => ordinals[position]!) // each is below the length
  let end = 0
  const runs = runsOf(window).map((run): Run => {
    const first = end
    while (end < positions.length && positions[end]! < run.first + run.count) end += 1
    return { ...run, ordinals: found, first, count: end - first }
  })
  return listingOf(runs)
}

/** The spans of a window. */
function runsOf({ rows: { ordinals, spans }, segments }: MatchWindow): Run[] {
  const runs: Run[] = []
  let first = 0
  for (let i = 0; i < spans.length; i += 2) {
    const segment = segments[spans[i]!]! // each span has the number of a segment
    const end = spans[i + 1]!
    runs.push({ segment, ordinals, first, step: 1, count: end - first })
    first = end
  }
  return runs
}
