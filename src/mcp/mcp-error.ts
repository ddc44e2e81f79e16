import type { Scope } from '../domain/key-scope.js'
import { ApiError } from '../errors.js'
import type { Exchange, ResponseFields } from '../http/engine/exchange.js'
import { errorBytes } from '../wire/error-json.js'

/**
 * Messages in one body, which may hold several before revision 2025-06-18. Clients send one or two;
 * each is one of its credential's requests, and all of them are answered at once.
 */
export const MCP_BODY_MESSAGES_MAX = 10

/** Codes of JSON-RPC 2.0 (its section 5.1), the last from the range that is a server's own. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const REFUSED = -32_000

/**
 * An error of MCP endpoints alone. The body is a JSON-RPC answer without an id (revision
 * 2026-07-28, Streamable HTTP), or the Error body where REST has the code.
 */
export class McpError extends Error {
  override readonly name = 'McpError'

  private constructor(
    readonly status: 400 | 403 | 406 | 415,
    readonly bytes: Uint8Array,
    readonly fields: ResponseFields,
  ) {
    super(`refused with ${status}`)
  }

  /** For a Host or an Origin (403), or a media type (406, 415). */
  static because(status: 403 | 406 | 415, message: string): McpError {
    return new McpError(status, rpcErrorBytes(REFUSED, message), [])
  }

  /** 400 for a body that is no JSON. */
  static malformed(): McpError {
    const message = 'The body must be one JSON-RPC message in UTF-8.'
    return new McpError(400, rpcErrorBytes(PARSE_ERROR, message), [])
  }

  /** 400 for a body with more messages than are answered at once. */
  static tooManyMessages(): McpError {
    const max = MCP_BODY_MESSAGES_MAX
    const message = `A body may contain at most ${max} messages; send several requests.`
    return new McpError(400, rpcErrorBytes(INVALID_REQUEST, message), [])
  }

  /** 403 for a valid credential, which on REST operations is a 401 (RFC 6750, 3.1). */
  static insufficientScope(lacking: readonly Scope[], challenge: string): McpError {
    const scopes = [...new Set(lacking)].join(' and ')
    const message = `The credential is valid but lacks the required scope ${scopes}.`
    const bytes = errorBytes(new ApiError('insufficient_scope', message))
    return new McpError(403, bytes, [['WWW-Authenticate', challenge]])
  }
}

/** Replies with the status, fields and body of the error. */
export function replyMcpError(exchange: Exchange, { status, bytes, fields }: McpError): void {
  const all: ResponseFields = [
    ['Content-Type', 'application/json'],
    ['X-Request-Id', exchange.requestId],
    ['Cache-Control', 'private, no-cache'],
    ['X-Content-Type-Options', 'nosniff'],
    ...fields,
  ]
  exchange.reply(status, all, bytes)
}

function rpcErrorBytes(code: number, message: string): Uint8Array {
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}
