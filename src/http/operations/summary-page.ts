import { listTransactions } from '../../query/list.js'
import type { Listing } from '../../query/listing.js'
import { groupAt, orderedGroups, type Summary, summarize } from '../../query/summary.js'
import type { TransactionBounds } from '../../query/transaction-query.js'
import type { StepwiseWork } from '../../query/turns.js'
import { transactionCount } from '../../snapshot/snapshot.js'
import { groupsJson } from '../../wire/summary-json.js'
import type { SummaryQuery } from '../../wire/summary-query.js'
import type { OperationContext, OperationResult } from '../operation.js'

/** The page of groups that a summary answers with; all groups are kept with the snapshot. */
export function summaryPage(
  context: OperationContext,
  query: SummaryQuery,
  bounds: TransactionBounds,
): OperationResult | Promise<OperationResult> {
  const { snapshot, queryCache } = context
  const { filters, terms, groupBy } = query
  const key = JSON.stringify([bounds, filters, terms, groupBy])
  const known = queryCache.summaries.find(snapshot, key)
  const page = (ordered: OrderedSummary): OperationResult => pageOf(query, ordered)
  if (known !== undefined && query.order === undefined) return page({ summary: known })
  const listed = { order: 'desc', sortBy: '_id', ...filters, terms } as const
  const listing =
    known === undefined ? listTransactions(snapshot, queryCache, listed, bounds) : undefined
  const work = orderedSummary(context, query, { key, known, listing, bounds })
  const ordered = context.addUp(listing?.total ?? known?.groups.count ?? 0, work)
  return ordered instanceof Promise ? ordered.then(page) : page(ordered)
}

interface OrderedSummary {
  readonly summary: Summary
  /** Places of the groups in the order of the query; absent = their own order. */
  readonly places?: Uint32Array
}

interface Sought {
  readonly key: string
  readonly bounds: TransactionBounds
  /** Either of them is present. */
  readonly known: Summary | undefined
  readonly listing: Listing | undefined
}

function* orderedSummary(
  { snapshot, queryCache }: OperationContext,
  { groupBy, order }: SummaryQuery,
  { key, bounds: { visibleCodes }, known, listing = { total: 0, parts: [] } }: Sought,
): StepwiseWork<OrderedSummary> {
  const rowCount = transactionCount(snapshot)
  const request = { snapshot, listing, groupBy, visibleCodes, withDates: true }
  const summary = known ?? (yield* summarize(request))
  queryCache.summaries.keep(snapshot, rowCount, key, summary)
  if (order === undefined) return { summary }
  const orderKey = `${order.sortBy} ${order.order} ${key}`
  const places =
    queryCache.groupOrders.find(snapshot, orderKey) ?? (yield* orderedGroups(summary, order))
  queryCache.groupOrders.keep(snapshot, rowCount, orderKey, places)
  return { summary, places }
}

function pageOf(
  { groupBy, offset, limit }: SummaryQuery,
  { summary, places }: OrderedSummary,
): OperationResult {
  const total = summary.groups.count
  const first = Math.min(offset, total)
  const groups = Array.from({ length: Math.min(limit, total - first) }, (_, i) =>
    groupAt(summary, places?.[first + i] ?? first + i),
  )
  return { bytes: groupsJson(groups, groupBy), page: { offset, limit, total }, groups }
}
