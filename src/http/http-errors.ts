import type { Scope } from '../domain/key-scope.js'
import { ApiError } from '../errors.js'
import { bearerChallenge } from '../wire/bearer-challenge.js'
import { quote } from '../wire/fault.js'

/** 401 with a challenge, the value of WWW-Authenticate (RFC 6750, 3). */
export function unauthorized(message: string, challenge: string): ApiError {
  return new ApiError('unauthorized', message, { fields: [['WWW-Authenticate', challenge]] })
}

/** 401 for a credential that is not valid here; the reason is not disclosed. */
export function unknownCredential(): ApiError {
  return unauthorized(
    'The credential is unknown, expired, revoked, or belongs to another workspace.',
    bearerChallenge({ reason: 'invalid_token' }),
  )
}

/** 401 for a valid credential that lacks the operation's scope. */
export function insufficientScope(scope: Scope): ApiError {
  const message = `The credential is valid but lacks the required scope ${scope}.`
  const challenge = bearerChallenge({ reason: 'insufficient_scope', scope })
  return new ApiError('insufficient_scope', message, { fields: [['WWW-Authenticate', challenge]] })
}

/** 429 for a credential that used up its requests. @param resetSeconds to the next window */
export function rateLimited(resetSeconds: number): ApiError {
  const message = `Too many requests with this credential; try again in ${resetSeconds} seconds.`
  return new ApiError('rate_limited', message, { fields: [['Retry-After', String(resetSeconds)]] })
}

/** 415 for a body of another media type than JSON. @param contentType as sent, `''` = absent */
export function unsupportedType(contentType: string): ApiError {
  const sent = contentType === '' ? 'is absent' : `is ${quote(contentType)}`
  const message = `The Content-Type must be application/json; it ${sent}.`
  return new ApiError('unsupported_media_type', message)
}

/** 405. @param allowed the methods that are answered, as the field Allow lists them */
export function methodNotAllowed(message: string, allowed: string): ApiError {
  return new ApiError('method_not_allowed', message, { fields: [['Allow', allowed]] })
}
