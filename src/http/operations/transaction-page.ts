import type { Access } from '../../auth/access.js'
import { ApiError } from '../../errors.js'
import { listTransactions } from '../../query/list.js'
import { pageOf } from '../../query/page.js'
import type { TransactionBounds } from '../../query/transaction-query.js'
import { accountOfId, placeOfId, type Snapshot } from '../../snapshot/snapshot.js'
import type { ListQuery, SingleQuery } from '../../wire/list-query.js'
import { transactionJsonOf, transactionPageJson } from '../../wire/page-json.js'
import { parseTransactionId } from '../../wire/path-parameters.js'
import type { OperationContext, OperationResult } from '../operation.js'

/** The page of transactions that a list or search answers with. */
export function transactionPage(
  { snapshot, queryCache, buffer }: OperationContext,
  query: ListQuery,
  bounds: TransactionBounds,
): OperationResult {
  const { offset, limit } = query
  const listing = listTransactions(snapshot, queryCache, query, bounds)
  const page = pageOf(listing, offset, limit)
  const bytes = transactionPageJson(buffer, page, {
    staleFragments: snapshot.staleFragments,
    customSchema: query.customSchema,
  })
  return { bytes, page: { offset, limit, total: listing.total }, hits: listing }
}

/** The transaction that the path names. @throws ApiError 400 */
export function oneTransaction(
  { snapshot, access, segments, buffer }: OperationContext,
  { customSchema }: SingleQuery,
): OperationResult {
  const id = parseTransactionId(segments[0] ?? '')
  const place = placeOfId(snapshot, id)
  if (place !== undefined && isVisible(snapshot, access, place)) {
    const { segment, ordinal } = place
    const changes = { staleFragments: snapshot.staleFragments, customSchema }
    return { bytes: transactionJsonOf(buffer, segment, ordinal, changes) }
  }
  throw new ApiError('not_found', `This credential has access to no transaction with id ${id}.`)
}

function isVisible(
  snapshot: Snapshot,
  access: Access,
  { segment, ordinal }: NonNullable<ReturnType<typeof placeOfId>>,
): boolean {
  if (access.accountIds === null) return true
  const accountId = snapshot.idDictionary.accountIds[segment.accountCodes[ordinal] ?? -1] ?? 0
  return access.accountIds.has(accountId) && accountOfId(snapshot, accountId) !== undefined
}
