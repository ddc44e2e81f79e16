import { listTransactions } from '../../query/list.js'
import { pageOf } from '../../query/page.js'
import type { TransactionBounds } from '../../query/transaction-query.js'
import type { Term } from '../../text/normal-forms.js'
import type { ListQuery } from '../../wire/list-query.js'
import { transactionPageJson } from '../../wire/page-json.js'
import type { OperationContext, OperationResult } from '../operation.js'

/** The terms the query searches for. */
export function searchedTerms({ terms }: ListQuery): readonly Term[] {
  return terms ?? []
}

/** The page of transactions that a list operation answers with. */
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
