import type { Access } from '../../auth/access.js'
import { ApiError } from '../../errors.js'
import { listTransactions } from '../../query/list.js'
import { pageOf } from '../../query/page.js'
import { countUpTo, positionOfLast } from '../../query/row-position.js'
import type { AccountIdentifier, TransactionBounds } from '../../query/transaction-query.js'
import { accountOfId, placeOfId, type Snapshot } from '../../snapshot/snapshot.js'
import { cursorText, listDigest, positionIn } from '../../wire/cursor.js'
import type { ListQuery, SingleQuery } from '../../wire/list-query.js'
import { transactionJsonOf, transactionPageJson } from '../../wire/page-json.js'
import { parseTransactionId } from '../../wire/path-parameters.js'
import type { OperationContext, OperationResult } from '../operation.js'

/** The page of transactions that a list or search answers with. @throws ApiError 400 */
export function transactionPage(
  context: OperationContext,
  query: ListQuery,
  bounds: TransactionBounds,
  operationId: string,
): OperationResult {
  const { snapshot, queryCache, buffer } = context
  const { limit, cursor } = query
  const digest = cursor === undefined ? '' : digestOf(context, query, operationId)
  const position = cursor && positionIn(digest, cursor)
  const listing = listTransactions(snapshot, queryCache, query, bounds)
  const { total } = listing
  const offset = position === undefined ? query.offset : countUpTo(listing, query, position)
  const page = pageOf(listing, offset, limit)
  const bytes = transactionPageJson(buffer, page, {
    staleFragments: snapshot.staleFragments,
    customSchema: query.customSchema,
  })
  const place = { offset, limit, total }
  if (cursor === undefined) return { bytes, page: place, hits: listing }
  const hasNext = limit > 0 && offset + limit < total
  const nextCursor = hasNext ? cursorText(digest, positionOfLast(page, query.sortBy)) : ''
  return { bytes, page: { ...place, nextCursor }, hits: listing }
}

/** Identifies the list that a cursor belongs to, for every credential of equal view. */
function digestOf(
  { snapshot, access, segments }: OperationContext,
  query: ListQuery,
  operationId: string,
): string {
  const { offset: _, limit: _limit, cursor: _cursor, customSchema: _schema, ...listed } = query
  const { accountIds, ownTransfers } = query
  const list = {
    ...listed,
    accountIds: accountIds && inOneOrder(accountIds),
    ownTransfers: ownTransfers === 'include' ? undefined : ownTransfers,
  }
  const visible = access.accountIds === null ? null : [...access.accountIds].sort((a, b) => a - b)
  return listDigest([snapshot.version.uid, operationId, segments, visible, list])
}

/** The accounts as texts, each once, in an order that does not depend on the caller's. */
function inOneOrder(accounts: readonly AccountIdentifier[]): string[] {
  return [...new Set(accounts.map((account) => JSON.stringify(account)))].sort()
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
