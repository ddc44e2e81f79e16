import type { Access } from '../auth/access.js'
import { ApiError } from '../errors.js'
import { BATCH_BODY_BYTES_MAX } from '../limits.js'
import { matchesIfNoneMatch } from '../wire/etag.js'
import { accessOf, requireScope } from './admission.js'
import type { Exchange, Handler } from './engine/exchange.js'
import { methodNotAllowed, unsupportedType } from './http-errors.js'
import { OPERATIONS } from './operations/table.js'
import { countRequest } from './rate-limit.js'
import { etagOf, RestCall, replyNotModified, successFields } from './rest-call.js'
import { type Route, Routes } from './routes.js'
import type { ServerParts, ServiceState } from './service-state.js'

/**
 * The handler of all operations: finds caller, operation and snapshot of every exchange. Throws, or
 * rejects with, ApiError.
 */
export function createAnswer(service: ServiceState): Handler {
  const reads = new Routes(OPERATIONS.filter(({ method }) => method === 'GET'))
  const posts = new Routes(OPERATIONS.filter(({ method }) => method === 'POST'))
  const { parts } = service
  return (exchange) => {
    const { method, path } = exchange
    if (path === '/openapi.json') return replyOpenApi(exchange, parts)
    // The path of each POST is that of a GET as well.
    const read = reads.find(path)
    if (read === undefined) throw noSuchOperation(path)
    const isRead = method === 'GET' || method === 'HEAD'
    const post = isRead ? undefined : posts.find(path)
    const route = post ?? read
    const { operation } = route
    exchange.operation = operation.id
    if (!isRead && (post === undefined || method !== 'POST')) {
      throw otherMethod(exchange, post === undefined ? READ_METHODS : [...READ_METHODS, 'POST'])
    }
    const access = accessOf(exchange, route, parts)
    if (!(access instanceof Promise)) return answerAdmitted(service, exchange, route, access)
    exchange.keepBody()
    return access.then((found) => answerAdmitted(service, exchange, route, found))
  }
}

/** Answers a request whose credential is valid. */
function answerAdmitted(
  service: ServiceState,
  exchange: Exchange,
  route: Route,
  access: Access,
): void | Promise<void> {
  countRequest(service.parts.rateLimit, access, exchange)
  requireScope(route.operation, access)
  if (exchange.method === 'POST') return answerPost(service, exchange, route)
  return new RestCall(service, exchange, route, access).run()
}

/** Answers an admitted request with a body, which is read in the synchronous part. */
async function answerPost(service: ServiceState, exchange: Exchange, route: Route): Promise<void> {
  const contentType = exchange.field('content-type')
  const [mediaType = ''] = contentType.split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') throw unsupportedType(contentType)
  const body = await exchange.body(BATCH_BODY_BYTES_MAX)
  // Checked again: the access may have changed while the body arrived.
  const found = accessOf(exchange, route, service.parts)
  const access = found instanceof Promise ? await found : found
  requireScope(route.operation, access)
  await new RestCall(service, exchange, route, access, body).run()
}

function noSuchOperation(path: string): ApiError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path
  return new ApiError(
    'no_such_operation',
    `No operation has the path ${JSON.stringify(shown)}; /openapi.json lists all operations.`,
  )
}

const READ_METHODS = ['GET', 'HEAD']

function otherMethod({ method }: Exchange, allowed: readonly string[]): ApiError {
  const names = `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`
  const message = `The method must be ${names}, not ${JSON.stringify(method.slice(0, 20))}.`
  return methodNotAllowed(message, allowed.join(', '))
}

function replyOpenApi(exchange: Exchange, { openApi, tags }: ServerParts): void | Promise<void> {
  exchange.operation = 'openapi'
  if (!READ_METHODS.includes(exchange.method)) throw otherMethod(exchange, READ_METHODS)
  const etag = etagOf(exchange, '', tags.program)
  if (matchesIfNoneMatch(exchange.field('if-none-match'), etag)) {
    replyNotModified(exchange, etag)
    return
  }
  return openApi().then((bytes) => exchange.reply(200, successFields(exchange, etag, {}), bytes))
}
