import type { Access } from '../../../auth/access.js'
import { credentialOf } from '../../../browser/sessions.js'
import { SCOPES } from '../../../domain/key-scope.js'
import { ApiError } from '../../../errors.js'
import {
  callOperation,
  type OperationAnswer,
  type OperationCaller,
  type OperationRequest,
  sumsOfHits,
} from '../../../http/call-operation.js'
import { formatInstant } from '../../../instant.js'
import type { CurrencySum } from '../../../query/sums.js'
import type { DashboardContext } from '../../dashboard-context.js'

/** The answer of an operation to the explorer; its reading is the JSON of the body. */
export type RestAnswer = OperationAnswer<string>

/**
 * Calls an operation on the path of REST requests, with every scope and all accounts of the
 * workspace. Operators may see everything.
 * @returns the answer, or the error that a caller of REST would get
 */
export async function callAsOperator(
  context: DashboardContext,
  workspaceId: string,
  request: OperationRequest,
): Promise<RestAnswer | ApiError> {
  try {
    const caller = operatorCaller(context, workspaceId)
    return await callOperation(caller, request, (bytes) => Buffer.from(bytes).toString())
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** The operator, as operations see a caller. @param signal aborts the call; default: of the page */
export function operatorCaller(
  context: DashboardContext,
  workspaceId: string,
  signal = context.exchange.signal,
): OperationCaller {
  const { service } = context.parts
  return { service, signal, access: operatorAccess(context, workspaceId) }
}

/** The sums of all transactions of an answer, cached by request. */
export async function sumsOfAnswer(
  { exchange: { signal }, parts: { service } }: DashboardContext,
  request: OperationRequest,
  answer: RestAnswer,
): Promise<readonly CurrencySum[]> {
  const { hits } = answer
  return hits === undefined ? [] : sumsOfHits({ service, signal }, request, answer, hits)
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
