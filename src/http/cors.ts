import type { Exchange, Handler, ResponseFields } from './engine/exchange.js'
import { commonFields } from './engine/response-fields.js'

/** How long a browser may trust a CORS preflight; Chromium trusts none for longer. */
export const CORS_MAX_AGE_SECONDS = 7_200

/** Fields of kontor's that a script may read; a browser exposes hardly any others by default. */
const EXPOSED = [
  'X-Total-Count',
  'X-Next-Cursor',
  'Link',
  'ETag',
  'X-Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'RateLimit',
  'RateLimit-Policy',
].join(', ')

// On every answer: a browser that cached one without the permission must not show it to a listed
// origin later (Fetch standard, "CORS protocol and HTTP caches").
const VARY = ['Vary', 'Origin'] as const
const ONLY_VARY: ResponseFields = [VARY]

const NO_BYTES = new Uint8Array(0)

/**
 * The origin as browsers send it, `https://app.example.org`: lower case, without default port.
 * @returns undefined when the text is no http or https origin; `*` and `null` are none
 */
export function originOf(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const plain = url.username === '' && url.password === '' && !/[?#]/.test(text)
  return plain && url.pathname === '/' ? url.origin : undefined
}

/**
 * The handler, with answers readable for scripts of these origins (Fetch standard, "CORS
 * protocol").
 * Their preflights are answered here, whatever the path: the request that follows learns whether
 * it names an operation. Requests from any other origin are answered as without CORS, which a
 * browser takes as a refusal.
 *
 * Credentials are in Authorization, never in cookies, so Allow-Credentials is never sent. Refusals
 * by an engine, before the handler runs (431, 414, 413, malformed requests), have no such field.
 * @param origins as {@link originOf} returns them
 */
export function withCors(answer: Handler, origins: readonly string[]): Handler {
  const fieldsOf = new Map(origins.map((origin) => [origin, fieldsFor(origin)]))
  return (exchange) => {
    const origin = exchange.field('origin')
    const fields = fieldsOf.get(origin)
    if (fields !== undefined && isPreflight(exchange)) return replyPreflight(exchange, origin)
    exchange.addFields(fields ?? ONLY_VARY)
    return answer(exchange)
  }
}

function fieldsFor(origin: string): ResponseFields {
  return [['Access-Control-Allow-Origin', origin], ['Access-Control-Expose-Headers', EXPOSED], VARY]
}

function isPreflight(exchange: Exchange): boolean {
  return exchange.method === 'OPTIONS' && exchange.field('access-control-request-method') !== ''
}

function replyPreflight(exchange: Exchange, origin: string): void {
  exchange.operation = 'preflight'
  const fields: ResponseFields = [
    ...commonFields(exchange.requestId),
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Methods', 'GET, HEAD, POST'],
    ['Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Request-Id, If-None-Match'],
    ['Access-Control-Max-Age', String(CORS_MAX_AGE_SECONDS)],
    VARY,
  ]
  exchange.reply(204, fields, NO_BYTES)
}
