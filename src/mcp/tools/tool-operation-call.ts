import { strict as assert } from 'node:assert'
import { MatchBudget } from '../../http/match-budget.js'
import type { AnyOperation, OperationResult } from '../../http/operation.js'
import { type OperationCall, runCall } from '../../http/operation-call.js'
import type { ServiceState } from '../../http/service-state.js'
import type { CurrencySum } from '../../query/sums.js'
import type { Snapshot } from '../../snapshot/snapshot.js'
import type { ToolContext } from './tool.js'

/** The request of a tool, in terms of a REST operation. */
export interface ToolRequest {
  readonly operation: AnyOperation
  /** Percent-encoded, as the operation's path has them. */
  readonly segments: readonly string[]
  /** Without `?`. */
  readonly query: string
  /**
   * The key of the hits: equal for requests that return other pages, or another order, of the same
   * transactions; `''` = there are no sums to remember.
   */
  readonly hitsKey: string
}

/** The answer of a REST operation. */
export interface OperationAnswer<Reading> {
  /** The result of `read` on the body. */
  readonly reading: Reading
  readonly result: Omit<OperationResult, 'bytes'>
  /** The snapshot it was computed from. */
  readonly snapshot: Snapshot
  /** The sums over all hits, if they were known before. */
  readonly sums: readonly CurrencySum[] | undefined
}

/**
 * Runs a REST operation, the same way as a request. Rejects with the errors of the operation, and
 * with the signal's reason once the caller has disconnected.
 * @param read converts the body, which is overwritten after it has returned
 */
export async function callOperation<Reading>(
  { service, access, signal }: ToolContext,
  request: ToolRequest,
  read: (bytes: Uint8Array) => Promise<Reading>,
): Promise<OperationAnswer<Reading>> {
  const call = new ToolOperationCall({ service, access, signal }, request, read)
  await runCall(call)
  signal.throwIfAborted()
  assert(call.answer !== undefined, 'a call that was not aborted has a result')
  const { answer } = call
  const reading = await answer.reading
  signal.throwIfAborted()
  return { ...answer, reading }
}

class ToolOperationCall<Reading> implements OperationCall {
  readonly service: ServiceState
  readonly access: ToolContext['access']
  readonly signal: AbortSignal
  readonly operation: AnyOperation
  readonly segments: readonly string[]
  readonly query: string
  readonly budget: MatchBudget | undefined
  answer: OperationAnswer<Promise<Reading>> | undefined
  #snapshot: Snapshot | undefined
  #sums: readonly CurrencySum[] | undefined

  constructor(
    { service, access, signal }: ToolContext,
    private readonly request: ToolRequest,
    private readonly read: (bytes: Uint8Array) => Promise<Reading>,
  ) {
    this.service = service
    this.access = access
    this.signal = signal
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

  get wantsHits(): boolean {
    return this.#sums === undefined
  }

  begin(snapshot: Snapshot): boolean {
    this.#snapshot = snapshot
    this.#sums = this.service.queryCache.summed.find(snapshot, this.request.hitsKey)
    return true
  }

  take({ bytes, ...result }: OperationResult): void {
    assert(this.#snapshot !== undefined, 'an answer is made of a snapshot')
    const reading = this.read(bytes)
    this.answer = { reading, result, snapshot: this.#snapshot, sums: this.#sums }
  }
}
