import { ApiError } from '../errors.js'
import { matchesIfNoneMatch } from '../wire/etag.js'
import { accessOf, requireScope } from './admission.js'
import type { Exchange, Handler } from './engine/exchange.js'
import { methodNotAllowed } from './http-errors.js'
import { OPERATIONS } from './operations/table.js'
import { countRequest } from './rate-limit.js'
import { etagOf, RestCall, replyNotModified, successFields } from './rest-call.js'
import { Routes } from './routes.js'
import type { ServerParts, ServiceState } from './service-state.js'

/**
 * The handler of all operations: finds caller, operation and snapshot of every exchange. Throws, or
 * rejects with, ApiError.
 */
export function createAnswer(service: ServiceState): Handler {
  const routes = new Routes(OPERATIONS)
  const { parts } = service
  return (exchange) => {
    if (exchange.path === '/openapi.json') return replyOpenApi(exchange, parts)
    const route = routes.find(exchange.path)
    if (route === undefined) throw noSuchOperation(exchange.path)
    const { operation } = route
    exchange.operation = operation.id
    refuseOtherMethods(exchange)
    const access = accessOf(exchange, route, parts)
    countRequest(parts.rateLimit, access, exchange)
    requireScope(operation, access)
    return new RestCall(service, exchange, route, access).run()
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
  throw methodNotAllowed(message, 'GET, HEAD')
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
  return openApi().then((bytes) => exchange.reply(200, successFields(exchange, etag, {}), bytes))
}
