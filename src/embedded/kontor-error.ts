import { ApiError } from '../errors.js'

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

/** The error for the program: an ApiError with its code, any other one as it is. */
export function errorFor(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  return new KontorError(error.code, error.message, { cause: error })
}
