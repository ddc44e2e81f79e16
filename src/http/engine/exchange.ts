/** The request fields kontor reads; names in lower case. A field that is absent is `''`. */
export type RequestFieldName =
  | 'authorization'
  | 'if-none-match'
  | 'x-request-id'
  | 'origin'
  | 'sec-fetch-site'
  | 'cookie'
  | 'accept'
  | 'content-type'
  | 'host'
  | 'mcp-protocol-version'
  | 'mcp-method'
  | 'mcp-name'
  | 'access-control-request-method'
  | 'access-control-request-headers'

/**
 * Name and value of each response field, in the order they are sent. Values are visible ASCII,
 * spaces and tabs; any other character (CR, LF, NUL above all) makes the reply throw.
 */
export type ResponseFields = readonly (readonly [name: string, value: string])[]

/** The owner of the credential that a request came with, by public names. */
export interface NamedCredential {
  /** `key:12`, `mcp_key:3`, `client:ID` or `operator:1`. */
  readonly credentialId: string
  /** Absent = it belongs to no single workspace. */
  readonly workspaceId?: string
}

/**
 * One HTTP request and its one reply, whatever engine carries it.
 */
export interface Exchange {
  /** As sent, which is upper case: methods are case-sensitive, and `get` is none. */
  readonly method: string
  /**
   * Path as sent, still percent-encoded, without `?` and query. Bytes past ASCII arrive decoded
   * as UTF-8, malformed ones as U+FFFD.
   */
  readonly path: string
  /** Raw query without `?`; `''` when there is none. */
  readonly query: string
  /** The caller's X-Request-Id when it is usable, else a generated one; the same on each read. */
  readonly requestId: string
  /**
   * The caller's address: the peer's, or the one a trusted proxy reports (`behindProxy` of
   * {@link ListenOptions}); IPv4 in its own form also over an IPv6 socket. `''` when the client
   * disconnected before the first read of this property.
   */
  readonly remoteAddress: string
  /** Value of a request field, `''` when absent; a repeated field is joined with `, `. */
  field(name: RequestFieldName): string
  /**
   * Whole body up to `bytesMax`, empty when the request has none. Rejects with ApiError
   * `body_too_large` past it, and with the signal's reason when aborted. May be called once, and
   * only in the synchronous part of the handler, or after {@link keepBody} in that part: no engine
   * keeps a body that was not asked for by then.
   */
  body(bytesMax: number): Promise<Uint8Array>
  /**
   * Passes the body to `take` part by part, the next one when the last was taken: the client is
   * paused meanwhile, so that no more than one read of it is in memory. Resolves when all parts
   * were taken; rejects as {@link body} does, or as `take` has. Called instead of {@link body},
   * under the same rules.
   */
  bodyTo(bytesMax: number, take: (part: Uint8Array) => Promise<void>): Promise<void>
  /**
   * Lets the body wait: {@link body} or {@link bodyTo} may be called later, and the client of a
   * long one is paused until then. Called in the synchronous part of the handler; later: no effect.
   */
  keepBody(): void
  /** True once the client has disconnected; a reply is then dropped. */
  readonly aborted: boolean
  /** Aborts when the client disconnects before the reply. Created on first use. */
  readonly signal: AbortSignal
  /**
   * Called when the client disconnects before the reply; undefined = nothing is. For requests that
   * wait by the thousand: a signal and its listener take longer than their answer.
   */
  onAborted: (() => void) | undefined
  /** True once `reply` has been called. */
  readonly replied: boolean
  /** Status of the reply; 0 until there is one. */
  readonly status: number
  /** Bytes of the reply's body; 0 when it has none, as for HEAD, or until there is a reply. */
  readonly bodyBytes: number
  /** Time for which the caller has asked to hold the reply; no part of its duration. */
  heldMs: number
  /** operationId, or a fixed word such as `oauth.token`; `none` until the handler sets it. */
  operation: string
  /** Set by the handler once the credential is known to be valid. */
  credential: NamedCredential | undefined
  /**
   * Adds fields to the reply, an error's included. They are sent behind those that {@link reply} is
   * given, the fields added last before those added earlier.
   */
  addFields(fields: ResponseFields): void
  /**
   * Sends status, fields and body, once; a second reply is a bug and throws. `bytes` may be
   * overwritten as soon as the call returns. HEAD sends the length of `bytes` and no body;
   * 204 and 304 send no body. Framing fields (Content-Length, Transfer-Encoding, Connection, Date)
   * are the engine's own. A reply to a request whose body was not read closes the connection.
   */
  reply(status: number, fields: ResponseFields, bytes: Uint8Array): void
}

/**
 * Answers one exchange. A handler that returns nothing may reply later; one that returns a promise
 * replies before it settles. A thrown ApiError is answered with its code, any other error with 500.
 */
export type Handler = (exchange: Exchange) => void | Promise<void>

/** A listening engine. */
export interface Engine {
  readonly name: 'uws' | 'node'
  readonly port: number
  /**
   * Stops accepting, lets exchanges in flight finish, at most `withinMs`, then closes the rest.
   * Replies sent meanwhile say `Connection: close`. A second call waits for the first.
   */
  stop(withinMs: number): Promise<void>
}

/** How to listen. TLS is the `node` engine's alone. */
export interface ListenOptions {
  /** An address, or a name that is looked up once (IPv4 preferred). */
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /**
   * Only a proxy can reach the port, so that the last entry of X-Forwarded-For is the caller's
   * address. Otherwise any caller could write one, and the field is ignored.
   */
  readonly behindProxy?: boolean
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly answer: Handler
  /**
   * Called with an unexpected error, after the reply; `requestId` is the one the reply carries.
   * Must not throw.
   */
  readonly onFault: (error: unknown, requestId: string) => void
  /**
   * Called when a request is answered, or its client has disconnected before. Absent = nothing is
   * timed. Must not throw.
   */
  readonly onAnswered?: AnsweredCallback
  /** For the time of one turn of the event loop; absent = the monotonic clock. */
  readonly ticks?: () => number
}

/** @param durationMs since the request's head had arrived   @param address the caller's */
export type AnsweredCallback = (exchange: Exchange, durationMs: number, address: string) => void
