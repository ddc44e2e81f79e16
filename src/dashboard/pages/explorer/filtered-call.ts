import { ApiError } from '../../../errors.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import type { Snapshot } from '../../../snapshot/snapshot.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { View } from '../../reply.js'
import { clashOf } from './explorer-view.js'
import { type Faults, faultsOf } from './filter-form.js'
import { type FilterValues, readFilters } from './filter-values.js'
import { openWorkspace } from './open-workspace.js'
import { callAsOperator, type RestAnswer } from './operator-call.js'

interface FilteredCall {
  readonly values: FilterValues
  readonly snapshot: Snapshot
  readonly request: OperationRequest
  /** Undefined = there is none, because of `faults` or because a required text is missing. */
  readonly answer: RestAnswer | undefined
  readonly faults: Faults
}

/**
 * Calls the operation of a view with the filters of the URL.
 * @returns the page to show instead while the workspace cannot be read
 */
export async function callFiltered(
  context: DashboardContext,
  requestOf: (values: FilterValues) => OperationRequest,
  requires: 'text' | 'nothing' = 'nothing',
): Promise<FilteredCall | View> {
  const values = readFilters(context.query)
  const isSearch = values.query !== undefined
  const snapshot = await openWorkspace(context, isSearch ? 'searched' : 'listed')
  if ('body' in snapshot) return snapshot
  const request = requestOf(values)
  const isCalled = isSearch || requires === 'nothing'
  const result = isCalled
    ? (clashOf(values) ?? (await callAsOperator(context, snapshot.workspaceId, request)))
    : undefined
  const isRefused = result instanceof ApiError
  return {
    ...{ values, snapshot, request },
    answer: isRefused ? undefined : result,
    faults: faultsOf(isRefused ? result : undefined, values),
  }
}
