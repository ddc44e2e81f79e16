import type { OperationRequest } from '../../../http/call-operation.js'
import type { VerbName } from '../../../http/operation.js'
import { operationOfId, transactionOperation } from '../../../http/operations/table.js'
import { encodeQueryText, type FilterValues, FORM_FILTERS } from './filter-values.js'

/** The list of the filters, or the search when they have a text. */
export function listRequest(values: FilterValues): OperationRequest {
  const verb = values.query === undefined ? 'list' : 'search'
  const filters = filterParameters(values)
  const page = picked(values, ['order', 'sortBy', 'limit', 'offset', 'customSchema'])
  return requestOf(verb, values, filters, page)
}

/** The match of the filters, with explanations. */
export function matchRequest(values: FilterValues): OperationRequest {
  const filters = [...filterParameters(values), ...picked(values, ['threshold'])]
  const page: Pair[] = [...picked(values, ['limit', 'offset']), ['explain', 'true']]
  return requestOf('match', values, filters, page)
}

/** Sums of the transactions of the filters. @param own the parameters that summaries alone have */
export function summaryRequest(values: FilterValues, own: readonly Pair[]): OperationRequest {
  return requestOf('summary', values, filterParameters(values), own)
}

/** One transaction. @param segment its id as in the path */
export function transactionRequest(segment: string): OperationRequest {
  return { operation: operationOfId('getTransaction'), segments: [segment], query: '', hitsKey: '' }
}

/** The path and query of the request, below the base URL. */
export function targetOf(
  workspaceId: string,
  { operation, segments, query }: OperationRequest,
): string {
  const values = [workspaceId, ...segments]
  const path = operation.path.replace(/\{\w+\}/g, () => values.shift() ?? '')
  return query === '' ? path : `${path}?${query}`
}

type Pair = readonly [name: string, value: string]

function filterParameters(values: FilterValues): Pair[] {
  return picked(values, ['query', ...FORM_FILTERS])
}

function picked(values: FilterValues, names: readonly (keyof FilterValues)[]): Pair[] {
  return names.flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [[name, value] as const]
  })
}

/** The contract has operations for an account and for a counterpart, and none for both. */
function requestOf(
  verb: VerbName,
  { account, counterpart }: FilterValues,
  filters: readonly Pair[],
  page: readonly Pair[],
): OperationRequest {
  const bounds = account !== undefined ? 'account' : counterpart ? 'counterpart' : 'workspace'
  const named = account ?? counterpart
  const segments = named === undefined ? [] : [encodeQueryText(named)]
  const operation = transactionOperation(verb, bounds)
  return {
    operation,
    segments,
    query: queryText([...filters, ...page]),
    hitsKey: JSON.stringify([operation.id, segments, filters]),
  }
}

function queryText(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${name}=${encodeQueryText(value)}`).join('&')
}
