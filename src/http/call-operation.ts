import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import type { Listing } from '../query/listing.js'
import { type CurrencySum, sumsOf } from '../query/sums.js'
import { type Snapshot, transactionCount } from '../snapshot/snapshot.js'
import type { WaitingCaller } from './change-waits.js'
import type { OperationResult } from './operation.js'
import { type NamedOperation, OperationCall } from './operation-call.js'
import type { OperationService } from './service-state.js'

/** A part of the service that calls operations: a tool or the explorer. */
export interface OperationCaller {
  readonly service: OperationService
  readonly access: Access
  /** Aborts when the caller disconnects before the answer. */
  readonly signal: AbortSignal
}

/** The request of a tool or of the explorer, in terms of an operation. */
export interface OperationRequest extends NamedOperation {
  /** Percent-encoded, without `?`. */
  readonly query: string
  /**
   * The key of the hits: equal for requests that return other pages, or another order, of the same
   * transactions; `''` = there are no sums to keep.
   */
  readonly hitsKey: string
  /** Of a POST. */
  readonly body?: Uint8Array
}

/** The answer of an operation. */
export interface OperationAnswer<Reading> extends Omit<OperationResult, 'bytes'> {
  /** The result of `read` on the body. */
  readonly reading: Reading
  /** The snapshot it was computed from. */
  readonly snapshot: Snapshot
  /** The sums over all hits, if they were known before. */
  readonly sums: readonly CurrencySum[] | undefined
}

/**
 * Runs an operation, the same way as a REST request. Rejects with the errors of the operation, and
 * with the signal's reason once the caller has disconnected.
 * @param read converts the body, which is overwritten after it has returned
 */
export async function callOperation<Reading>(
  caller: OperationCaller,
  request: OperationRequest,
  read: (bytes: Uint8Array) => Reading,
): Promise<OperationAnswer<Awaited<Reading>>> {
  const { signal } = caller
  const call = new ReadCall(caller, request, read)
  await call.run()
  signal.throwIfAborted()
  assert(call.answer !== undefined, 'a call that was not aborted has a result')
  const { answer } = call
  const reading = await answer.reading
  signal.throwIfAborted()
  return { ...answer, reading }
}

/**
 * Runs an operation on this thread alone, long searches as well.
 * @param read converts the body, which is overwritten after it has returned
 * @throws ApiError as {@link callOperation} rejects; and when its snapshot is not in memory, with
 *   its indexes, or the operation computes its answer in turns: an AssertionError
 */
export function callOperationHere<Reading>(
  caller: OperationCaller,
  request: OperationRequest,
  read: (bytes: Uint8Array) => Reading,
): OperationAnswer<Reading> {
  const call = new HereCall(caller, request, read)
  const running = call.run()
  assert(running === undefined && call.answer !== undefined, 'the operation can be run here')
  return call.answer
}

/** The sums over all hits of an answer; those of a hits key are kept with the snapshot. */
export async function sumsOfHits(
  { service, signal }: Pick<OperationCaller, 'service' | 'signal'>,
  { hitsKey }: Pick<OperationRequest, 'hitsKey'>,
  { snapshot, sums }: Pick<OperationAnswer<unknown>, 'snapshot' | 'sums'>,
  hits: Listing,
): Promise<readonly CurrencySum[]> {
  if (sums !== undefined) return sums
  const added = await sumsOf(hits, signal)
  if (hitsKey !== '') {
    service.queryCache.summed.keep(snapshot, transactionCount(snapshot), hitsKey, added)
  }
  return added
}

/** A call whose body is read by the part of the service that called. */
class ReadCall<Reading> extends OperationCall {
  readonly signal: AbortSignal
  readonly #hitsKey: string
  readonly #read: (bytes: Uint8Array) => Reading
  #sums: readonly CurrencySum[] | undefined
  /** See {@link WaitingCaller.whenAborted}. */
  #end: (() => void) | undefined
  answer: OperationAnswer<Reading> | undefined

  constructor(
    { service, access, signal }: OperationCaller,
    request: OperationRequest,
    read: (bytes: Uint8Array) => Reading,
  ) {
    super(service, request, request.query, access, request.body)
    this.signal = signal
    this.#hitsKey = request.hitsKey
    this.#read = read
  }

  get aborted(): boolean {
    return this.signal.aborted
  }

  whenAborted(end: (() => void) | undefined): void {
    const { signal } = this
    if (this.#end !== undefined) signal.removeEventListener('abort', this.#end)
    if (end !== undefined) signal.addEventListener('abort', end, { once: true })
    this.#end = end
  }

  get wantsHits(): boolean {
    return this.#sums === undefined
  }

  readmit(): Access {
    return this.access
  }

  begin(snapshot: Snapshot): boolean {
    this.#sums = this.queryCache.summed.find(snapshot, this.#hitsKey)
    return true
  }

  take({ bytes, ...result }: OperationResult): void {
    const { snapshot } = this
    this.answer = { reading: this.#read(bytes), snapshot, sums: this.#sums, ...result }
  }
}

class HereCall<Reading> extends ReadCall<Reading> {
  protected override get isSearchingHere(): boolean {
    return true
  }
}
