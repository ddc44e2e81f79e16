import { strict as assert } from 'node:assert'
import { httpDateNow } from '../../instant.js'
import type { BodyBudget } from './body-budget.js'
import type { BodyParts } from './body-parts.js'
import { BodyStream, type BodyValve } from './body-stream.js'
import type { Exchange, ResponseFields } from './exchange.js'
import { type BodySink, KeptBody } from './kept-body.js'
import { PendingExchange } from './pending-exchange.js'
import { forwardedAddress, plainAddress } from './remote-address.js'
import type { RequestHead } from './request-head.js'
import { headText, isBodiless } from './response-head.js'
import type { TurnBudget } from './turn-budget.js'

/** The calls of a uWebSockets.js response that kontor uses; all throw once it ended or aborted. */
export interface UwsResponse {
  /** Unchecked: any text after the status is sent as it is, then a line end. */
  writeStatus(status: string | Uint8Array): UwsResponse
  /** With an argument this binary never completes the response, so none is declared. */
  endWithoutBody(): UwsResponse
  /** Sends as much as the socket takes now. */
  tryEnd(body: Uint8Array, totalSize: number): [ok: boolean, done: boolean]
  /** Drops the connection and all corked bytes; the rest of the read is not parsed. */
  close(): UwsResponse
  getWriteOffset(): number
  /** As text, an IPv6 one in full: `0000:0000:0000:0000:0000:0000:0000:0001`. */
  getRemoteAddressAsText(): ArrayBuffer
  onWritable(callback: (offset: number) => boolean): UwsResponse
  onAborted(callback: () => void): UwsResponse
  /** `chunk` is only valid during the callback. */
  onData(callback: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse
  /** Stops reading from the socket; bytes read before still arrive. */
  pause(): void
  resume(): void
  cork(callback: () => unknown): UwsResponse
}

/**
 * uWS collects its output during one read in a buffer of 16 KB, which it writes to the socket when
 * the bytes of that read are parsed, or when a write does not fit. Closing discards the buffer,
 * with the responses to earlier requests of the same read. Empty lines of this size after a last
 * response make uWS write all of it first. Clients read no further than Content-Length of a
 * connection that closes; nginx logs the lines at the level `warn`.
 */
const FLUSHING = Buffer.from('\r\n'.repeat(8 * 1024))

/** The exchanges of one engine that have left their callback and are not done. */
export interface UwsFlight {
  readonly parked: Set<UwsExchange>
  readonly behindProxy: boolean
  readonly bodies: BodyBudget
  readonly turns: TurnBudget
  stopping: boolean
  /** Called when the last parked exchange is done while stopping. */
  onEmpty: () => void
}

/**
 * One request of the `uws` engine. Its life: created, answered and left inside one native callback;
 * parked when not done by then, because uWS then requires an abort callback (it ends the process
 * otherwise). Not earlier, because setting one costs as much as the rest of the exchange.
 */
export class UwsExchange extends PendingExchange implements Exchange {
  /** The native response has ended: touching it again would throw. */
  private done = false
  private parked = false
  private address: string | undefined
  private kept: KeptBody | undefined

  constructor(
    readonly method: string,
    readonly path: string,
    readonly query: string,
    head: RequestHead,
    private readonly response: UwsResponse,
    private readonly flight: UwsFlight,
  ) {
    super(head)
  }

  protected get bodies(): BodyBudget {
    return this.flight.bodies
  }

  get remoteAddress(): string {
    if (this.address === undefined && this.done) return ''
    this.address ??= this.readAddress()
    return this.address
  }

  private readAddress(): string {
    const { flight, head, response } = this
    const forwarded = flight.behindProxy ? forwardedAddress(head.forwardedFor) : undefined
    return forwarded ?? plainAddress(Buffer.from(response.getRemoteAddressAsText()).toString())
  }

  bodyTo(bytesMax: number, take: (part: Uint8Array) => Promise<void>): Promise<void> {
    this.assertReadable()
    const stream = new BodyStream(bytesMax, this.head, take, this.valve())
    this.receive(stream)
    return stream.whole
  }

  protected holdBody(): void {
    this.kept = new KeptBody(this.bodies, this.valve())
    this.listen(this.kept)
  }

  private valve(): BodyValve {
    return {
      pause: () => {
        if (!this.done) this.response.pause()
      },
      resume: () => {
        if (!this.done) this.response.resume()
      },
    }
  }

  protected receive(parts: BodyParts | BodyStream): void {
    const { kept } = this
    this.parts = parts
    if (kept === undefined) {
      if (!parts.settled) this.listen(parts)
    } else if (this.aborted) {
      // While the body waited.
      parts.abort(this.signal.reason)
    } else {
      kept.passTo(parts)
    }
  }

  private listen(sink: BodySink): void {
    this.response.onData((chunk, isLast) => {
      sink.take(new Uint8Array(chunk))
      if (isLast) sink.end()
    })
  }

  reply(status: number, given: ResponseFields, bytes: Uint8Array): void {
    assert(!this.replied, 'one exchange, one reply')
    const fields = this.added.length === 0 ? given : [...given, ...this.added]
    const head = headText(status, fields)
    this.replied = true
    this.status = status
    if (this.done) return
    this.kept?.resume()
    if (this.method !== 'HEAD' && !isBodiless(status)) this.bodyBytes = bytes.length
    if (this.closing || (this.head.hasBody && this.parts?.complete !== true)) {
      this.sendAndClose(head, isBodiless(status), bytes)
    } else if (this.left) {
      this.response.cork(() => this.send(head, isBodiless(status), bytes))
    } else {
      this.send(head, isBodiless(status), bytes)
    }
  }

  /** To be called last in the native callback. */
  leave(): void {
    this.left = true
    if (this.done) return
    this.parked = true
    this.flight.parked.add(this)
    this.response.onAborted(() => this.abort())
  }

  /** The client disconnected, or the engine was stopped; uWS has freed the response. */
  private abort(): void {
    if (this.done) return
    this.aborted = true
    this.finish()
    if (this.replied) return
    this.onAborted?.()
    this.controller?.abort()
    if (this.parts?.settled === false) this.parts.abort(this.signal.reason)
  }

  private finish(): void {
    this.done = true
    this.kept?.release()
    if (!this.parked) return
    this.flight.parked.delete(this)
    if (this.flight.stopping && this.flight.parked.size === 0) this.flight.onEmpty()
  }

  /** Must run corked: in the native callback, or in `cork`. */
  private send(head: string, bodiless: boolean, bytes: Uint8Array): void {
    const { response } = this
    const fullHead = this.flight.stopping ? `${head}\r\nConnection: close` : head
    if (bodiless) {
      response.writeStatus(fullHead).endWithoutBody()
      this.finish()
    } else if (this.method === 'HEAD') {
      response.writeStatus(`${fullHead}\r\nContent-Length: ${bytes.length}`).endWithoutBody()
      this.finish()
    } else {
      response.writeStatus(fullHead)
      // Not `end`: it buffers the bytes that the socket does not take, and would do so for each of
      // thousands of pipelined requests. tryEnd leaves the response open, and uWS closes a
      // connection whose next request arrives before the last response is out.
      if (response.tryEnd(bytes, bytes.length)[1]) this.finish()
      else this.sendRest(bytes)
    }
  }

  /** Sends the bytes the socket did not take as the client reads; holds a copy of those only. */
  private sendRest(bytes: Uint8Array): void {
    const { response } = this
    const start = response.getWriteOffset()
    const rest = new Uint8Array(bytes.subarray(start))
    const totalSize = bytes.length
    response.onWritable((offset) => {
      const [ok, done] = response.tryEnd(rest.subarray(offset - start), totalSize)
      if (done) this.finish()
      return ok
    })
  }

  /**
   * Sends the last response of the connection and closes. In the same call: only `close` stops uWS
   * from parsing a request that follows in the bytes already read. A closing `end` does not.
   */
  private sendAndClose(head: string, bodiless: boolean, bytes: Uint8Array): void {
    const { response } = this
    const length = bodiless ? '' : `Content-Length: ${bytes.length}\r\n`
    const fullHead = `${head}\r\nDate: ${httpDateNow()}\r\nConnection: close\r\n${length}\r\n`
    const body = bodiless || this.method === 'HEAD' ? [] : [bytes]
    const text = Buffer.concat([Buffer.from(fullHead, 'latin1'), ...body, FLUSHING])
    this.finish()
    response.cork(() => response.writeStatus(text))
    response.close()
  }
}
