import type { IntegrationAccess } from '../auth/access.js'
import { bearerTokenOf } from '../auth/bearer.js'
import type { Credentials } from '../auth/credentials.js'
import type { Scope } from '../domain/key-scope.js'
import type { Exchange, RequestFieldName } from '../http/engine/exchange.js'
import { commonFields } from '../http/engine/response-fields.js'
import { methodNotAllowed, rateLimited, unauthorized } from '../http/http-errors.js'
import { countRequest } from '../http/rate-limit.js'
import type { ServiceState } from '../http/service-state.js'
import type { TickQueue } from '../http/tick-queue.js'
import { whenKnown } from '../when-known.js'
import { calledTools } from './called-tools.js'
import { scopeChallenge, tokenChallenge } from './challenge.js'
import type { McpEndpoint } from './endpoint.js'
import { MCP_BODY_MESSAGES_MAX, McpError } from './mcp-error.js'
import type { Protocol } from './protocol.js'

/**
 * Bytes of a request to an MCP endpoint. The longest sensible call of a tool, with every parameter
 * at its longest, is a few kB; a client's description of itself comes on top.
 */
export const MCP_BODY_BYTES_MAX = 65_536

/** The parts that authorize calls and compute their answers. */
export interface CallParts {
  readonly credentials: Pick<Credentials, 'forMcp' | 'noteUse'>
  readonly service: ServiceState
  /** Loaded on first use: the library takes memory, and many services never need it. */
  readonly protocol: () => Promise<Protocol>
  readonly queue: TickQueue
}

/**
 * Answers a request to an endpoint, after checking its credential, scopes and rate limit. Throws,
 * or rejects with, HttpError.
 */
export function answerCall(
  parts: CallParts,
  endpoint: McpEndpoint,
  exchange: Exchange,
): Promise<void> {
  const token = tokenOf(endpoint, exchange)
  const access = accessOf(parts, endpoint, exchange, token)
  if (!(access instanceof Promise)) return answerAdmitted(parts, endpoint, exchange, token, access)
  exchange.keepBody()
  return access.then((found) => answerAdmitted(parts, endpoint, exchange, token, found))
}

function answerAdmitted(
  parts: CallParts,
  endpoint: McpEndpoint,
  exchange: Exchange,
  token: string,
  access: IntegrationAccess,
): Promise<void> {
  countRequest(parts.service.parts.rateLimit, access, exchange)
  refuseOtherMethods(exchange)
  refuseOtherTypes(exchange)
  // Read immediately: a request's fields are unreadable once its answer has begun to wait.
  const fields = sentFields(exchange)
  const admitted = { parts, endpoint, token, credentialId: access.credentialId }
  return answerBody(admitted, exchange, fields, exchange.body(MCP_BODY_BYTES_MAX))
}

interface Admitted {
  readonly parts: CallParts
  readonly endpoint: McpEndpoint
  readonly token: string
  /** The credential in whose turn the call waits. */
  readonly credentialId: string
}

async function answerBody(
  { parts, endpoint, token, credentialId }: Admitted,
  exchange: Exchange,
  fields: Readonly<Record<string, string>>,
  arriving: Promise<Uint8Array>,
): Promise<void> {
  const [bytes, protocol] = await Promise.all([arriving, parts.protocol()])
  await parts.queue.waitTurn(credentialId)
  if (exchange.aborted) return
  // Checked again: the access may have changed while the body arrived.
  const found = accessOf(parts, endpoint, exchange, token)
  const access = found instanceof Promise ? await found : found
  const body = parsed(bytes)
  const messageCount = Array.isArray(body) ? body.length : 1
  if (messageCount > MCP_BODY_MESSAGES_MAX) throw McpError.tooManyMessages()
  countFurther(parts, access, messageCount)
  const called = calledTools(body)
  requireScopes(endpoint, access, called)
  parts.credentials.noteUse(access, called[0] ?? 'mcp')
  const { url, tools } = endpoint
  const { masksIbans, masksNames } = access.integration
  const view = { toolNames: tools.map(({ name }) => name), masksIbans, masksNames }
  const context = { access, view, signal: exchange.signal, service: parts.service }
  const { status, mediaType, bytes: answer } = await protocol({ url, fields, body, tools, context })
  if (exchange.aborted) return
  const common = commonFields(exchange.requestId)
  const typed = mediaType === undefined ? common : [['Content-Type', mediaType] as const, ...common]
  exchange.reply(status, typed, answer)
}

/**
 * Counts the second and further messages, each a request of the credential.
 * @throws ApiError 429
 */
function countFurther(
  { service }: CallParts,
  { credentialId }: IntegrationAccess,
  messageCount: number,
): void {
  for (let i = 1; i < messageCount; i++) {
    const quota = service.parts.rateLimit?.take(credentialId)
    if (quota?.isExceeded === true) throw rateLimited(quota.resetSeconds)
  }
}

/** The credential as sent. @throws ApiError 401 */
function tokenOf(endpoint: McpEndpoint, exchange: Exchange): string {
  const authorization = exchange.field('authorization')
  const token = bearerTokenOf(authorization)
  if (token !== undefined) return token
  const message =
    'This endpoint requires a credential: a token from the authorization server that its ' +
    'metadata names, or the header "Authorization: Bearer <MCP_API_KEY>".'
  const reason = authorization === '' ? 'no_credential' : 'invalid_token'
  throw unauthorized(message, tokenChallenge(endpoint, reason))
}

/** The caller's access. Throws, or rejects with, ApiError 401. */
function accessOf(
  { credentials }: CallParts,
  endpoint: McpEndpoint,
  exchange: Exchange,
  token: string,
): IntegrationAccess | Promise<IntegrationAccess> {
  return whenKnown(credentials.forMcp(token, endpoint.integrationId, exchange), (access) => {
    if (access !== undefined) {
      exchange.credential = access
      return access
    }
    const message =
      'The credential is unknown, expired, revoked, or belongs to another integration.'
    throw unauthorized(message, tokenChallenge(endpoint, 'invalid_token'))
  })
}

/** An endpoint has no stream to open and no session to end. @throws ApiError 405 */
function refuseOtherMethods({ method }: Exchange): void {
  if (method === 'POST') return
  const message = `The method must be POST, not ${JSON.stringify(method.slice(0, 20))}.`
  throw methodNotAllowed(message, 'POST, OPTIONS')
}

/** @throws McpError 415 or 406 */
function refuseOtherTypes(exchange: Exchange): void {
  const [mediaType = ''] = exchange.field('content-type').split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    throw McpError.because(415, 'The Content-Type must be application/json.')
  }
  const accept = exchange.field('accept').toLowerCase()
  if (accept !== '' && !/\*\/\*|application\/(json|\*)/.test(accept)) {
    throw McpError.because(406, 'The Accept header must allow application/json.')
  }
}

const MCP_FIELDS = [
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
] as const satisfies readonly RequestFieldName[]

/** The fields that describe the body. Every answer is JSON, so any caller accepts it. */
function sentFields(exchange: Exchange): Readonly<Record<string, string>> {
  const sent: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  for (const name of MCP_FIELDS) {
    const value = exchange.field(name)
    if (value !== '') sent[name] = value
  }
  return sent
}

/** @throws McpError 400 */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    throw McpError.malformed()
  }
}

/** @throws McpError 403, which names every scope that the body needs */
function requireScopes(
  endpoint: McpEndpoint,
  { scopes }: IntegrationAccess,
  called: readonly string[],
): void {
  const lacking: Scope[] = endpoint.tools
    .filter(({ name, scope }) => called.includes(name) && !scopes.has(scope))
    .map(({ scope }) => scope)
  if (lacking.length === 0) return
  throw McpError.insufficientScope(lacking, scopeChallenge(endpoint, scopes, lacking))
}
