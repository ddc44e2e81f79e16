import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import type { MatchRequest, Ranking } from '../query/match-ranking.js'
import type { QueryCache } from '../query/query-cache.js'
import { longSearches } from '../query/search.js'
import { isIndexed, type Snapshot } from '../snapshot/snapshot.js'
import type { Term } from '../text/normal-forms.js'
import type { BodyBuffer } from '../wire/body-buffer.js'
import { HttpError } from './http-error.js'
import type { MatchBudget } from './match-budget.js'
import type { AnyOperation, BoundQuery, OperationContext, OperationResult } from './operation.js'
import { visibleAccountCodes } from './operations/visible-accounts.js'
import type { ServerParts, ServiceState } from './service-state.js'

/** A call of an operation that was admitted, and its caller. */
export interface OperationCall {
  readonly service: ServiceState
  readonly operation: AnyOperation
  /** The variable segments of the operation's path after the workspace id, percent-encoded. */
  readonly segments: readonly string[]
  /** Without `?`; `''` when there is none. */
  readonly query: string
  /** Has the scope that the operation needs. */
  readonly access: Access
  /** Present for a match: its time limit, waiting included. */
  readonly budget: MatchBudget | undefined
  /** Whether the caller has disconnected. */
  readonly aborted: boolean
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  /** Whether a match is to return all its hits, see {@link OperationResult.hits}. */
  readonly wantsHits: boolean
  /**
   * Receives the snapshot that the answer would be computed from; called once per snapshot.
   * @returns whether an answer is still needed
   */
  begin(snapshot: Snapshot): boolean
  /** Receives the answer, whose bytes are valid until it returns. */
  take(result: OperationResult): void
}

/**
 * Runs a call, at once or when the workspace is in memory, indexed and searched as far as needed;
 * REST, MCP and the dashboard all use it. Throws, or rejects with, HttpError or ApiError.
 */
export function runCall(call: OperationCall): void | Promise<void> {
  const { snapshots } = call.service.parts
  const { access } = call
  const snapshot = snapshots.find(access.workspaceId)
  if (snapshot === undefined) return answerLater(call, snapshots.load(access))
  return answerFrom(call, snapshot)
}

function answerLater(call: OperationCall, loading: Promise<Snapshot>): Promise<void> {
  const awaited = call.budget?.within(loading) ?? loading
  return awaited.then((snapshot) => answerFrom(call, snapshot))
}

function answerFrom(call: OperationCall, snapshot: Snapshot): void | Promise<void> {
  if (call.aborted) return
  const { access } = call
  if (access.workspaceUid !== snapshot.version.uid) meetOtherFile(call, snapshot)
  if (!call.begin(snapshot)) return
  const query = call.operation.bind(call.query)
  const context = new CallContext(call, snapshot)
  if (!query.needsIndexes) return take(call, query, context)
  const { parts } = call.service
  // The workspace may have another snapshot by then; the whole answer is computed from that one.
  if (!isIndexed(snapshot)) {
    return answerLater(call, parts.snapshots.loadIndexed(call.access))
  }
  const searching = searchOnThread(parts, context, query.terms)
  if (searching === undefined) return take(call, query, context)
  return searching.then(() => take(call, query, context))
}

/**
 * Refuses a call when its file was replaced by another: that is another workspace of the same name,
 * for which the access was not checked.
 * @throws HttpError 401
 */
function meetOtherFile({ access, service }: OperationCall, { version }: Snapshot): void {
  if (access.workspaceUid !== null) throw HttpError.unknownCredential()
  service.parts.credentials.noteWorkspaceFile(access.workspaceId, version.uid)
}

function take(call: OperationCall, query: BoundQuery, context: CallContext): void | Promise<void> {
  if (call.aborted) return
  const result = query.execute(context)
  if (!(result instanceof Promise)) {
    call.take(result)
    return
  }
  return result.then((later) => {
    if (!call.aborted) call.take(later)
  })
}

/** The context of one call. */
class CallContext implements OperationContext {
  readonly access: Access
  readonly segments: readonly string[]
  readonly queryCache: QueryCache
  readonly buffer: BodyBuffer

  constructor(
    private readonly call: OperationCall,
    readonly snapshot: Snapshot,
  ) {
    this.access = call.access
    this.segments = call.segments
    this.queryCache = call.service.queryCache
    this.buffer = call.service.buffer
  }

  rank(asked: MatchRequest): Ranking | Promise<Ranking> {
    const { operation, budget, signal, wantsHits } = this.call
    assert(budget !== undefined, `${operation.id} has no time to rank`)
    const { snapshot, queryCache } = this
    return budget.rank({ snapshot, queryCache }, { ...asked, wantsHits }, signal)
  }

  current(): Snapshot | undefined {
    return this.call.service.parts.snapshots.find(this.access.workspaceId)
  }
}

/** Runs long searches on another thread; undefined = there are none. */
function searchOnThread(
  { find, makePart }: ServerParts,
  { snapshot, access, queryCache }: OperationContext,
  terms: readonly Term[],
): Promise<unknown> | undefined {
  if (terms.length === 0) return undefined
  const visibleCodes = visibleAccountCodes(snapshot, access)
  if (visibleCodes !== undefined) queryCache.visibleTexts.prepare(snapshot, visibleCodes, makePart)
  const searches = longSearches(snapshot, { terms, visibleCodes }, queryCache)
  if (searches.length === 0) return undefined
  return Promise.all(searches.map(async ({ task, keep }) => keep(await find(access, task))))
}
