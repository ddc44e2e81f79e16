import { basePathOf } from '../auth/issuer-url.js'
import { ApiError } from '../errors.js'
import { answerWithFields } from '../http/answer-with-fields.js'
import { CORS_MAX_AGE_SECONDS } from '../http/cors.js'
import type { Exchange, Handler, ResponseFields } from '../http/engine/exchange.js'
import { HttpError, replyHttpError } from '../http/http-error.js'
import { isKnownHost, isKnownOrigin, type KnownNames } from '../http/known-names.js'
import { answerCall, type CallParts } from './answer-call.js'
import { type EndpointSource, findEndpoint, type McpEndpoint } from './endpoint.js'
import { McpError, replyMcpError } from './mcp-error.js'
import { type McpPath, mcpPathOf } from './mcp-path.js'
import { resourceMetadataOf } from './resource-metadata.js'

/**
 * Characters of the field names that a browser lists in a preflight. An MCP client sends about a
 * dozen fields of its own.
 */
const CORS_FIELD_NAMES_CHARS_MAX = 1_024

/** The parts that the MCP endpoints answer from. */
export interface McpParts extends EndpointSource, KnownNames, CallParts {}

/**
 * Handlers of the MCP endpoints (docs/contract/credentials.md, "MCP endpoint").
 * @returns by path, the handler; undefined for every other path
 */
export function createMcpAnswers(parts: McpParts): (path: string) => Handler | undefined {
  const basePath = basePathOf(parts.baseUrl)
  return (path) => {
    const named = mcpPathOf(path, basePath())
    if (named === undefined) return undefined
    if (named.document === 'endpoint') return (exchange) => answerNamed(parts, named, exchange)
    return (exchange) =>
      answerWithFields(exchange, FOR_ALL_SCRIPTS, (open) => answerMetadata(parts, named, open))
  }
}

/** The metadata has nothing secret. */
const FOR_ALL_SCRIPTS: ResponseFields = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'X-Request-Id'],
]

const METADATA_METHODS = 'GET, HEAD, OPTIONS'
const METADATA_FIELDS = 'MCP-Protocol-Version, X-Request-Id'

function answerMetadata(parts: McpParts, named: McpPath, exchange: Exchange): void {
  exchange.operation = 'mcp.metadata'
  const endpoint = findEndpoint(parts, named)
  if (endpoint === undefined) {
    replyNotFound(exchange)
    return
  }
  switch (exchange.method) {
    case 'GET':
    case 'HEAD':
      replyMetadata(endpoint, exchange)
      break
    case 'OPTIONS':
      replyPreflight(exchange, { methods: 'GET, HEAD', names: METADATA_FIELDS })
      break
    default: {
      const error = new ApiError('method_not_allowed', `The method must be ${METADATA_METHODS}.`)
      replyHttpError(exchange, new HttpError(error, [['Allow', METADATA_METHODS]]))
    }
  }
}

function replyMetadata(endpoint: McpEndpoint, exchange: Exchange): void {
  const fields: ResponseFields = [['Content-Type', 'application/json'], ...plainFields(exchange)]
  exchange.reply(200, fields, Buffer.from(JSON.stringify(resourceMetadataOf(endpoint))))
}

function answerNamed(parts: McpParts, named: McpPath, exchange: Exchange): void | Promise<void> {
  exchange.operation = 'mcp'
  const endpoint = findEndpoint(parts, named)
  if (endpoint === undefined) return replyNotFound(exchange)
  const origin = exchange.field('origin')
  const refusal = refusalOf(exchange.field('host'), origin, parts)
  if (refusal !== undefined) return replyMcpError(exchange, refusal)
  if (origin === '') return answerCall(parts, endpoint, exchange)
  const fields: ResponseFields = [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Expose-Headers', EXPOSED],
    ['Vary', 'Origin'],
  ]
  return answerWithFields(exchange, fields, (open) => answerPage(parts, endpoint, open))
}

const EXPOSED = [
  'WWW-Authenticate',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
].join(', ')

/** Answers a script of a known page. */
function answerPage(
  parts: McpParts,
  endpoint: McpEndpoint,
  exchange: Exchange,
): void | Promise<void> {
  const asksLeave = exchange.field('access-control-request-method') !== ''
  if (exchange.method !== 'OPTIONS' || !asksLeave) return answerCall(parts, endpoint, exchange)
  // Clients send different fields in addition to the protocol's, and the page may send requests
  // anyway.
  const asked = exchange.field('access-control-request-headers')
  const names = isFieldNames(asked) ? asked : 'Authorization, Content-Type'
  replyPreflight(exchange, { methods: 'POST', names })
}

function isFieldNames(text: string): boolean {
  return text.length <= CORS_FIELD_NAMES_CHARS_MAX && /^[-\w]+(?: *, *[-\w]+)*$/.test(text)
}

/** Why a request is refused, whatever its sender (revision 2026-07-28, Streamable HTTP). */
function refusalOf(host: string, origin: string, names: KnownNames): McpError | undefined {
  if (!isKnownHost(host, names)) {
    const { hostname } = new URL(names.baseUrl())
    const message =
      `The Host header does not match this service, which is ${hostname}; the operator can ` +
      'change that with --base-url.'
    return McpError.because(403, message)
  }
  if (origin === '' || isKnownOrigin(origin, names)) return undefined
  const message =
    'Requests from this Origin are not allowed; the operator can allow the origin ' +
    'with --cors-origin.'
  return McpError.because(403, message)
}

/** An inactive endpoint and a missing one have the same answer for every caller. */
function replyNotFound(exchange: Exchange): void {
  const message = 'There is no active integration at this address.'
  replyHttpError(exchange, new ApiError('no_such_operation', message))
}

function replyPreflight(
  exchange: Exchange,
  { methods, names }: { readonly methods: string; readonly names: string },
): void {
  const fields: ResponseFields = [
    ...plainFields(exchange),
    ['Access-Control-Allow-Methods', methods],
    ['Access-Control-Allow-Headers', names],
    ['Access-Control-Max-Age', String(CORS_MAX_AGE_SECONDS)],
  ]
  exchange.reply(204, fields, new Uint8Array(0))
}

function plainFields(exchange: Exchange): ResponseFields {
  return [
    ['X-Request-Id', exchange.requestId],
    ['Cache-Control', 'private, no-cache'],
    ['X-Content-Type-Options', 'nosniff'],
  ]
}
