import type { IntegrationAccess } from '../auth/access.js'
import { bearerTokenOf } from '../auth/bearer.js'
import type { Credentials } from '../auth/credentials.js'
import type { Scope } from '../domain/key-scope.js'
import { ApiError } from '../errors.js'
import { answerWithFields } from '../http/answer-with-fields.js'
import type { Exchange, RequestFieldName } from '../http/engine/exchange.js'
import { HttpError, replyHttpError } from '../http/http-error.js'
import type { ServiceState } from '../http/service-state.js'
import type { TickQueue } from '../http/tick-queue.js'
import { calledTools } from './called-tools.js'
import { scopeChallenge, tokenChallenge } from './challenge.js'
import type { McpEndpoint } from './endpoint.js'
import { MCP_BODY_MESSAGES_MAX, McpError, replyMcpError } from './mcp-error.js'
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

/** Answers a request to an endpoint, after checking its credential, scopes and rate limit. */
export function answerCall(
  parts: CallParts,
  endpoint: McpEndpoint,
  exchange: Exchange,
): void | Promise<void> {
  return refusing(exchange, (counted) => {
    const token = tokenOf(endpoint, counted)
    const access = accessOf(parts, endpoint, counted, token)
    const admitted = { parts, endpoint, token, credentialId: access.credentialId }
    const { rateLimit } = parts.service.parts
    if (rateLimit === undefined) return answerAdmitted(admitted, counted)
    const { isExceeded, resetSeconds, fields } = rateLimit.take(access.credentialId)
    return answerWithFields(counted, fields, (limited) =>
      refusing(limited, () => {
        if (isExceeded) throw HttpError.rateLimited(resetSeconds)
        return answerAdmitted(admitted, limited)
      }),
    )
  })
}

interface Admitted {
  readonly parts: CallParts
  readonly endpoint: McpEndpoint
  readonly token: string
  /** The credential in whose turn the call waits. */
  readonly credentialId: string
}

function answerAdmitted(admitted: Admitted, exchange: Exchange): Promise<void> {
  refuseOtherMethods(exchange)
  refuseOtherTypes(exchange)
  // Read immediately: a request's fields are unreadable once its answer has begun to wait.
  const fields = sentFields(exchange)
  return answerBody(admitted, exchange, fields, exchange.body(MCP_BODY_BYTES_MAX))
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
  const access = accessOf(parts, endpoint, exchange, token)
  const body = parsed(bytes)
  const messageCount = Array.isArray(body) ? body.length : 1
  if (messageCount > MCP_BODY_MESSAGES_MAX) throw McpError.tooManyMessages()
  countFurther(parts, access, messageCount)
  const called = calledTools(body)
  requireScopes(endpoint, access, called)
  parts.credentials.noteUse(access, called[0] ?? 'mcp')
  const { url, tools } = endpoint
  const context = { access, signal: exchange.signal, service: parts.service }
  const { status, mediaType, bytes: answer } = await protocol({ url, fields, body, tools, context })
  if (exchange.aborted) return
  exchange.reply(
    status,
    [
      ...(mediaType === undefined ? [] : [['Content-Type', mediaType] as const]),
      ['X-Request-Id', exchange.requestId],
      ['Cache-Control', 'private, no-cache'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    answer,
  )
}

/**
 * Counts the second and further messages, each a request of the credential.
 * @throws HttpError 429
 */
function countFurther(
  { service }: CallParts,
  { credentialId }: IntegrationAccess,
  messageCount: number,
): void {
  for (let i = 1; i < messageCount; i++) {
    const quota = service.parts.rateLimit?.take(credentialId)
    if (quota?.isExceeded === true) throw HttpError.rateLimited(quota.resetSeconds)
  }
}

/** The credential as sent. @throws HttpError 401 */
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

/** The caller's access. @throws HttpError 401 */
function accessOf(
  { credentials }: CallParts,
  endpoint: McpEndpoint,
  exchange: Exchange,
  token: string,
): IntegrationAccess {
  const access = credentials.forMcp(token, endpoint.integrationId, exchange)
  if (access !== undefined) {
    exchange.credential = access
    return access
  }
  const message = 'The credential is unknown, expired, revoked, or belongs to another integration.'
  throw unauthorized(message, tokenChallenge(endpoint, 'invalid_token'))
}

function unauthorized(message: string, challenge: string): HttpError {
  const fields = [['WWW-Authenticate', challenge]] as const
  return new HttpError(new ApiError('unauthorized', message), fields)
}

/** An endpoint has no stream to open and no session to end. @throws HttpError 405 */
function refuseOtherMethods({ method }: Exchange): void {
  if (method === 'POST') return
  const message = `The method must be POST, not ${JSON.stringify(method.slice(0, 20))}.`
  throw new HttpError(new ApiError('method_not_allowed', message), [['Allow', 'POST, OPTIONS']])
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

/** The handler, with its errors for callers replied, whether thrown or rejected. */
function refusing(
  exchange: Exchange,
  answer: (exchange: Exchange) => void | Promise<void>,
): void | Promise<void> {
  const refuse = (error: unknown): void => {
    if (error instanceof McpError) replyMcpError(exchange, error)
    else replyHttpError(exchange, error)
  }
  try {
    const pending = answer(exchange)
    return pending instanceof Promise ? pending.catch(refuse) : pending
  } catch (error) {
    refuse(error)
  }
}
