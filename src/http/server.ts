import type { Access } from '../auth/access.js'
import { bearerTokenOf } from '../auth/bearer.js'
import { ApiError } from '../errors.js'
import { matchesIfNoneMatch } from '../wire/etag.js'
import { workspaceIdOf } from '../wire/path-parameters.js'
import { answerWithFields } from './answer-with-fields.js'
import type { Exchange, Handler } from './engine/exchange.js'
import { HttpError, replyHttpError } from './http-error.js'
import type { AnyOperation } from './operation.js'
import { runCall } from './operation-call.js'
import type { RateLimit } from './rate-limit.js'
import { etagOf, RestCall, replyNotModified, successFields } from './rest-call.js'
import { OPERATIONS, type Route, Routes } from './routes.js'
import type { ServerParts, ServiceState } from './service-state.js'

/** The handler of all operations: finds caller, operation and snapshot of every exchange. */
export function createAnswer(service: ServiceState): Handler {
  const routes = new Routes(OPERATIONS)
  const { parts } = service

  function answer(exchange: Exchange): void | Promise<void> {
    if (exchange.path === '/openapi.json') return replyOpenApi(exchange, parts)
    const route = routes.find(exchange.path)
    if (route === undefined) throw noSuchOperation(exchange.path)
    exchange.operation = route.operation.id
    refuseOtherMethods(exchange)
    const access = accessOf(exchange, route, parts)
    if (parts.rateLimit === undefined) return answerRoute(exchange, route, access)
    return answerCounted(parts.rateLimit, exchange, access, (counted) =>
      answerRoute(counted, route, access),
    )
  }

  function answerRoute(exchange: Exchange, route: Route, access: Access): void | Promise<void> {
    requireScope(route.operation, access)
    return runCall(new RestCall(service, exchange, route, access))
  }

  return replyingErrors(answer)
}

/** Answers, or refuses when the credential's requests are used up; adds the fields of the quota. */
function answerCounted(
  rateLimit: RateLimit,
  exchange: Exchange,
  access: Access,
  answer: Handler,
): void | Promise<void> {
  const { isExceeded, resetSeconds, fields } = rateLimit.take(access.credentialId)
  return answerWithFields(
    exchange,
    fields,
    replyingErrors((counted) => {
      if (isExceeded) throw HttpError.rateLimited(resetSeconds)
      return answer(counted)
    }),
  )
}

/** The handler, with its errors for callers replied, whether thrown or rejected. */
function replyingErrors(answer: Handler): Handler {
  return (exchange) => {
    try {
      const pending = answer(exchange)
      if (!(pending instanceof Promise)) return
      return pending.catch((error: unknown) => replyHttpError(exchange, error))
    } catch (error) {
      replyHttpError(exchange, error)
    }
  }
}

function noSuchOperation(path: string): ApiError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new ApiError(
    'no_such_operation',
    `No operation has the path ${JSON.stringify(shown)}; /openapi.json lists all operations.`,
  )
}

function refuseOtherMethods({ method }: Exchange): void {
  if (method === 'GET' || method === 'HEAD') return
  const message = `The method must be GET or HEAD, not ${JSON.stringify(method.slice(0, 20))}.`
  throw new HttpError(new ApiError('method_not_allowed', message), [['Allow', 'GET, HEAD']])
}

/** The caller's access to this workspace. @throws HttpError 401 */
function accessOf(exchange: Exchange, route: Route, { credentials }: ServerParts): Access {
  const authorization = exchange.field('authorization')
  const token = bearerTokenOf(authorization)
  if (token === undefined) {
    throw HttpError.unauthorized(
      'This operation requires a credential: send the header "Authorization: Bearer <API_KEY>".',
      authorization === '' ? { reason: 'no_credential' } : { reason: 'invalid_token' },
    )
  }
  const access = credentials.forRest(token, exchange)
  if (access === undefined || access.workspaceId !== workspaceIdOf(route.workspaceSegment)) {
    throw HttpError.unknownCredential()
  }
  exchange.credential = access
  credentials.noteUse(access, route.operation.id)
  return access
}

/** @throws HttpError 401 */
function requireScope({ scope }: AnyOperation, access: Access): void {
  if (scope === undefined || access.scopes.has(scope)) return
  throw HttpError.insufficientScope(scope)
}

function replyOpenApi(
  exchange: Exchange,
  { openApi, startTag }: ServerParts,
): void | Promise<void> {
  exchange.operation = 'openapi'
  refuseOtherMethods(exchange)
  const etag = etagOf(exchange, '', startTag)
  if (matchesIfNoneMatch(exchange.field('if-none-match'), etag)) {
    replyNotModified(exchange, etag)
    return
  }
  return openApi()
    .then((bytes) => exchange.reply(200, successFields(exchange, etag, {}), bytes))
    .catch((error: unknown) => replyHttpError(exchange, error))
}
