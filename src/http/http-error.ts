import type { Scope } from '../domain/key-scope.js'
import { ApiError, type ErrorCode } from '../errors.js'
import type { BearerChallenge as Challenge } from '../wire/error-json.js'
import { bearerChallenge, errorBytes } from '../wire/error-json.js'
import type { Exchange, ResponseFields } from './engine/exchange.js'

/** An ApiError together with the response fields that its status needs. */
export class HttpError extends Error {
  override readonly name = 'HttpError'

  constructor(
    readonly error: ApiError,
    readonly fields: ResponseFields,
  ) {
    super(error.message, { cause: error })
  }

  /** 401 with a challenge (RFC 6750, 3). */
  static unauthorized(message: string, challenge: Challenge): HttpError {
    const fields = [['WWW-Authenticate', bearerChallenge(challenge)]] as const
    return new HttpError(new ApiError('unauthorized', message), fields)
  }

  /** 401 for a credential that is not valid here; the reason is not disclosed. */
  static unknownCredential(): HttpError {
    return HttpError.unauthorized(
      'The credential is unknown, expired, revoked, or belongs to another workspace.',
      { reason: 'invalid_token' },
    )
  }

  /** 401 for a valid credential that lacks the operation's scope. */
  static insufficientScope(scope: Scope): HttpError {
    const message = `The credential is valid but lacks the required scope ${scope}.`
    const challenge = bearerChallenge({ reason: 'insufficient_scope', scope })
    return new HttpError(new ApiError('insufficient_scope', message), [
      ['WWW-Authenticate', challenge],
    ])
  }

  /** 429 for a credential that used up its requests. @param resetSeconds to the next window */
  static rateLimited(resetSeconds: number): HttpError {
    const message = `Too many requests with this credential; try again in ${resetSeconds} seconds.`
    const fields = [['Retry-After', String(resetSeconds)]] as const
    return new HttpError(new ApiError('rate_limited', message), fields)
  }
}

/**
 * Replies with the Error body and the fields of the error.
 * @throws `thrown`, when it is neither an ApiError nor an HttpError: the engine answers 500
 */
export function replyHttpError(exchange: Exchange, thrown: unknown): void {
  const error = thrown instanceof HttpError ? thrown.error : thrown
  if (!(error instanceof ApiError)) throw thrown
  const extra = thrown instanceof HttpError ? thrown.fields : []
  const fields: (readonly [name: string, value: string])[] = [
    ['Content-Type', 'application/json'],
    ['X-Request-Id', exchange.requestId],
    ['Cache-Control', 'private, no-cache'],
    ['X-Content-Type-Options', 'nosniff'],
    ...extra,
  ]
  const retryAfterSeconds = RETRY_AFTER_SECONDS[error.code]
  if (retryAfterSeconds !== undefined) fields.push(['Retry-After', retryAfterSeconds])
  exchange.reply(error.status, fields, errorBytes(error))
}

/** Seconds until a retry is worthwhile: loading a workspace takes time, a busy match soon ends. */
const RETRY_AFTER_SECONDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  workspace_unavailable: '5',
  data_changed: '1',
  budget_exceeded: '1',
}
