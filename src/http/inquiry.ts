import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import type { MatchQuestion, Ranking } from '../query/match-ranking.js'
import { longSearches } from '../query/search.js'
import type { Selections } from '../query/selections.js'
import { isIndexed, type Snapshot } from '../snapshot/snapshot.js'
import type { Term } from '../text/normal-forms.js'
import type { BodyBuffer } from '../wire/body-buffer.js'
import { HttpError } from './http-error.js'
import type { MatchBudget } from './match-budget.js'
import type { AnyOperation, OperationContext, OperationResult, Question } from './operation.js'
import { visibleAccountCodes } from './operations/visible-accounts.js'
import type { ServerParts, ServiceState } from './service-state.js'

/** A question that was let in, and whoever waits for its answer. */
export interface Inquiry {
  readonly service: ServiceState
  readonly operation: AnyOperation
  /** The variable segments of the operation's path after the workspace id, percent-encoded. */
  readonly segments: readonly string[]
  /** Without `?`; `''` when there is none. */
  readonly query: string
  /** Has the scope that the operation needs. */
  readonly access: Access
  /** There for a match: the time that it has, waiting included. */
  readonly budget: MatchBudget | undefined
  /** Whether nobody waits for the answer any more. */
  readonly aborted: boolean
  /** Aborts when that is so. */
  readonly signal: AbortSignal
  /** Whether a match is to tell all its hits, see {@link OperationResult.hits}. */
  readonly wantsHits: boolean
  /**
   * Told of the snapshot that the answer would be made of, of each one anew.
   * @returns whether an answer is still needed
   */
  begin(snapshot: Snapshot): boolean
  /** Takes the answer, whose bytes are valid until it returns. */
  take(result: OperationResult): void
}

/**
 * Has an inquiry take its answer, now or once the workspace is in memory, indexed and searched as
 * far as it takes; the one way to it, whoever asks. Throws, or rejects with, HttpError or ApiError.
 */
export function answerInquiry(inquiry: Inquiry): void | Promise<void> {
  const { snapshots } = inquiry.service.parts
  const { access } = inquiry
  const snapshot = snapshots.find(access.workspaceId)
  if (snapshot === undefined) return answerLater(inquiry, snapshots.load(access))
  return answerFrom(inquiry, snapshot)
}

function answerLater(inquiry: Inquiry, loading: Promise<Snapshot>): Promise<void> {
  const awaited = inquiry.budget?.within(loading) ?? loading
  return awaited.then((snapshot) => answerFrom(inquiry, snapshot))
}

function answerFrom(inquiry: Inquiry, snapshot: Snapshot): void | Promise<void> {
  if (inquiry.aborted) return
  const { access } = inquiry
  if (access.workspaceUid !== snapshot.version.uid) meetOtherFile(inquiry, snapshot)
  if (!inquiry.begin(snapshot)) return
  const question = inquiry.operation.ask(inquiry.query)
  const context = new CallContext(inquiry, snapshot)
  if (!question.needsIndexes) return take(inquiry, question, context)
  const { parts } = inquiry.service
  // Another snapshot may be the one that answers then: all of the answer is of that one.
  if (!isIndexed(snapshot)) {
    return answerLater(inquiry, parts.snapshots.loadIndexed(inquiry.access))
  }
  const searching = searchBeside(parts, context, question.terms)
  if (searching === undefined) return take(inquiry, question, context)
  return searching.then(() => take(inquiry, question, context))
}

/**
 * A file that was put in the place of another is another workspace of the same name, and nobody has
 * been let in to that.
 * @throws HttpError 401
 */
function meetOtherFile({ access, service }: Inquiry, { version }: Snapshot): void {
  if (access.workspaceUid !== null) throw HttpError.unknownCredential()
  service.parts.credentials.noteWorkspaceFile(access.workspaceId, version.uid)
}

function take(inquiry: Inquiry, question: Question, context: CallContext): void | Promise<void> {
  if (inquiry.aborted) return
  const result = question.answer(context)
  if (!(result instanceof Promise)) {
    inquiry.take(result)
    return
  }
  return result.then((made) => {
    if (!inquiry.aborted) inquiry.take(made)
  })
}

/** What an operation answers from. */
class CallContext implements OperationContext {
  readonly access: Access
  readonly segments: readonly string[]
  readonly selections: Selections
  readonly buffer: BodyBuffer

  constructor(
    private readonly inquiry: Inquiry,
    readonly snapshot: Snapshot,
  ) {
    this.access = inquiry.access
    this.segments = inquiry.segments
    this.selections = inquiry.service.selections
    this.buffer = inquiry.service.buffer
  }

  rank(asked: MatchQuestion): Ranking | Promise<Ranking> {
    const { operation, budget, signal, wantsHits } = this.inquiry
    assert(budget !== undefined, `${operation.id} has no time to rank`)
    const { snapshot, selections } = this
    return budget.rank({ snapshot, selections }, { ...asked, wantsHits }, signal)
  }

  current(): Snapshot | undefined {
    return this.inquiry.service.parts.snapshots.find(this.access.workspaceId)
  }
}

/** Has long searches done on another thread; undefined = there are none. */
function searchBeside(
  { find, makePart }: ServerParts,
  { snapshot, access, selections }: OperationContext,
  terms: readonly Term[],
): Promise<unknown> | undefined {
  if (terms.length === 0) return undefined
  const visibleCodes = visibleAccountCodes(snapshot, access)
  if (visibleCodes !== undefined) selections.visibleTexts.prepare(snapshot, visibleCodes, makePart)
  const searches = longSearches(snapshot, { terms, visibleCodes }, selections)
  if (searches.length === 0) return undefined
  return Promise.all(searches.map(async ({ task, keep }) => keep(await find(access, task))))
}
