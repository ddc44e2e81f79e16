import { strict as assert } from 'node:assert'
import type { Access } from '../auth/access.js'
import { bearerTokenOf } from '../auth/bearer.js'
import type { Credentials } from '../auth/credentials.js'
import { ApiError } from '../errors.js'
import type { RowSet } from '../free-text/row-set.js'
import type { SearchTask } from '../free-text/search-task.js'
import { longSearches } from '../query/search.js'
import { Selections } from '../query/selections.js'
import { isIndexed, type Snapshot } from '../snapshot/snapshot.js'
import type { Term } from '../text/normal-forms.js'
import { BodyBuffer } from '../wire/body-buffer.js'
import { entityTag, matchesIfNoneMatch } from '../wire/etag.js'
import { linkValue } from '../wire/links.js'
import { workspaceIdOf } from '../wire/path-parameters.js'
import { answerWithFields } from './answer-with-fields.js'
import { Denial, deny } from './denial.js'
import type { Answer, Exchange } from './exchange.js'
import { MatchBudget, type MatchParts } from './match-budget.js'
import type { AnyOperation, OperationResult, OperationScene } from './operation.js'
import type { RateLimit } from './rate-limit.js'
import { OPERATIONS, type Route, Routes } from './routes.js'

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

const NO_BYTES = new Uint8Array(0)

/** The one function that answers every exchange: who asks, for what, from which snapshot. */
export function createAnswer(parts: ServerParts): Answer {
  const routes = new Routes(OPERATIONS)
  const selections = new Selections()
  const buffer = new BodyBuffer()

  function answer(exchange: Exchange): void | Promise<void> {
    if (exchange.path === '/openapi.json') return replyOpenApi(exchange, parts)
    const route = routes.find(exchange.path)
    if (route === undefined) throw noSuchOperation(exchange.path)
    refuseOtherMethods(exchange)
    const access = accessOf(exchange, route, parts)
    if (parts.rateLimit === undefined) return answerRoute(exchange, route, access)
    return answerCounted(parts.rateLimit, exchange, access, (counted) =>
      answerRoute(counted, route, access),
    )
  }

  function answerRoute(exchange: Exchange, route: Route, access: Access): void | Promise<void> {
    const { operation, segments } = route
    requireScope(operation, access)
    const budget = operation.isMatch ? new MatchBudget(parts.match) : undefined
    // Read now: a request's fields cannot be read once its answer has begun to wait.
    const known = exchange.field('if-none-match')
    const { snapshots } = parts
    const { workspaceId } = access
    const answerFrom = (snapshot: Snapshot): void | Promise<void> => {
      if (exchange.aborted) return
      const etag = etagOf(exchange, access, `${parts.startTag}.${snapshot.generation}`)
      const isKnown = matchesIfNoneMatch(known, etag)
      // The tag was given out with a 200 to this very URL, so the query is known to be right. `*`
      // was not: it names whatever there is, and a query that is refused has nothing (RFC 9110,
      // 13.1.2).
      if (isKnown && known.trim() !== '*') return replyNotModified(exchange, etag)
      const question = operation.ask(exchange.query)
      const scene: OperationScene = {
        ...{ snapshot, access, segments, selections, buffer },
        rank: (asked) => {
          assert(budget !== undefined, `${operation.id} has no time to rank`)
          return budget.rank({ snapshot, selections }, asked, exchange.signal)
        },
        current: () => snapshots.find(workspaceId),
      }
      const reply = (result: OperationResult) => replyResult(exchange, etag, isKnown, result)
      const answerNow = (): void | Promise<void> => {
        if (exchange.aborted) return
        const result = question.answer(scene)
        return result instanceof Promise ? result.then(reply) : reply(result)
      }
      if (!question.needsIndexes) return answerNow()
      // Another snapshot may be the one that answers then: all of the answer is of that one.
      if (!isIndexed(snapshot)) return answerLater(snapshots.loadIndexed(workspaceId))
      return searchBeside(parts, scene, question.terms)?.then(answerNow) ?? answerNow()
    }
    const answerLater = (loading: Promise<Snapshot>): Promise<void> =>
      (budget?.within(loading) ?? loading).then(answerFrom)
    const snapshot = snapshots.find(workspaceId)
    return snapshot === undefined ? answerLater(snapshots.load(workspaceId)) : answerFrom(snapshot)
  }

  return denying(answer)
}

/** Answers, or refuses when the credential's requests are used up; says what is left of them. */
function answerCounted(
  rateLimit: RateLimit,
  exchange: Exchange,
  access: Access,
  answer: Answer,
): void | Promise<void> {
  const { isExceeded, resetSeconds, fields } = rateLimit.take(access.tag)
  return answerWithFields(
    exchange,
    fields,
    denying((counted) => {
      if (isExceeded) throw Denial.rateLimited(resetSeconds)
      return answer(counted)
    }),
  )
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

/** The answer, whose errors that a caller is told are replied, whether it waits or not. */
function denying(answer: Answer): Answer {
  return (exchange) => {
    try {
      const pending = answer(exchange)
      if (!(pending instanceof Promise)) return
      return pending.catch((error: unknown) => deny(exchange, error))
    } catch (error) {
      deny(exchange, error)
    }
  }
}

function noSuchOperation(path: string): ApiError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new ApiError(
    'no_such_operation',
    `No operation has the path ${JSON.stringify(shown)}; /openapi.json lists all there are.`,
  )
}

function refuseOtherMethods({ method }: Exchange): void {
  if (method === 'GET' || method === 'HEAD') return
  const message = `The method must be GET or HEAD, not ${JSON.stringify(method.slice(0, 20))}.`
  throw new Denial(new ApiError('method_not_allowed', message), [['Allow', 'GET, HEAD']])
}

/** Who asks, let in for this workspace. @throws Denial 401 */
function accessOf(exchange: Exchange, route: Route, { credentials }: ServerParts): Access {
  const authorization = exchange.field('authorization')
  const token = bearerTokenOf(authorization)
  if (token === undefined) {
    throw Denial.unauthorized(
      'This operation needs a credential: send the field "Authorization: Bearer <API_KEY>".',
      authorization === '' ? { reason: 'no_credential' } : { reason: 'invalid_token' },
    )
  }
  const access = credentials.forRest(token, exchange)
  if (access === undefined || access.workspaceId !== workspaceIdOf(route.workspaceSegment)) {
    throw Denial.unknownCredential()
  }
  credentials.noteUse(access, route.operation.id)
  return access
}

/** @throws Denial 401 */
function requireScope({ scope }: AnyOperation, access: Access): void {
  if (scope === undefined || access.scopes.has(scope)) return
  throw Denial.insufficientScope(scope)
}

/** The entity-tag of what this URL answers to this credential. @param version of what it is from */
function etagOf({ path, query }: Exchange, { tag }: Access, version: string): string {
  return entityTag({ version, accessTag: tag, path, rawQuery: query })
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

function replyNotModified(exchange: Exchange, etag: string): void {
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

function successFields(exchange: Exchange, etag: string, { page }: OperationResult): Fields {
  const fields = commonFields(exchange, etag)
  fields.push(['Content-Type', 'application/json'])
  if (page === undefined) return fields
  fields.push(['X-Total-Count', String(page.total)])
  const link = linkValue(exchange.path, exchange.query, page)
  if (link !== '') fields.push(['Link', link])
  return fields
}

function replyOpenApi(
  exchange: Exchange,
  { openApi, startTag }: ServerParts,
): void | Promise<void> {
  refuseOtherMethods(exchange)
  const { path, query } = exchange
  const etag = entityTag({ version: startTag, accessTag: '', path, rawQuery: query })
  if (matchesIfNoneMatch(exchange.field('if-none-match'), etag)) {
    replyNotModified(exchange, etag)
    return
  }
  return openApi()
    .then((bytes) => exchange.reply(200, successFields(exchange, etag, { bytes }), bytes))
    .catch((error: unknown) => deny(exchange, error))
}
