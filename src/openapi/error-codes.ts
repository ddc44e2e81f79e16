import { ERROR_STATUS, type ErrorCode } from '../errors.js'

/** The meaning of each code for a caller. A code without a sentence does not compile. */
const MEANING: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is malformed as a whole.',
  invalid_parameter:
    'A parameter, or a member of the body, has a value that is missing, malformed or not allowed.',
  unknown_parameter: 'The operation has no parameter, or its body no member, of this name.',
  repeated_parameter: 'A parameter is sent more than once.',
  invalid_custom_schema: '`customSchema` breaks one of its rules.',
  invalid_cursor: '`cursor` is malformed, or belongs to another list.',
  not_found:
    'The account, transaction or category does not exist, or the credential has no access to it; ' +
    'the answer does not say which.',
  cursor_expired:
    'The changes since `since` are not known any more, or it is no cursor of this workspace, ' +
    'credential and filter; start again without it.',
  unauthorized:
    'The credential is missing, malformed, unknown, expired, revoked or of another workspace.',
  insufficient_scope: 'The credential is valid but lacks the scope of the operation.',
  no_such_operation: 'No operation has this path.',
  method_not_allowed: 'The path does not accept this method; see `Allow`.',
  request_timeout: 'The request did not arrive in full within the time allowed.',
  data_changed: 'A matched transaction or its account changed during the request; try again.',
  body_too_large: 'The request has a body that is not allowed or too large.',
  uri_too_long: 'The request target is too long.',
  unsupported_media_type: 'The `Content-Type` of the body is not the one that the path accepts.',
  misdirected:
    'The service listens on loopback only, and the `Host` header does not match it; ' +
    'the operator can change its name with `--base-url`.',
  rate_limited:
    'The credential has used up its requests for this minute; `Retry-After` says when to ' +
    'try again.',
  fields_too_large: 'The header fields are too long.',
  internal: 'An internal error; the log of the service has the details under the `X-Request-Id`.',
  store_unavailable:
    'The database of the service is unreachable or locked, and the credential may be valid; ' +
    'try again later.',
  workspace_unavailable: 'The workspace cannot be read at the moment; try again later.',
  budget_exceeded: 'Matching took too long; nothing is returned. Try again with narrower filters.',
}

/** Code, status and meaning of every error, as a Markdown table. */
export function errorCodeTable(): string {
  const rows = Object.entries(MEANING).map(([code, meaning]) => {
    return `| \`${code}\` | ${ERROR_STATUS[code as ErrorCode]} | ${meaning} |`
  })
  return ['| `error` | Status | Meaning |', '|---|---|---|', ...rows].join('\n')
}
