/**
 * The closed list of errors that callers receive, and the status of each code. A code is part of
 * the API: it is never renamed and never reused for another error.
 * @see docs/contract.md, "Statuses"
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_parameter: 400,
  unknown_parameter: 400,
  repeated_parameter: 400,
  invalid_custom_schema: 400,
  invalid_cursor: 400,
  not_found: 400,
  cursor_expired: 400,
  unauthorized: 401,
  insufficient_scope: 401,
  no_such_operation: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  data_changed: 409,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  misdirected: 421,
  rate_limited: 429,
  fields_too_large: 431,
  internal: 500,
  workspace_unavailable: 503,
  store_unavailable: 503,
  budget_exceeded: 503,
} as const satisfies Record<string, number>

/** A code of {@link ERROR_STATUS}. */
export type ErrorCode = keyof typeof ERROR_STATUS

/** The fault of one parameter, for a caller that knows it by another name. */
export interface ParameterFault {
  readonly name: string
  /** Continues the sentence after the name: "must be …, not …". */
  readonly what: string
  /** A valid value, before it is encoded. */
  readonly example: string
}

/** Names and values of response fields; see {@link Exchange.addFields}. */
type Fields = readonly (readonly [name: string, value: string])[]

const NO_FIELDS: Fields = []

/** An error that is a reply to a caller: status, JSON body and response fields. */
export abstract class HttpError extends Error {
  /** In addition to those that every response has. */
  readonly fields: Fields
  /** Whether no cache may store the reply. */
  readonly isSecret: boolean = false

  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions & { readonly fields?: Fields | undefined },
  ) {
    super(message, options)
    this.fields = options?.fields ?? NO_FIELDS
  }

  /** The body, before it is rendered. */
  abstract get body(): object
}

/** Until a retry is worthwhile: loading a workspace takes time, a busy match soon ends. */
const RETRY_FIELDS: Readonly<Partial<Record<ErrorCode, Fields>>> = {
  workspace_unavailable: [['Retry-After', '5']],
  store_unavailable: [['Retry-After', '1']],
  data_changed: [['Retry-After', '1']],
  budget_exceeded: [['Retry-After', '1']],
}

/** The body of every error answer (docs/contract/resources.md, "Error"). */
export interface ErrorBody {
  readonly error: ErrorCode
  /** One sentence: the fault, the parameter, the allowed values. */
  readonly message: string
}

/** Options of an {@link ApiError}. */
interface ApiErrorOptions extends ErrorOptions {
  readonly fault?: ParameterFault
  readonly fields?: Fields
}

/**
 * A caller's mistake, or a temporary condition that a caller should know of. The message is one
 * sentence for the caller: the fault, the parameter, the allowed values. The cause is only logged.
 */
export class ApiError extends HttpError {
  override readonly name = 'ApiError'
  /** Absent when no single parameter is at fault. */
  readonly fault: ParameterFault | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(ERROR_STATUS[code], message, { fields: RETRY_FIELDS[code], ...options })
    this.fault = options.fault
  }

  get body(): ErrorBody {
    return { error: this.code, message: this.message }
  }
}

/**
 * A command that fails: the message is for the person at the terminal, one clear sentence that says
 * what to do next. `usage` exits with 2 (called wrongly), `failed` with 1, `late` (it exceeded its
 * time limit) with 3.
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

/** The message of a thrown value: that of an Error, else the value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
