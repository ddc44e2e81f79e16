import type { Access } from '../auth/access.js'
import type { ApiKeys } from '../auth/api-keys.js'
import { bearerTokenOf } from '../auth/bearer.js'
import { ApiError } from '../errors.js'
import { Selections } from '../query/selections.js'
import type { Snapshot } from '../snapshot/snapshot.js'
import { BodyBuffer } from '../wire/body-buffer.js'
import { entityTag, matchesIfNoneMatch } from '../wire/etag.js'
import { linkValue } from '../wire/links.js'
import { workspaceIdOf } from '../wire/path-parameters.js'
import { Denial, deny } from './denial.js'
import type { Answer, Exchange } from './exchange.js'
import type { AnyOperation, OperationResult, OperationScene } from './operation.js'
import { OPERATIONS, type Route, Routes } from './routes.js'

/** What the server answers from. */
export interface ServerParts {
  readonly keys: Pick<ApiKeys, 'find'>
  readonly snapshots: {
    find(workspaceId: string): Snapshot | undefined
    /** Rejects with ApiError when the workspace cannot be had. */
    load(workspaceId: string): Promise<Snapshot>
  }
  /** The OpenAPI document as JSON. */
  readonly openApi: Uint8Array
}

const NO_BYTES = new Uint8Array(0)

/** A change of how resources are rendered makes every entity-tag another one. */
const RENDERING_VERSION = '1'

/** The one function that answers every exchange: who asks, for what, from which snapshot. */
export function createAnswer(parts: ServerParts): Answer {
  const routes = new Routes(OPERATIONS)
  const selections = new Selections()
  const buffer = new BodyBuffer()

  function answer(exchange: Exchange): void | Promise<void> {
    if (exchange.path === '/openapi.json') return replyOpenApi(exchange, parts.openApi)
    const route = routes.find(exchange.path)
    if (route === undefined) throw noSuchOperation(exchange.path)
    refuseOtherMethods(exchange)
    const { operation, segments } = route
    const access = accessOf(exchange, route, parts)
    // Read now: a request's fields cannot be read once its answer has begun to wait.
    const known = exchange.field('if-none-match')
    const snapshot = parts.snapshots.find(access.workspaceId)
    if (snapshot !== undefined) {
      return reply(exchange, operation, { snapshot, access, segments, selections, buffer }, known)
    }
    return parts.snapshots
      .load(access.workspaceId)
      .then((loaded) =>
        reply(
          exchange,
          operation,
          { snapshot: loaded, access, segments, selections, buffer },
          known,
        ),
      )
      .catch((error: unknown) => deny(exchange, error))
  }

  return (exchange) => {
    try {
      return answer(exchange)
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

/** Who asks, let in for this workspace and operation. @throws Denial 401 */
function accessOf(exchange: Exchange, route: Route, { keys }: ServerParts): Access {
  const authorization = exchange.field('authorization')
  const token = bearerTokenOf(authorization)
  if (token === undefined) {
    throw Denial.unauthorized(
      'This operation needs a credential: send the field "Authorization: Bearer <API_KEY>".',
      authorization === '' ? { reason: 'no_credential' } : { reason: 'invalid_token' },
    )
  }
  const access = keys.find(token)
  if (access === undefined || access.workspaceId !== workspaceIdOf(route.workspaceSegment)) {
    throw Denial.unauthorized(
      'The credential is unknown, expired, revoked, or belongs to another workspace.',
      { reason: 'invalid_token' },
    )
  }
  const { scope } = route.operation
  if (scope === undefined || access.scopes.has(scope)) return access
  throw Denial.insufficientScope(scope)
}

function reply(
  exchange: Exchange,
  operation: AnyOperation,
  scene: OperationScene,
  ifNoneMatch: string,
): void {
  const { uid, sequence } = scene.snapshot.version
  const etag = entityTag({
    version: `${RENDERING_VERSION}.${uid}.${sequence}`,
    accessTag: scene.access.tag,
    path: exchange.path,
    rawQuery: exchange.query,
  })
  // The tag was given out with a 200 to this very URL, so the query is known to be right.
  if (matchesIfNoneMatch(ifNoneMatch, etag)) {
    exchange.reply(304, commonFields(exchange, etag), NO_BYTES)
    return
  }
  const result = operation.answer(scene, exchange.query)
  exchange.reply(200, successFields(exchange, etag, result), result.bytes)
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

function replyOpenApi(exchange: Exchange, document: Uint8Array): void {
  refuseOtherMethods(exchange)
  const { path, query } = exchange
  const version = `${RENDERING_VERSION}.${document.length}`
  const etag = entityTag({ version, accessTag: '', path, rawQuery: query })
  if (matchesIfNoneMatch(exchange.field('if-none-match'), etag)) {
    exchange.reply(304, commonFields(exchange, etag), NO_BYTES)
    return
  }
  exchange.reply(200, successFields(exchange, etag, { bytes: document }), document)
}
