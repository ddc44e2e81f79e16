import { strict as assert } from 'node:assert'
import type { Access } from '../../../auth/access.js'
import { credentialOf } from '../../../browser/sessions.js'
import { SCOPES } from '../../../domain/key-scope.js'
import { ApiError } from '../../../errors.js'
import { HttpError } from '../../../http/http-error.js'
import { MatchBudget } from '../../../http/match-budget.js'
import type { AnyOperation, OperationResult } from '../../../http/operation.js'
import { type OperationCall, runCall } from '../../../http/operation-call.js'
import type { ServiceState } from '../../../http/service-state.js'
import { formatInstant } from '../../../instant.js'
import { type CurrencySum, sumsOf } from '../../../query/sums.js'
import { type Snapshot, transactionCount } from '../../../snapshot/snapshot.js'
import type { DashboardContext } from '../../dashboard-context.js'
import type { RestRequest } from './rest-request.js'

/** The answer of an operation to the explorer. */
export interface RestAnswer extends Omit<OperationResult, 'bytes'> {
  /** The body, byte for byte. */
  readonly json: string
  /** The snapshot that answered. */
  readonly snapshot: Snapshot
}

/**
 * Calls an operation on the path of REST requests, with every scope and all accounts of the
 * workspace. Operators may see everything.
 * @returns the answer, or the error that a caller of REST would get
 */
export async function callAsOperator(
  context: DashboardContext,
  workspaceId: string,
  request: RestRequest,
): Promise<RestAnswer | ApiError> {
  const { service } = context.parts
  const { signal } = context.exchange
  const call = new OperatorCall(service, request, operatorAccess(context, workspaceId), signal)
  try {
    await runCall(call)
    signal.throwIfAborted()
  } catch (error) {
    if (error instanceof HttpError) return error.error
    if (error instanceof ApiError) return error
    throw error
  }
  assert(call.answer !== undefined, 'a call that was not aborted has a result')
  return call.answer
}

/** The sums of all transactions of an answer, cached by request. */
export async function sumsOfAnswer(
  context: DashboardContext,
  { hitsKey }: RestRequest,
  { snapshot, hits }: RestAnswer,
): Promise<readonly CurrencySum[]> {
  if (hits === undefined) return []
  const { summed } = context.parts.service.queryCache
  const known = summed.find(snapshot, hitsKey)
  if (known !== undefined) return known
  const sums = await sumsOf(hits, context.exchange.signal)
  summed.keep(snapshot, transactionCount(snapshot), hitsKey, sums)
  return sums
}

function operatorAccess({ nowMs, parts, session }: DashboardContext, workspaceId: string): Access {
  const scopes = new Set(SCOPES)
  return {
    workspaceId,
    // The file that exists now: an operator sees every workspace.
    workspaceUid: parts.snapshots.find(workspaceId)?.version.uid ?? null,
    scopes,
    accountIds: null,
    ...credentialOf(session),
    tag: '',
    expiresAtMs: Number.POSITIVE_INFINITY,
    keyScope: {
      workspaceId,
      type: 'apiKey',
      scopes: [...scopes],
      accounts: null,
      name: 'dashboard',
      createdAt: formatInstant(nowMs),
    },
    key: null,
  }
}

class OperatorCall implements OperationCall {
  readonly operation: AnyOperation
  readonly segments: readonly string[]
  readonly query: string
  readonly budget: MatchBudget | undefined
  readonly wantsHits = true
  answer: RestAnswer | undefined
  #snapshot: Snapshot | undefined

  constructor(
    readonly service: ServiceState,
    request: RestRequest,
    readonly access: Access,
    readonly signal: AbortSignal,
  ) {
    this.operation = request.operation
    this.segments = request.segments
    this.query = request.query
    this.budget = request.operation.isMatch
      ? new MatchBudget(service.parts.match, access.credentialId)
      : undefined
  }

  get aborted(): boolean {
    return this.signal.aborted
  }

  begin(snapshot: Snapshot): boolean {
    this.#snapshot = snapshot
    return true
  }

  take({ bytes, ...result }: OperationResult): void {
    assert(this.#snapshot !== undefined, 'an answer is made of a snapshot')
    const json = Buffer.from(bytes).toString()
    this.answer = { json, snapshot: this.#snapshot, ...result }
  }
}
