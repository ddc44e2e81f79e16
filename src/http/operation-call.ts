import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import type { Suggestion } from '../domain/suggestion.js'
import type { AccountView } from '../query/changed-rows.js'
import { type MatchBatch, rankBatch } from '../query/match-batch.js'
import type { MatchRequest, Ranking } from '../query/match-ranking.js'
import type { QueryCache } from '../query/query-cache.js'
import {
  type CountingScope,
  lookedUpCount,
  rankedSuggestions,
} from '../query/ranked-suggestions.js'
import { longSearches } from '../query/search.js'
import { inTurns, ROWS_AT_ONCE_MAX, type StepwiseWork } from '../query/turns.js'
import { isIndexed, type Snapshot } from '../snapshot/snapshot.js'
import type { Term } from '../text/normal-forms.js'
import type { BodyBuffer } from '../wire/body-buffer.js'
import type { SuggestionQuery } from '../wire/suggestion-query.js'
import type { WaitingCaller } from './change-waits.js'
import { unknownCredential } from './http-errors.js'
import { MatchBudget } from './match-budget.js'
import type { AnyOperation, BoundQuery, OperationContext, OperationResult } from './operation.js'
import { visibleAccountCodes } from './operations/visible-accounts.js'
import type { OperationService } from './service-state.js'

const LETTER = /\p{L}/u

/** An operation, and the variable segments of its path after the workspace id. */
export interface NamedOperation {
  readonly operation: AnyOperation
  /** Percent-encoded, in order. */
  readonly segments: readonly string[]
}

/** The body of a request without one. */
const NO_BODY = new Uint8Array(0)

/**
 * A call of an operation by a caller that was admitted, over REST, by a tool or by the explorer,
 * and the context that its answer is computed in; one object, because one is made per request.
 */
export abstract class OperationCall implements OperationContext, WaitingCaller {
  readonly segments: readonly string[]
  protected readonly operation: AnyOperation
  /** Present for a match: its time limit, waiting included. */
  private readonly budget: MatchBudget | undefined
  private found: Snapshot | undefined

  /**
   * @param query without `?`; `''` when there is none
   * @param caller has the scope that the operation needs
   * @param body absent for a GET
   */
  constructor(
    readonly service: OperationService,
    { operation, segments }: NamedOperation,
    private readonly query: string,
    private caller: Access,
    private readonly body: Uint8Array = NO_BODY,
  ) {
    this.operation = operation
    this.segments = segments
    const { match, batchShares } = service.parts
    const shares = operation.verb === 'batchMatch' ? batchShares : match.shares
    this.budget = operation.isMatch
      ? new MatchBudget(match, caller.credentialId, shares)
      : undefined
  }

  get access(): Access {
    return this.caller
  }

  /** Whether the caller has disconnected. */
  abstract get aborted(): boolean
  /** Aborts when the caller disconnects. */
  protected abstract get signal(): AbortSignal
  abstract whenAborted(end: (() => void) | undefined): void
  /** Whether long searches run on this thread, too. */
  protected get isSearchingHere(): boolean {
    return false
  }

  /** Whether a match is to return all its hits, see {@link OperationResult.hits}. */
  protected abstract get wantsHits(): boolean
  /**
   * Receives the snapshot that the answer would be computed from; called once per snapshot.
   * @returns whether an answer is still needed
   */
  protected abstract begin(snapshot: Snapshot): boolean
  /** The present access of the caller. Throws, or rejects with, ApiError 401. */
  protected abstract readmit(): Access | Promise<Access>
  /** Receives the answer, whose bytes are valid until it returns. */
  protected abstract take(result: OperationResult): void

  /**
   * Runs the call, at once or when the workspace is in memory, indexed and searched as far as
   * needed. Throws, or rejects with, ApiError.
   */
  run(): void | Promise<void> {
    const { snapshots } = this.service.parts
    const snapshot = snapshots.find(this.access.workspaceId)
    if (snapshot === undefined) return this.answerLater(snapshots.load(this.access))
    return this.answerFrom(snapshot)
  }

  /** The one that the answer is computed from. */
  get snapshot(): Snapshot {
    assert(this.found !== undefined, 'an answer is computed from a snapshot')
    return this.found
  }

  get queryCache(): QueryCache {
    return this.service.queryCache
  }

  get buffer(): BodyBuffer {
    return this.service.buffer
  }

  rank(request: MatchRequest): Ranking | Promise<Ranking> {
    assert(this.budget !== undefined, `${this.operation.id} has no time to rank`)
    const { wantsHits } = this
    return this.budget.rank(this, { ...request, wantsHits }, this.signal)
  }

  addUp<Result>(rowCount: number, work: StepwiseWork<Result>): Result | Promise<Result> {
    const { signal } = this
    if (rowCount <= ROWS_AT_ONCE_MAX) return inTurns(work, { signal })
    const { credentialId } = this.access
    const { sums } = this.service
    const wait = (): Promise<void> => sums.queue.waitTurn(credentialId)
    return sums.run(credentialId, async () => {
      signal.throwIfAborted()
      return inTurns(work, { signal, wait })
    })
  }

  async rankBatch(batch: MatchBatch): Promise<void> {
    assert(this.budget !== undefined, `${this.operation.id} has no time to rank`)
    const { rank, ticks } = this.service.parts.match
    await this.budget.run((time) => {
      return rankBatch(batch, (request) => rank(this, request, time), ticks)
    }, this.signal)
  }

  async suggest({ text, limit }: SuggestionQuery): Promise<Suggestion[]> {
    const { access, snapshot, queryCache } = this
    const { suggest, find, makePart } = this.service.parts
    if (!LETTER.test(text)) return []
    const accountCodes = visibleAccountCodes(snapshot, access)
    if (accountCodes !== undefined) {
      queryCache.visibleTexts.prepare(snapshot, accountCodes, makePart)
    }
    const scope = { snapshot, accountCodes, queryCache }
    const query = { query: text, enough: limit, countMax: lookedUpCount(limit) }
    const candidates = await suggest(access, scope, query)
    const findOnThread: CountingScope['find'] = (task) => find(access, task)
    return rankedSuggestions({ ...scope, find: findOnThread }, candidates, limit)
  }

  current(): Snapshot | undefined {
    return this.service.parts.snapshots.find(this.access.workspaceId)
  }

  async nextChange(view: AccountView, ms: number): Promise<number> {
    const { snapshots, changeWaits } = this.service.parts
    const { workspaceId, credentialId } = this.caller
    // A snapshot that was loaded or published meanwhile is looked at before any wait.
    const current = this.current() ?? this.snapshot
    const isCurrent = current.version.sequence === this.snapshot.version.sequence
    const awaited = { workspaceId, credentialId, view, ms, caller: this }
    const leftMs = isCurrent ? await changeWaits.wait(awaited) : ms
    if (this.aborted) return 0
    const readmitted = this.readmit()
    this.caller = readmitted instanceof Promise ? await readmitted : readmitted
    if (this.aborted) return 0
    const snapshot = snapshots.find(workspaceId) ?? (await snapshots.load(this.caller))
    this.requireFile(snapshot)
    this.found = snapshot
    return leftMs
  }

  private answerLater(loading: Promise<Snapshot>): Promise<void> {
    const awaited = this.budget?.within(loading) ?? loading
    return awaited.then((snapshot) => this.answerFrom(snapshot))
  }

  private answerFrom(snapshot: Snapshot): void | Promise<void> {
    if (this.aborted) return
    this.requireFile(snapshot)
    this.found = snapshot
    if (!this.begin(snapshot)) return
    const query = this.operation.bind(this.query, this.body)
    if (!query.needsIndexes) return this.execute(query)
    // The workspace may have another snapshot by then; the whole answer is computed from that one.
    if (!isIndexed(snapshot)) {
      return this.answerLater(this.service.parts.snapshots.loadIndexed(this.access))
    }
    const searching = this.searchOnThread(query.terms)
    if (searching === undefined) return this.execute(query)
    return searching.then(() => this.execute(query))
  }

  /**
   * Refuses the call when its file was replaced by another: that is another workspace of the same
   * name, for which the access was not checked.
   * @throws ApiError 401
   */
  private requireFile({ version }: Snapshot): void {
    const { access, service } = this
    if (access.workspaceUid === version.uid) return
    if (access.workspaceUid !== null) throw unknownCredential()
    service.parts.credentials.noteWorkspaceFile(access.workspaceId, version.uid)
  }

  private execute(query: BoundQuery): void | Promise<void> {
    if (this.aborted) return
    const result = query.execute(this)
    if (!(result instanceof Promise)) {
      this.take(result)
      return
    }
    return result.then((later) => {
      if (!this.aborted) this.take(later)
    })
  }

  /** Runs long searches on another thread; undefined = there are none. */
  private searchOnThread(terms: readonly Term[]): Promise<unknown> | undefined {
    if (terms.length === 0 || this.isSearchingHere) return undefined
    const { access, queryCache, snapshot } = this
    const { find, makePart } = this.service.parts
    const visibleCodes = visibleAccountCodes(snapshot, access)
    if (visibleCodes !== undefined) {
      queryCache.visibleTexts.prepare(snapshot, visibleCodes, makePart)
    }
    const searches = longSearches(snapshot, { terms, visibleCodes }, queryCache)
    if (searches.length === 0) return undefined
    return Promise.all(searches.map(async ({ task, keep }) => keep(await find(access, task))))
  }
}
