import { strict as assert } from 'node:assert'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyBudget } from './body-budget.js'
import type { BodyParts } from './body-parts.js'
import { BodyStream } from './body-stream.js'
import type { Exchange, ResponseFields } from './exchange.js'
import { PendingExchange } from './pending-exchange.js'
import { forwardedAddress, plainAddress } from './remote-address.js'
import type { RequestHead } from './request-head.js'
import { endWith } from './response-body.js'
import { assertSendable, isBodiless } from './response-head.js'
import type { TurnBudget } from './turn-budget.js'

/** A request of node:http, and its response. */
export interface NodeRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client sends its body only after a 100 Continue, which only `body` sends. */
  readonly awaitsContinue: boolean
}

/** State shared by all connections of one engine. */
export interface NodeFlight {
  stopping: boolean
  readonly behindProxy: boolean
  readonly bodies: BodyBudget
  readonly turns: TurnBudget
  /** kontor itself terminates TLS. */
  readonly isSecure: boolean
}

/**
 * For a year browsers use https alone for this host, whatever a link or an address typed says.
 * Subdomains are not included: kontor does not know what they serve.
 * @see RFC 6797, 6.1
 */
const STRICT_TRANSPORT = 'max-age=31536000'

/** A connection, its one open exchange, and the requests behind it. */
export interface NodeConnection {
  current: NodeExchange | undefined
  /** Requests not yet begun, in order. */
  readonly waiting: NodeRequest[]
  /** The first waiting request begins at the end of a turn. */
  isQueued: boolean
  /** Its parser has stopped: the last waiting request is its last one. */
  isFull: boolean
  /**
   * Its last reply is being sent, or it is closed: no request that still arrives may be answered.
   */
  closing: boolean
  /** The engine's own, shared by all connections. */
  readonly flight: NodeFlight
}

/** `http://host:port` of a target in absolute form, which clients of a proxy send. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Path and query of a request target, as sent, except bytes past ASCII (see `Exchange.path`). */
export function splitTarget(target: string): { path: string; query: string } {
  const local = target.charCodeAt(0) === 0x2f ? target : target.replace(ABSOLUTE, '')
  const at = local.indexOf('?')
  const path = at === -1 ? local : local.slice(0, at)
  return { path: path === '' ? '/' : path, query: at === -1 ? '' : local.slice(at + 1) }
}

/** One request of the `node` engine. */
export class NodeExchange extends PendingExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly query: string
  constructor(
    private readonly received: NodeRequest,
    head: RequestHead,
    private readonly connection: NodeConnection,
  ) {
    super(head)
    const { request } = received
    const { path, query } = splitTarget(request.url ?? '/')
    this.method = request.method ?? ''
    this.path = path
    this.query = query
  }

  protected get bodies(): BodyBudget {
    return this.connection.flight.bodies
  }

  get remoteAddress(): string {
    const { received, connection, head } = this
    const { behindProxy } = connection.flight
    const forwarded = behindProxy ? forwardedAddress(head.forwardedFor) : undefined
    return forwarded ?? plainAddress(received.request.socket.remoteAddress ?? '')
  }

  bodyTo(bytesMax: number, take: (part: Uint8Array) => Promise<void>): Promise<void> {
    this.assertReadable()
    const { request } = this.received
    const stream = new BodyStream(bytesMax, this.head, take, {
      pause: () => request.pause(),
      resume: () => request.resume(),
    })
    this.receive(stream)
    return stream.whole
  }

  /** A request without a listener is paused. */
  protected holdBody(): void {}

  protected receive(parts: BodyParts | BodyStream): void {
    this.parts = parts
    // The client may have disconnected while the body waited.
    if (this.aborted) parts.abort(this.signal.reason)
    if (parts.settled) return
    if (this.received.awaitsContinue) this.received.response.writeContinue()
    this.received.request.on('data', (part: Buffer) => {
      parts.take(part)
      if (parts.settled) this.received.request.pause()
    })
    this.received.request.on('end', () => parts.end())
  }

  reply(status: number, given: ResponseFields, bytes: Uint8Array): void {
    assert(!this.replied, 'one exchange, one reply')
    const fields = this.added.length === 0 ? given : [...given, ...this.added]
    assertSendable(fields)
    this.replied = true
    this.status = status
    if (this.aborted || this.received.response.destroyed) return
    // One flat list and one write: node then neither merges nor validates field by field.
    const flat: string[] = []
    for (const field of fields) flat.push(field[0], field[1])
    if (this.connection.flight.isSecure) flat.push('Strict-Transport-Security', STRICT_TRANSPORT)
    if (this.closesAfter()) {
      this.connection.closing = true
      flat.push('Connection', 'close')
    }
    if (isBodiless(status)) {
      this.received.response.writeHead(status, flat)
      this.received.response.end()
      return
    }
    if (this.method !== 'HEAD') this.bodyBytes = bytes.length
    flat.push('Content-Length', String(bytes.length))
    this.received.response.writeHead(status, flat)
    if (this.method === 'HEAD') this.received.response.end()
    else endWith(this.received.response, bytes)
  }

  private closesAfter(): boolean {
    const unread = this.head.hasBody && this.parts?.complete !== true
    const { isFull, waiting, flight } = this.connection
    return this.closing || unread || flight.stopping || (isFull && waiting.length === 0)
  }

  /** To be called at the end of the synchronous part of the handler. */
  leave(): void {
    this.left = true
  }

  /** The connection is closed; both its response and its socket report that. */
  abort(): void {
    if (this.aborted) return
    this.aborted = true
    if (this.replied) return
    this.onAborted?.()
    this.controller?.abort()
    if (this.parts?.settled === false) this.parts.abort(this.signal.reason)
  }
}
