import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import type { Credentials } from '../auth/credentials.js'
import type { RowSet } from '../free-text/row-set.js'
import type { SearchTask } from '../free-text/search-task.js'
import type { MatchQuestion, Ranking } from '../query/match-ranking.js'
import { longSearches } from '../query/search.js'
import type { Selections } from '../query/selections.js'
import { isIndexed, type Snapshot } from '../snapshot/snapshot.js'
import type { Term } from '../text/normal-forms.js'
import type { BodyBuffer } from '../wire/body-buffer.js'
import { entityTag, matchesIfNoneMatch } from '../wire/etag.js'
import { linkValue } from '../wire/links.js'
import type { Exchange } from './exchange.js'
import { MatchBudget, type MatchParts } from './match-budget.js'
import type { OperationResult, OperationScene, Question } from './operation.js'
import type { RateLimit } from './rate-limit.js'
import type { Route } from './routes.js'

/** What the server answers from. */
export interface ServerParts {
  readonly credentials: Pick<Credentials, 'forRest' | 'noteUse'>
  readonly snapshots: {
    find(workspaceId: string): Snapshot | undefined
    /** Rejects with ApiError or Denial when the workspace cannot be had. */
    load(workspaceId: string): Promise<Snapshot>
    /** Likewise; the snapshot can be searched and matched as well. */
    loadIndexed(workspaceId: string): Promise<Snapshot>
  }
  /** Does a long search on another thread. Rejects with ApiError when that takes too long. */
  readonly find: (workspaceId: string, task: SearchTask) => Promise<RowSet>
  readonly match: MatchParts
  /** The OpenAPI document as JSON; asked for no sooner than a caller does, then always the same. */
  readonly openApi: () => Promise<Uint8Array>
  /** Differs between process starts: an earlier one's entity-tags are not believed. */
  readonly startTag: string
  /** Absent = callers may ask as often as they like. */
  readonly rateLimit?: RateLimit | undefined
}

/** What all requests of a server have in common. */
export interface Desk {
  readonly parts: ServerParts
  readonly selections: Selections
  readonly buffer: BodyBuffer
}

const NO_BYTES = new Uint8Array(0)

/** A request that was let in, on its way to its answer: an object, for one is made each time. */
export class AdmittedRequest {
  readonly #budget: MatchBudget | undefined
  /** Read at once: a request's fields cannot be read once its answer has begun to wait. */
  readonly #known: string

  /** @param access has the scope that the operation needs */
  constructor(
    readonly desk: Desk,
    readonly exchange: Exchange,
    readonly route: Route,
    readonly access: Access,
  ) {
    this.#budget = route.operation.isMatch ? new MatchBudget(desk.parts.match) : undefined
    this.#known = exchange.field('if-none-match')
  }

  /** Replies now, or once the workspace is in memory. Throws, or rejects with, what is denied. */
  answer(): void | Promise<void> {
    const { snapshots } = this.desk.parts
    const { workspaceId } = this.access
    const snapshot = snapshots.find(workspaceId)
    if (snapshot === undefined) return this.#answerLater(snapshots.load(workspaceId))
    return this.#answerFrom(snapshot)
  }

  /** Ranks within the request's budget. */
  rank(snapshot: Snapshot, asked: MatchQuestion): Ranking | Promise<Ranking> {
    const { selections } = this.desk
    assert(this.#budget !== undefined, `${this.route.operation.id} has no time to rank`)
    return this.#budget.rank({ snapshot, selections }, asked, this.exchange.signal)
  }

  #answerLater(loading: Promise<Snapshot>): Promise<void> {
    const awaited = this.#budget?.within(loading) ?? loading
    return awaited.then((snapshot) => this.#answerFrom(snapshot))
  }

  #answerFrom(snapshot: Snapshot): void | Promise<void> {
    const { exchange, access } = this
    if (exchange.aborted) return
    const { parts } = this.desk
    const etag = etagOf(exchange, access.tag, `${parts.startTag}.${snapshot.generation}`)
    const isKnown = matchesIfNoneMatch(this.#known, etag)
    // The tag was given out with a 200 to this very URL, so the query is known to be right. `*` was
    // not: it names whatever there is, and a query that is refused has nothing (RFC 9110, 13.1.2).
    if (isKnown && this.#known.trim() !== '*') return replyNotModified(exchange, etag)
    const question = this.route.operation.ask(exchange.query)
    const scene = new Scene(this, snapshot)
    if (!question.needsIndexes) return this.#reply(question, scene, etag, isKnown)
    // Another snapshot may be the one that answers then: all of the answer is of that one.
    if (!isIndexed(snapshot)) {
      return this.#answerLater(parts.snapshots.loadIndexed(access.workspaceId))
    }
    const searching = searchBeside(parts, scene, question.terms)
    if (searching === undefined) return this.#reply(question, scene, etag, isKnown)
    return searching.then(() => this.#reply(question, scene, etag, isKnown))
  }

  #reply(question: Question, scene: Scene, etag: string, isKnown: boolean): void | Promise<void> {
    const { exchange } = this
    if (exchange.aborted) return
    const result = question.answer(scene)
    if (!(result instanceof Promise)) return replyResult(exchange, etag, isKnown, result)
    return result.then((made) => replyResult(exchange, etag, isKnown, made))
  }
}

/** What an operation answers from. */
class Scene implements OperationScene {
  readonly access: Access
  readonly segments: readonly string[]
  readonly selections: Selections
  readonly buffer: BodyBuffer

  constructor(
    private readonly request: AdmittedRequest,
    readonly snapshot: Snapshot,
  ) {
    this.access = request.access
    this.segments = request.route.segments
    this.selections = request.desk.selections
    this.buffer = request.desk.buffer
  }

  rank(asked: MatchQuestion): Ranking | Promise<Ranking> {
    return this.request.rank(this.snapshot, asked)
  }

  current(): Snapshot | undefined {
    return this.request.desk.parts.snapshots.find(this.access.workspaceId)
  }
}

/** Has long searches done on another thread; undefined = there are none. */
function searchBeside(
  { find }: ServerParts,
  { snapshot, access, selections }: OperationScene,
  terms: readonly Term[],
): Promise<unknown> | undefined {
  const searches = longSearches(snapshot, terms, selections)
  if (searches.length === 0) return undefined
  const { workspaceId } = access
  return Promise.all(searches.map(async ({ task, keep }) => keep(await find(workspaceId, task))))
}

/**
 * The entity-tag of what this URL answers to a credential.
 * @param accessTag names the credential, or is empty   @param version of what it is from
 */
export function etagOf({ path, query }: Exchange, accessTag: string, version: string): string {
  return entityTag({ version, accessTag, path, rawQuery: query })
}

/** @param isKnown whether the caller has it already */
function replyResult(
  exchange: Exchange,
  etag: string,
  isKnown: boolean,
  result: OperationResult,
): void {
  if (exchange.aborted) return
  if (isKnown) replyNotModified(exchange, etag)
  else exchange.reply(200, successFields(exchange, etag, result), result.bytes)
}

/** Tells the caller that what it has still holds. */
export function replyNotModified(exchange: Exchange, etag: string): void {
  exchange.reply(304, commonFields(exchange, etag), NO_BYTES)
}

type Fields = (readonly [name: string, value: string])[]

function commonFields(exchange: Exchange, etag: string): Fields {
  return [
    ['X-Request-Id', exchange.requestId],
    ['Cache-Control', 'private, no-cache'],
    ['ETag', etag],
    ['X-Content-Type-Options', 'nosniff'],
  ]
}

/** The fields of a 200 (decisions, "Headers every response has"). */
export function successFields(
  exchange: Exchange,
  etag: string,
  { page }: Pick<OperationResult, 'page'>,
): Fields {
  const fields = commonFields(exchange, etag)
  fields.push(['Content-Type', 'application/json'])
  if (page === undefined) return fields
  fields.push(['X-Total-Count', String(page.total)])
  const link = linkValue(exchange.path, exchange.query, page)
  if (link !== '') fields.push(['Link', link])
  return fields
}
