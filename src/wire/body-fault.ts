import { ApiError, type ErrorCode } from '../errors.js'
import { nearestName } from '../text/nearest.js'
import { quote } from './fault.js'

/** A member of a JSON body, as messages describe it. */
export interface BodyMember {
  /** Continues "must be". */
  readonly expected: string
  /** A right value, as JSON. */
  readonly example: string
}

/**
 * The error for one member of a JSON body, with a right example.
 * @param path `queries[3].amount`   @param what continues the sentence after it: "must be …, not …"
 */
export function bodyFault(
  path: string,
  { example }: Pick<BodyMember, 'example'>,
  what: string,
  code: ErrorCode = 'invalid_parameter',
): ApiError {
  const name = lastName(path)
  const shown = name === undefined ? example : `"${name}": ${example}`
  return new ApiError(code, `${path} ${what}; for example ${shown}`)
}

/**
 * The error for a member that an object of a JSON body does not have.
 * @param holder path of the object, `''` = the body   @param members those that it has
 */
export function unknownMember(
  holder: string,
  name: string,
  members: Readonly<Record<string, BodyMember>>,
): ApiError {
  const names = Object.keys(members)
  const nearest = nearestName(name, names)
  const example = nearest === undefined ? undefined : members[nearest]?.example
  const advice =
    example === undefined
      ? `the members are ${names.join(', ')}`
      : `did you mean ${nearest}, as in "${nearest}": ${example}?`
  const where = holder === '' ? 'the body' : holder
  return new ApiError('unknown_parameter', `Unknown member ${quote(name)} of ${where}: ${advice}`)
}

/** A value of a JSON body in a message: no longer than a few words, whatever the value is. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** The name that a path ends with; undefined when it ends with a place in a list. */
function lastName(path: string): string | undefined {
  return path.endsWith(']') ? undefined : path.slice(path.lastIndexOf('.') + 1)
}
