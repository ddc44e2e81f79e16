import type {
  Exchange,
  Handler,
  NamedCredential,
  RequestFieldName,
  ResponseFields,
} from './engine/exchange.js'
import { replyFault } from './engine/guard.js'

/**
 * Runs `answer` on an exchange whose every reply carries `fields` as well, the 500 of a fault
 * included. Throws again an error that is a fault of kontor, so that it is reported.
 */
export function answerWithFields(
  exchange: Exchange,
  fields: ResponseFields,
  answer: Handler,
): void | Promise<void> {
  const extended = new ExtendedExchange(exchange, fields)
  const fail = (error: unknown): void => {
    if (replyFault(extended, error)) throw error
  }
  try {
    const pending = answer(extended)
    return pending instanceof Promise ? pending.catch(fail) : pending
  } catch (error) {
    fail(error)
  }
}

/** An exchange that adds fields to the reply, unknown to its handler. */
class ExtendedExchange implements Exchange {
  constructor(
    private readonly exchange: Exchange,
    private readonly fields: ResponseFields,
  ) {}

  get method(): string {
    return this.exchange.method
  }

  get path(): string {
    return this.exchange.path
  }

  get query(): string {
    return this.exchange.query
  }

  get requestId(): string {
    return this.exchange.requestId
  }

  get remoteAddress(): string {
    return this.exchange.remoteAddress
  }

  get aborted(): boolean {
    return this.exchange.aborted
  }

  get signal(): AbortSignal {
    return this.exchange.signal
  }

  get replied(): boolean {
    return this.exchange.replied
  }

  get status(): number {
    return this.exchange.status
  }

  get bodyBytes(): number {
    return this.exchange.bodyBytes
  }

  get operation(): string {
    return this.exchange.operation
  }

  set operation(operation: string) {
    this.exchange.operation = operation
  }

  get credential(): NamedCredential | undefined {
    return this.exchange.credential
  }

  set credential(credential: NamedCredential | undefined) {
    this.exchange.credential = credential
  }

  field(name: RequestFieldName): string {
    return this.exchange.field(name)
  }

  body(bytesMax: number): Promise<Uint8Array> {
    return this.exchange.body(bytesMax)
  }

  bodyTo(bytesMax: number, take: (part: Uint8Array) => Promise<void>): Promise<void> {
    return this.exchange.bodyTo(bytesMax, take)
  }

  reply(status: number, fields: ResponseFields, bytes: Uint8Array): void {
    this.exchange.reply(status, [...fields, ...this.fields], bytes)
  }
}
