import { basePathOf } from '../auth/issuer-url.js'
import { replyPage } from '../browser/page.js'
import { ApiError } from '../errors.js'
import { CORS_MAX_AGE_SECONDS } from '../http/cors.js'
import type { Exchange, Handler, ResponseFields } from '../http/engine/exchange.js'
import { commonFields, jsonFields, NO_STORE } from '../http/engine/response-fields.js'
import { methodNotAllowed } from '../http/http-errors.js'
import { networkOf } from '../http/network.js'
import { RateLimit } from '../http/rate-limit.js'
import { StoreUnavailableError } from '../store/store-error.js'
import { answerAuthorize } from './authorize.js'
import { findIssuer, type Issuer } from './issuer.js'
import { type Endpoint, type IssuerPath, issuerPathOf } from './issuer-path.js'
import { metadataOf } from './metadata.js'
import { OAuthError } from './oauth-error.js'
import { errorPage } from './pages/error-page.js'
import type { OAuthParts } from './parts.js'
import { answerRegister, answerRegistration } from './register.js'
import { answerRevoke } from './revoke.js'
import { answerToken } from './token.js'

/**
 * Requests a minute from one address to token, revocation and authorization endpoints: behind a
 * proxy all callers share one address, and ten a second keep nine thousand programs in tokens.
 */
export const ISSUER_REQUESTS_PER_MINUTE_MAX = 600

/** Registrations a minute from one address: a program registers once. */
export const REGISTRATIONS_PER_MINUTE_MAX = 20

/** One endpoint of an issuer. */
interface OAuthRoute {
  readonly methods: readonly string[]
  /** A script of any origin may read the answer: credentials are in the body, never in cookies. */
  readonly isForScripts: boolean
  readonly answer: (
    parts: OAuthParts,
    issuer: Issuer,
    exchange: Exchange,
    named: IssuerPath,
  ) => void | Promise<void>
}

const ROUTES: Readonly<Record<Endpoint, OAuthRoute>> = {
  metadata: { methods: ['GET', 'HEAD'], isForScripts: true, answer: replyMetadata },
  authorize: { methods: ['GET', 'HEAD', 'POST'], isForScripts: false, answer: answerAuthorize },
  token: { methods: ['POST'], isForScripts: true, answer: answerToken },
  revoke: { methods: ['POST'], isForScripts: true, answer: answerRevoke },
  register: { methods: ['POST'], isForScripts: true, answer: answerRegister },
  registration: { methods: ['GET', 'HEAD'], isForScripts: true, answer: answerRegistration },
}

/** Rate limits per address. */
interface Limits {
  readonly requests: RateLimit
  readonly registrations: RateLimit
}

/**
 * Handlers of the authorization servers.
 * @returns by path, the handler; undefined for every other path
 */
export function createIssuerAnswers(parts: OAuthParts): (path: string) => Handler | undefined {
  const { requestsPerMinute = ISSUER_REQUESTS_PER_MINUTE_MAX } = parts
  const limits: Limits = {
    requests: new RateLimit(requestsPerMinute, parts.clock),
    registrations: new RateLimit(REGISTRATIONS_PER_MINUTE_MAX, parts.clock),
  }
  const basePath = basePathOf(parts.baseUrl)
  return (path) => {
    const named = issuerPathOf(path, basePath())
    if (named === undefined) return undefined
    const route = ROUTES[named.endpoint]
    return (exchange) => answerRoute(parts, limits, { named, route, exchange })
  }
}

const FOR_SCRIPTS: ResponseFields = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, WWW-Authenticate'],
]

interface Call {
  readonly named: IssuerPath
  readonly route: OAuthRoute
  readonly exchange: Exchange
}

function answerRoute(parts: OAuthParts, limits: Limits, call: Call): void | Promise<void> {
  const { named, route, exchange } = call
  exchange.operation = `oauth.${named.endpoint}`
  if (route.isForScripts) exchange.addFields(FOR_SCRIPTS)
  const issuer = parts.control.look(() => findIssuer(parts, named))
  if (!(issuer instanceof Promise)) return answerOf(parts, limits, call, issuer)
  exchange.keepBody()
  return issuer
    .then((found) => answerOf(parts, limits, call, found))
    .catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) throw error
      const message = 'The database of the service is unavailable; try again in a moment.'
      replyLater(call, 503, message, 1)
    })
}

function answerOf(
  parts: OAuthParts,
  limits: Limits,
  call: Call,
  issuer: Issuer | undefined,
): void | Promise<void> {
  const { named, route, exchange } = call
  if (issuer === undefined) return replyNotFound(call)
  const isOfRegistration = named.endpoint === 'register' || named.endpoint === 'registration'
  if (isOfRegistration && !issuer.integration.letsRegister) return replyNotFound(call)
  const { method } = exchange
  if (method === 'OPTIONS' && route.isForScripts) return replyPreflight(call)
  if (!route.methods.includes(method)) throw methodFault(route)
  if (named.endpoint !== 'metadata') {
    const waitSeconds = countRequest(limits, call)
    if (waitSeconds > 0) return replyTooMany(call, waitSeconds)
  }
  return route.answer(parts, issuer, exchange, named)
}

/** @returns 0, or the seconds until the address may send more requests */
function countRequest(limits: Limits, { named, exchange }: Call): number {
  const limit = named.endpoint === 'register' ? limits.registrations : limits.requests
  const { isExceeded, resetSeconds } = limit.take(networkOf(exchange.remoteAddress))
  return isExceeded ? resetSeconds : 0
}

function replyTooMany(call: Call, waitSeconds: number): void {
  const message = `Too many requests from this address; try again in ${waitSeconds} seconds.`
  replyLater(call, 429, message, waitSeconds)
}

/** Replies with a page at the endpoint for browsers. @throws OAuthError at any other */
function replyLater(
  { named, exchange }: Call,
  status: 429 | 503,
  message: string,
  waitSeconds: number,
): void {
  const fields: ResponseFields = [['Retry-After', String(waitSeconds)]]
  if (named.endpoint !== 'authorize') {
    throw new OAuthError('temporarily_unavailable', message, { status, fields })
  }
  replyPage(exchange, { status, page: errorPage('temporarily_unavailable', message), fields })
}

/** An inactive integration and a missing one have the same answer for every caller. */
function replyNotFound({ named, exchange }: Call): void {
  const message = 'There is no active integration at this address.'
  if (named.endpoint !== 'authorize') {
    throw new ApiError('no_such_operation', message)
  }
  replyPage(exchange, { status: 404, page: errorPage('not_found', message) })
}

function methodFault(route: OAuthRoute): ApiError {
  const allowed = (route.isForScripts ? [...route.methods, 'OPTIONS'] : route.methods).join(', ')
  return methodNotAllowed(`The method must be one of ${allowed}.`, allowed)
}

function replyPreflight({ route, exchange }: Call): void {
  const fields: ResponseFields = [
    ...commonFields(exchange.requestId, NO_STORE),
    ['Access-Control-Allow-Methods', route.methods.join(', ')],
    ['Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version, X-Request-Id'],
    ['Access-Control-Max-Age', String(CORS_MAX_AGE_SECONDS)],
  ]
  exchange.reply(204, fields, new Uint8Array(0))
}

function replyMetadata(_parts: OAuthParts, issuer: Issuer, exchange: Exchange): void {
  const bytes = Buffer.from(JSON.stringify(metadataOf(issuer)))
  exchange.reply(200, jsonFields(exchange.requestId), bytes)
}
