import { ApiError } from '../errors.js'
import type { Exchange } from '../http/engine/exchange.js'
import { Form } from '../wire/form.js'
import { faultText } from './authorization-request.js'
import { OAuthError } from './oauth-error.js'

/** Bytes of a form or a registration: a dozen redirect URIs, and a hundred times a token. */
export const OAUTH_BODY_BYTES_MAX = 16_384

/** The media type of a Content-Type field, in lower case and without its parameters. */
function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

/**
 * The body of a request. To be called in the synchronous part of the handler. Rejects with
 * OAuthError `invalid_request`, with status 415 when it is of another type and 413 when it is too
 * long.
 */
export async function readBody(exchange: Exchange, mediaType: string): Promise<Uint8Array> {
  if (mediaTypeOf(exchange.field('content-type')) !== mediaType) {
    const message = `The Content-Type must be ${mediaType}.`
    throw new OAuthError('invalid_request', message, { status: 415 })
  }
  try {
    return await exchange.body(OAUTH_BODY_BYTES_MAX)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'body_too_large') throw error
    const message = `The body is longer than ${OAUTH_BODY_BYTES_MAX} bytes.`
    throw new OAuthError('invalid_request', message, { status: 413 })
  }
}

/** The form in the body of a request, its parameters not validated. Rejects likewise. */
export async function readFormBody(exchange: Exchange): Promise<Form> {
  const bytes = await readBody(exchange, 'application/x-www-form-urlencoded')
  // A form has no byte past ASCII; one is refused as the latin1 character it becomes here.
  return new Form(Buffer.from(bytes).toString('latin1'))
}

/**
 * The form that a client has sent, each parameter once and none in the query. Parameters are in the
 * body alone (RFC 6749, 2.3.1): URLs are logged.
 */
export async function readClientForm(exchange: Exchange): Promise<Form> {
  if (exchange.query !== '') {
    const message = 'Parameters must be in the body, not in the URL.'
    throw new OAuthError('invalid_request', message)
  }
  const form = await readFormBody(exchange)
  const fault = form.fault('resource')
  if (fault !== undefined) throw new OAuthError('invalid_request', faultText(fault))
  return form
}

/** A required parameter of a form. @throws OAuthError `invalid_request` */
export function required(form: Form, name: string): string {
  const value = form.value(name)
  if (value !== undefined) return value
  throw new OAuthError('invalid_request', `${name} is missing from the form.`)
}
