import type { Scope } from '../domain/key-scope.js'
import { type ErrorBody, HttpError } from '../errors.js'

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
export class McpError extends HttpError {
  override readonly name = 'McpError'

  private constructor(
    status: 400 | 403 | 406 | 415,
    readonly body: object,
    fields?: HttpError['fields'],
  ) {
    super(status, `refused with ${status}`, { fields })
  }

  /** For a Host or an Origin (403), or a media type (406, 415). */
  static because(status: 403 | 406 | 415, message: string): McpError {
    return new McpError(status, rpcError(REFUSED, message))
  }

  /** 400 for a body that is no JSON. */
  static malformed(): McpError {
    const message = 'The body must be one JSON-RPC message in UTF-8.'
    return new McpError(400, rpcError(PARSE_ERROR, message))
  }

  /** 400 for a body with more messages than are answered at once. */
  static tooManyMessages(): McpError {
    const max = MCP_BODY_MESSAGES_MAX
    const message = `A body may contain at most ${max} messages; send several requests.`
    return new McpError(400, rpcError(INVALID_REQUEST, message))
  }

  /** 403 for a valid credential, which on REST operations is a 401 (RFC 6750, 3.1). */
  static insufficientScope(lacking: readonly Scope[], challenge: string): McpError {
    const scopes = [...new Set(lacking)].join(' and ')
    const message = `The credential is valid but lacks the required scope ${scopes}.`
    const body = { error: 'insufficient_scope', message } satisfies ErrorBody
    return new McpError(403, body, [['WWW-Authenticate', challenge]])
  }
}

function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } }
}
