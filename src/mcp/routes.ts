import { basePathOf } from '../auth/issuer-url.js'
import { ApiError } from '../errors.js'
import { CORS_MAX_AGE_SECONDS } from '../http/cors.js'
import type { Exchange, Handler, ResponseFields } from '../http/engine/exchange.js'
import { commonFields, jsonFields } from '../http/engine/response-fields.js'
import { methodNotAllowed } from '../http/http-errors.js'
import { isKnownHost, isKnownOrigin, type KnownNames } from '../http/known-names.js'
import { whenKnown } from '../when-known.js'
import { answerCall, type CallParts } from './answer-call.js'
import { type EndpointSource, type McpEndpoint, McpEndpoints } from './endpoint.js'
import { McpError } from './mcp-error.js'
import { mcpPathOf } from './mcp-path.js'
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
  const endpoints = new McpEndpoints(parts)
  return (path) => {
    const named = mcpPathOf(path, basePath())
    if (named === undefined) return undefined
    const find = (): FoundEndpoint => endpoints.find(named)
    if (named.document === 'endpoint') return (exchange) => answerNamed(parts, find, exchange)
    return (exchange) => answerMetadata(find, exchange)
  }
}

type FoundEndpoint = ReturnType<McpEndpoints['find']>

/** The metadata has nothing secret. */
const FOR_ALL_SCRIPTS: ResponseFields = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'X-Request-Id'],
]

const METADATA_METHODS = 'GET, HEAD, OPTIONS'
const METADATA_FIELDS = 'MCP-Protocol-Version, X-Request-Id'

function answerMetadata(find: () => FoundEndpoint, exchange: Exchange): void | Promise<void> {
  exchange.operation = 'mcp.metadata'
  exchange.addFields(FOR_ALL_SCRIPTS)
  return whenKnown(find(), (endpoint) => {
    replyToMethod(requireEndpoint(endpoint), exchange)
  })
}

function replyToMethod(endpoint: McpEndpoint, exchange: Exchange): void {
  switch (exchange.method) {
    case 'GET':
    case 'HEAD':
      replyMetadata(endpoint, exchange)
      break
    case 'OPTIONS':
      replyPreflight(exchange, { methods: 'GET, HEAD', names: METADATA_FIELDS })
      break
    default:
      throw methodNotAllowed(`The method must be ${METADATA_METHODS}.`, METADATA_METHODS)
  }
}

function replyMetadata(endpoint: McpEndpoint, exchange: Exchange): void {
  const bytes = Buffer.from(JSON.stringify(resourceMetadataOf(endpoint)))
  exchange.reply(200, jsonFields(exchange.requestId), bytes)
}

function answerNamed(
  parts: McpParts,
  find: () => FoundEndpoint,
  exchange: Exchange,
): void | Promise<void> {
  exchange.operation = 'mcp'
  const endpoint = find()
  if (endpoint instanceof Promise) exchange.keepBody()
  return whenKnown(endpoint, (found) => answerEndpoint(parts, requireEndpoint(found), exchange))
}

function answerEndpoint(
  parts: McpParts,
  endpoint: McpEndpoint,
  exchange: Exchange,
): void | Promise<void> {
  const origin = exchange.field('origin')
  refuseUnknownNames(exchange.field('host'), origin, parts)
  if (origin === '') return answerCall(parts, endpoint, exchange)
  exchange.addFields([
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Expose-Headers', EXPOSED],
    ['Vary', 'Origin'],
  ])
  return answerPage(parts, endpoint, exchange)
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
  const requested = exchange.field('access-control-request-headers')
  const names = isFieldNames(requested) ? requested : 'Authorization, Content-Type'
  replyPreflight(exchange, { methods: 'POST', names })
}

function isFieldNames(text: string): boolean {
  return text.length <= CORS_FIELD_NAMES_CHARS_MAX && /^[-\w]+(?: *, *[-\w]+)*$/.test(text)
}

/** @throws McpError 403, whatever the sender (revision 2026-07-28, Streamable HTTP) */
function refuseUnknownNames(host: string, origin: string, names: KnownNames): void {
  if (!isKnownHost(host, names)) {
    const { hostname } = new URL(names.baseUrl())
    const message =
      `The Host header does not match this service, which is ${hostname}; the operator can ` +
      'change that with --base-url.'
    throw McpError.because(403, message)
  }
  if (origin === '' || isKnownOrigin(origin, names)) return
  const message =
    'Requests from this Origin are not allowed; the operator can allow the origin ' +
    'with --cors-origin.'
  throw McpError.because(403, message)
}

/** @throws ApiError 404, the same for an inactive endpoint and a missing one */
function requireEndpoint(endpoint: McpEndpoint | undefined): McpEndpoint {
  if (endpoint !== undefined) return endpoint
  throw new ApiError('no_such_operation', 'There is no active integration at this address.')
}

function replyPreflight(
  exchange: Exchange,
  { methods, names }: { readonly methods: string; readonly names: string },
): void {
  const fields: ResponseFields = [
    ...commonFields(exchange.requestId),
    ['Access-Control-Allow-Methods', methods],
    ['Access-Control-Allow-Headers', names],
    ['Access-Control-Max-Age', String(CORS_MAX_AGE_SECONDS)],
  ]
  exchange.reply(204, fields, new Uint8Array(0))
}
