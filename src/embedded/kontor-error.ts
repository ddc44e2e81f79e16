import { ApiError, type ErrorCode, messageOf } from '../errors.js'

/** An error of a call, with the code that REST would answer (docs/contract.md, "Statuses"). */
export class KontorError extends Error {
  override readonly name: string = 'KontorError'

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The error for the program. */
export function errorFor(error: unknown): KontorError {
  if (error instanceof KontorError) return error
  const code: ErrorCode = error instanceof ApiError ? error.code : 'internal'
  // Where REST leaves the reason to its log, it is the cause.
  const reason = error instanceof ApiError ? (error.cause ?? error) : error
  return new KontorError(code, messageOf(reason), { cause: error })
}

/** The error of a call of what is closed, and of one that was under way. */
export function closedError(what: string): KontorError {
  return new KontorError('workspace_unavailable', `${what} is closed.`)
}
