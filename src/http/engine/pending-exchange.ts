import { strict as assert } from 'node:assert'
import type { HttpError } from '../../errors.js'
import type { BodyBudget } from './body-budget.js'
import { BodyParts } from './body-parts.js'
import type { BodyStream } from './body-stream.js'
import { errorReply } from './error-reply.js'
import type { NamedCredential, RequestFieldName, ResponseFields } from './exchange.js'
import type { RequestHead } from './request-head.js'
import { requestIdOf } from './request-id.js'
import { NO_FIELDS } from './response-fields.js'

/** The part of an exchange that both engines have. */
export abstract class PendingExchange {
  replied = false
  status = 0
  bodyBytes = 0
  heldMs = 0
  operation = 'none'
  credential: NamedCredential | undefined
  aborted = false
  onAborted: (() => void) | undefined
  protected closing = false
  protected left = false
  protected parts: BodyParts | BodyStream | undefined
  /** The handler has asked to let the body wait. */
  protected isBodyKept = false
  protected controller: AbortController | undefined
  protected added: ResponseFields = NO_FIELDS
  private id = ''

  constructor(protected readonly head: RequestHead) {}

  protected abstract get bodies(): BodyBudget

  get requestId(): string {
    if (this.id === '') this.id = requestIdOf(this.head.fields['x-request-id'])
    return this.id
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.aborted) this.controller.abort()
    return this.controller.signal
  }

  field(name: RequestFieldName): string {
    return this.head.fields[name]
  }

  body(bytesMax: number): Promise<Uint8Array> {
    this.assertReadable()
    const parts = new BodyParts(bytesMax, this.head, this.bodies)
    this.receive(parts)
    return parts.whole
  }

  keepBody(): void {
    if (this.left || this.isBodyKept || this.parts !== undefined || !this.head.hasBody) return
    this.isBodyKept = true
    this.holdBody()
  }

  protected assertReadable(): void {
    const isInTime = !this.left || this.isBodyKept || !this.head.hasBody
    assert(isInTime && this.parts === undefined, 'the body is read once, synchronously')
  }

  /** Keeps what arrives, or lets it arrive later. */
  protected abstract holdBody(): void

  protected abstract receive(parts: BodyParts | BodyStream): void

  addFields(fields: ResponseFields): void {
    this.added = this.added.length === 0 ? fields : [...fields, ...this.added]
  }

  abstract reply(status: number, given: ResponseFields, bytes: Uint8Array): void

  /** Replies an error without calling the handler, and closes the connection. */
  refuse(error: HttpError): void {
    this.closing = true
    const { status, fields, bytes } = errorReply(error, this.requestId)
    this.reply(status, fields, bytes)
  }
}
