import { HttpError } from '../errors.js'
import type { Exchange, ResponseFields } from '../http/engine/exchange.js'
import { jsonFields, NO_STORE } from '../http/engine/response-fields.js'

/**
 * The closed list of errors that clients receive, and the status of each where it is a body; those
 * of the authorization endpoint are sent in a redirect.
 * @see RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2; OpenID Connect Core, 3.1.2.6
 */
const OAUTH_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  temporarily_unavailable: 429,
  unsupported_response_type: 400,
  access_denied: 400,
  login_required: 400,
  consent_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
} as const satisfies Record<string, number>

/** A code of {@link OAUTH_ERROR_STATUS}. */
export type OAuthErrorCode = keyof typeof OAUTH_ERROR_STATUS

/** A client's mistake. The message is one sentence without quotes or backslashes (RFC 6749). */
export class OAuthError extends HttpError {
  override readonly name = 'OAuthError'
  override readonly isSecret = true

  constructor(
    readonly code: OAuthErrorCode,
    message: string,
    { status, fields }: { readonly status?: number; readonly fields?: ResponseFields } = {},
  ) {
    super(status ?? OAUTH_ERROR_STATUS[code], message, { fields })
  }

  /** @see RFC 6749, 5.2 */
  get body(): object {
    return { error: this.code, error_description: this.message }
  }
}

/** Replies JSON that no cache may store (RFC 6749, 5.1). */
export function replySecretJson(exchange: Exchange, status: number, json: object): void {
  const fields = jsonFields(exchange.requestId, NO_STORE)
  exchange.reply(status, fields, Buffer.from(JSON.stringify(json)))
}
