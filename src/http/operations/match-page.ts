import { ApiError } from '../../errors.js'
import type { RankedMatch, Ranking } from '../../query/match-ranking.js'
import type { TransactionBounds } from '../../query/transaction-query.js'
import { accountOfId, placeOfId, type Segment, type Snapshot } from '../../snapshot/snapshot.js'
import { rowJson } from '../../snapshot/stale-fragments.js'
import { matchPageJson } from '../../wire/match-json.js'
import type { MatchQuery } from '../../wire/match-query.js'
import type { OperationContext, OperationResult } from '../operation.js'

/**
 * The page of matches that a match operation answers with: rendered from the snapshot that was
 * ranked, as long as every row of it is unchanged.
 * @throws ApiError `data_changed`, `budget_exceeded`
 */
export function matchPage(
  context: OperationContext,
  query: MatchQuery,
  bounds: TransactionBounds,
): OperationResult | Promise<OperationResult> {
  const { filters, reference, scoreMin, offset, limit, explain } = query
  const request = { filters, bounds, reference, scoreMin, offset, limit, explain }
  const ranking = context.rank(request)
  if (!(ranking instanceof Promise)) return pageOfRanking(context, query, ranking)
  return ranking.then((made) => {
    refuseChanged(context.snapshot, context.current(), made.matches)
    return pageOfRanking(context, query, made)
  })
}

function pageOfRanking(
  context: OperationContext,
  query: MatchQuery,
  ranking: Ranking,
): OperationResult {
  const { offset, limit } = query
  const { total, matches, hits } = ranking
  return { bytes: renderMatches(context, query, matches), page: { offset, limit, total }, hits }
}

/** Matches as a JSON array, valid until the buffer's next body. */
export function renderMatches(
  { snapshot, buffer }: OperationContext,
  { customSchema }: Pick<MatchQuery, 'customSchema'>,
  matches: readonly RankedMatch[],
): Uint8Array {
  return matchPageJson(buffer, matches, { staleFragments: snapshot.staleFragments, customSchema })
}

/**
 * Refuses when a row of the page has changed since it was ranked.
 * @param now undefined = the workspace was evicted from memory, so its rows are unknown
 * @throws ApiError `data_changed`
 */
export function refuseChanged(
  ranked: Snapshot,
  now: Snapshot | undefined,
  matches: readonly RankedMatch[],
): void {
  if (now?.generation === ranked.generation) return
  for (const { segment, ordinal } of matches) {
    const id = segment.ids[ordinal] ?? 0
    const isUnchanged = now !== undefined && isUnchangedRow(ranked, now, { segment, ordinal, id })
    if (!isUnchanged) {
      const what = `Transaction ${id}, or its account, changed while the matches were ranked`
      throw new ApiError('data_changed', `${what}; try again.`)
    }
  }
}

interface RankedRow {
  readonly segment: Segment
  readonly ordinal: number
  readonly id: number
}

/** Whether both snapshots render a transaction and its account alike. */
function isUnchangedRow(ranked: Snapshot, now: Snapshot, row: RankedRow): boolean {
  const place = placeOfId(now, row.id)
  if (place === undefined) return false
  const before = rowJson(row.segment, row.ordinal, ranked.staleFragments.get(row.segment))
  const after = rowJson(place.segment, place.ordinal, now.staleFragments.get(place.segment))
  if (!sameBytes(before, after)) return false
  // The rows being equal, both name the same account.
  const accountId = ranked.idDictionary.accountIds[row.segment.accountCodes[row.ordinal] ?? -1] ?? 0
  const accountBefore = accountOfId(ranked, accountId)?.bytes
  const accountAfter = accountOfId(now, accountId)?.bytes
  if (accountBefore === undefined || accountAfter === undefined) {
    return accountBefore === accountAfter
  }
  return sameBytes(accountBefore, accountAfter)
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
