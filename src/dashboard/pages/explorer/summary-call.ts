import { callOperation, type OperationCaller } from '../../../http/call-operation.js'
import { LIST_LIMIT_MAX } from '../../../limits.js'
import type { Group, GroupField } from '../../../query/summary.js'
import type { GroupMeasure } from '../../../query/summary-groups.js'
import type { SortOrder } from '../../../query/transaction-query.js'
import type { Snapshot } from '../../../snapshot/snapshot.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { FilterValues } from './filter-values.js'
import { operatorCaller } from './operator-call.js'
import { summaryRequest } from './rest-request.js'

/** The groups of a summary that a page shows. */
interface GroupChoice {
  /** Absent = one group for each currency. */
  readonly groupBy?: GroupField
  /** Absent = in the order of their values. */
  readonly order?: { readonly sortBy: GroupMeasure; readonly order: SortOrder }
  /** Default: all of them. */
  readonly countMax?: number
}

/**
 * The groups of the transactions of a snapshot that the filters select, by the operation that sums
 * them for REST: it keeps them with the snapshot. A commit between two calls would otherwise be in
 * some figures of a page and not in others. Goes on when the browser disconnects, because the next
 * page asks for the same. Rejects as `callOperation` does.
 * @param snapshot indexed if the filters have a text
 */
export async function summedGroups(
  context: DashboardContext,
  snapshot: Snapshot,
  values: FilterValues,
  { groupBy, order, countMax = Number.POSITIVE_INFINITY }: GroupChoice,
): Promise<readonly Group[]> {
  const caller = callerOn(context, snapshot)
  const groups: Group[] = []
  for (;;) {
    const limit = Math.min(LIST_LIMIT_MAX, countMax - groups.length)
    const request = summaryRequest(values, [
      ...(groupBy === undefined ? [] : [['groupBy', groupBy] as const]),
      ...Object.entries(order ?? {}),
      ['limit', String(limit)],
      ['offset', String(groups.length)],
    ])
    const answer = await callOperation(caller, request, () => undefined)
    groups.push(...(answer.groups ?? []))
    const isLast = groups.length >= Math.min(countMax, answer.page?.total ?? 0)
    if (isLast) return groups
  }
}

/** The operator, as a caller to whom this snapshot is the latest one. */
function callerOn(context: DashboardContext, snapshot: Snapshot): OperationCaller {
  const { workspaceId, version } = snapshot
  const { signal } = new AbortController()
  const { service, access } = operatorCaller(context, workspaceId, signal)
  const snapshots = { ...service.parts.snapshots, find: () => snapshot }
  return {
    service: { ...service, parts: { ...service.parts, snapshots } },
    access: { ...access, workspaceUid: version.uid },
    signal,
  }
}
