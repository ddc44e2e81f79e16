import { ERROR_STATUS, type ErrorCode } from '../errors.js'

/** The meaning of each code for a caller. A code without a sentence does not compile. */
const MEANING: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is malformed as a whole.',
  invalid_parameter: 'A parameter has a value that is not allowed, none, or a malformed one.',
  unknown_parameter: 'The operation has no parameter of that name.',
  repeated_parameter: 'A parameter is sent more than once.',
  invalid_custom_schema: '`customSchema` breaks one of its rules.',
  not_found:
    'No such account, transaction or category, or the credential may not see it; which of the ' +
    'two is not told.',
  unauthorized:
    'No credential, or one that is malformed, unknown, expired, revoked or of another workspace.',
  insufficient_scope: 'The credential is valid and lacks the scope of the operation.',
  no_such_operation: 'The path is no operation.',
  method_not_allowed: 'The path is an operation and the method is not GET or HEAD; see `Allow`.',
  request_timeout: 'The request did not arrive in full within the time allowed.',
  data_changed:
    'A transaction that was to be returned, or its account, has changed meanwhile; ask again.',
  body_too_large: 'The request carries a body beyond what the path accepts.',
  uri_too_long: 'The request target is too long.',
  misdirected:
    'The service listens to its own machine alone, and the field `Host` is no name of it; ' +
    'whoever runs it can name another with `--base-url`.',
  rate_limited:
    'The credential has used up its requests of this minute; `Retry-After` says when to go on.',
  fields_too_large: 'The header fields are too long.',
  internal: 'A fault of the service; its log has the details under the `X-Request-Id`.',
  workspace_unavailable: 'The workspace cannot be read at the moment; try again later.',
  budget_exceeded: 'Matching took too long; nothing is returned. Ask again with narrower filters.',
}

/** Code, status and meaning of every error, as a Markdown table. */
export function errorCodeTable(): string {
  const rows = Object.entries(MEANING).map(([code, meaning]) => {
    return `| \`${code}\` | ${ERROR_STATUS[code as ErrorCode]} | ${meaning} |`
  })
  return ['| `error` | Status | Meaning |', '|---|---|---|', ...rows].join('\n')
}
