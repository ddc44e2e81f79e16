/** The request fields kontor reads; names in lower case. A field that is absent is `''`. */
export type RequestFieldName =
  | 'authorization'
  | 'if-none-match'
  | 'x-request-id'
  | 'origin'
  | 'accept'
  | 'content-type'
  | 'host'
  | 'mcp-protocol-version'
  | 'mcp-method'
  | 'mcp-name'
  | 'access-control-request-method'
  | 'access-control-request-headers'

/** Name and value of each response field, in the order they are sent. */
export type ResponseFields = readonly (readonly [name: string, value: string])[]

/**
 * One HTTP request and its one reply, whatever engine carries it.
 */
export interface Exchange {
  /** Upper case. */
  readonly method: string
  /** Path as sent, still percent-encoded, without `?` and query. */
  readonly path: string
  /** Raw query without `?`; `''` when there is none. */
  readonly query: string
  /** Only valid during the synchronous part of the call that was given the exchange. */
  field(name: RequestFieldName): string
  /**
   * Whole body up to `bytesMax`; rejects with ApiError `body_too_large` past it, and when
   * aborted.
   */
  body(bytesMax: number): Promise<Uint8Array>
  /** True once the client has gone; a reply is then dropped. */
  readonly aborted: boolean
  /** Aborts when the client goes before the reply. Made on first use. */
  readonly signal: AbortSignal
  /**
   * Sends status, fields and body, once; a second reply is a bug and throws. `bytes` may be
   * overwritten as soon as the call returns. HEAD sends the length of `bytes` and no body;
   * 204 and 304 send no body. Framing fields (Content-Length, Transfer-Encoding, Connection, Date)
   * are the engine's own.
   */
  reply(status: number, fields: ResponseFields, bytes: Uint8Array): void
}

/** Answers one exchange; may reply later. A throw is answered 500 by the engine's guard. */
export type Answer = (exchange: Exchange) => void | Promise<void>

/** A listening engine. */
export interface Engine {
  readonly name: 'uws' | 'node'
  readonly port: number
  /** Stops accepting, lets exchanges in flight finish, at most `withinMs`, then closes the rest. */
  stop(withinMs: number): Promise<void>
}

/** How to listen. TLS is the `node` engine's alone. */
export interface ListenOptions {
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly answer: Answer
  /** Called with an unexpected error; `requestId` is the one the reply carries. */
  readonly onFault: (error: unknown, requestId: string) => void
}
