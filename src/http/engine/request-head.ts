import type { RequestFieldName } from './exchange.js'

/** 15 digits stay exact in a double; no body that long is ever read. */
const CONTENT_LENGTH = /^[0-9]{1,15}$/

/**
 * The values of a message without fields. A literal, which V8 copies as a whole: members of a class
 * with such names are defined one by one, by a call of the runtime each.
 */
function noFields(): Record<RequestFieldName, string> {
  return {
    authorization: '',
    'if-none-match': '',
    'x-request-id': '',
    origin: '',
    'sec-fetch-site': '',
    cookie: '',
    accept: '',
    'content-type': '',
    host: '',
    'mcp-protocol-version': '',
    'mcp-method': '',
    'mcp-name': '',
    'access-control-request-method': '',
    'access-control-request-headers': '',
  }
}

/**
 * The result of one pass over a request's fields: the values kontor reads, and whether the message
 * is framed beyond doubt. Both engines fill one per request, so a message has one reading.
 *
 * A proxy in front could read a doubtful frame differently, which is how a second request is
 * smuggled inside a body: a repeated, empty or odd Content-Length, a Transfer-Encoding that is not
 * `chunked` alone, both together, or an empty field name.
 * @see RFC 9112, sections 6.1 and 6.3
 */
export class RequestHead {
  /** A repeated field is joined with `, `. */
  readonly fields = noFields()
  /** X-Forwarded-For; the engine decides whether to trust it. */
  forwardedFor = ''
  /** -1 = the message names none. */
  contentLength = -1
  chunked = false
  /** The message must not be answered: its end is in doubt. */
  framingFault = false
  /** A proxy may have routed by one Host, and kontor would see the other. */
  hostCount = 0

  /** A Content-Length of 0 is no body. */
  get hasBody(): boolean {
    return this.contentLength > 0 || this.chunked
  }

  /** Adds the next field, in the order sent. @param name in lower case */
  take(name: string, value: string): void {
    // By length first: names arrive as new strings, and comparing one with fifteen constants costs
    // more than the rest of the pass.
    switch (name.length) {
      case 0:
        this.framingFault = true
        break
      case 4:
        if (name === 'host') this.takeHost(value)
        break
      case 6:
        if (name === 'cookie') this.keep(name, value, 'cookie', 'cookie')
        else this.keep(name, value, 'accept', 'origin')
        break
      case 8:
        this.keep(name, value, 'mcp-name', 'mcp-name')
        break
      case 10:
        this.keep(name, value, 'mcp-method', 'mcp-method')
        break
      case 12:
        this.keep(name, value, 'x-request-id', 'content-type')
        break
      case 13:
        this.keep(name, value, 'authorization', 'if-none-match')
        break
      case 14:
        if (name === 'content-length') this.takeContentLength(value)
        else this.keep(name, value, 'sec-fetch-site', 'sec-fetch-site')
        break
      case 15:
        if (name === 'x-forwarded-for') this.takeForwardedFor(value)
        break
      case 17:
        if (name === 'transfer-encoding') this.takeTransferEncoding(value)
        break
      case 20:
        this.keep(name, value, 'mcp-protocol-version', 'mcp-protocol-version')
        break
      case 29:
        this.keep(name, value, 'access-control-request-method', 'access-control-request-method')
        break
      case 30:
        this.keep(name, value, 'access-control-request-headers', 'access-control-request-headers')
        break
    }
  }

  private keep(name: string, value: string, one: RequestFieldName, other: RequestFieldName): void {
    const known = name === one ? one : name === other ? other : undefined
    if (known === undefined) return
    const earlier = this.fields[known]
    this.fields[known] = earlier === '' ? value : `${earlier}, ${value}`
  }

  private takeHost(value: string): void {
    this.hostCount++
    this.fields.host = value
  }

  private takeForwardedFor(value: string): void {
    this.forwardedFor = this.forwardedFor === '' ? value : `${this.forwardedFor}, ${value}`
  }

  private takeContentLength(value: string): void {
    if (this.contentLength !== -1 || this.chunked || !CONTENT_LENGTH.test(value)) {
      this.framingFault = true
      return
    }
    this.contentLength = Number(value)
  }

  private takeTransferEncoding(value: string): void {
    if (this.contentLength !== -1 || this.chunked || value.toLowerCase() !== 'chunked') {
      this.framingFault = true
      return
    }
    this.chunked = true
  }
}
