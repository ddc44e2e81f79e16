import { ApiError, type ErrorCode } from '../errors.js'

/**
 * Code points of a caller's own text that an error message repeats: enough to recognize it, too few
 * to fill a log.
 */
const ECHO_CODE_POINTS_MAX = 64

/**
 * The caller's own text, quoted for a message: control characters escaped as in JSON, cut at
 * {@link ECHO_CODE_POINTS_MAX} code points.
 */
export function quote(text: string): string {
  const points = [...text.slice(0, 2 * ECHO_CODE_POINTS_MAX + 2)]
  const whole = points.length <= ECHO_CODE_POINTS_MAX
  return JSON.stringify(whole ? text : `${points.slice(0, ECHO_CODE_POINTS_MAX).join('')}…`)
}

/**
 * The error for one parameter, with a valid example.
 * @param what continues the sentence after the parameter's name: "must be …, not …"
 */
export function parameterFault(
  { name, example }: { readonly name: string; readonly example: string },
  what: string,
  code: ErrorCode = 'invalid_parameter',
): ApiError {
  const message = `${name} ${what}; for example ${name}=${encodeURI(example)}`
  return new ApiError(code, message, { fault: { name, what, example } })
}
