/**
 * The closed list of what a caller can be told went wrong, and the status each code travels with.
 * A code is part of the API: it is never renamed and never reused for something else.
 * @see docs/contract.md, "Statuses"
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_parameter: 400,
  unknown_parameter: 400,
  repeated_parameter: 400,
  invalid_custom_schema: 400,
  not_found: 400,
  unauthorized: 401,
  insufficient_scope: 401,
  no_such_operation: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  data_changed: 409,
  body_too_large: 413,
  uri_too_long: 414,
  misdirected: 421,
  rate_limited: 429,
  fields_too_large: 431,
  internal: 500,
  workspace_unavailable: 503,
  budget_exceeded: 503,
} as const satisfies Record<string, number>

/** A code of {@link ERROR_STATUS}. */
export type ErrorCode = keyof typeof ERROR_STATUS

/** What is wrong with one parameter, for whoever knows it by another name. */
export interface ParameterFault {
  readonly name: string
  /** Goes on from the name: "must be …, not …". */
  readonly what: string
  /** A right value, as it is before it is encoded. */
  readonly example: string
}

/**
 * A caller's mistake, or weather a caller should know about. The message is one sentence that the
 * caller reads: what is wrong, which parameter, what is allowed. The cause goes to the log alone.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Absent when no single parameter is at fault. */
  readonly fault: ParameterFault | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions & { readonly fault?: ParameterFault },
  ) {
    super(message, options)
    this.status = ERROR_STATUS[code]
    this.fault = options?.fault
  }
}

/**
 * A command that cannot go on: the message is what the person at the terminal reads, one clear
 * sentence that says what to do next. `usage` exits with 2 (called wrongly), `failed` with 1,
 * `late` (it took longer than it was allowed to) with 3.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor(
    readonly kind: 'usage' | 'failed' | 'late',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What `error` says, whatever was thrown: the message of an Error, else the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
