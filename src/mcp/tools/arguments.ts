import { ApiError } from '../../errors.js'
import { MATCH_SCORE_MAX } from '../../limits.js'
import { nearestName } from '../../text/nearest.js'
import { quote } from '../../wire/fault.js'
import type { PathParameter, QueryParameter } from '../../wire/parameter-table.js'

/** An argument of a tool: a parameter of the REST operations, described for a model. */
export interface Argument {
  readonly name: string
  /** The parameter whose values it takes. */
  readonly parameter: QueryParameter | PathParameter
  /** For the model: the rows it selects, its format, the arguments it combines with. */
  readonly description: string
}

/** The values sent, by name, as the texts that a REST caller would send before encoding. */
export type SentArguments = ReadonlyMap<string, string>

/** An argument equal to the parameter, with the same description. */
export function argumentOf(parameter: QueryParameter | PathParameter): Argument {
  return { name: parameter.name, parameter, description: parameter.description }
}

/** The value that stands for an argument that was not sent; undefined = there is none. */
export function defaultOf({ parameter }: Argument): string | number | boolean | undefined {
  switch (parameter.kind) {
    case 'integer':
    case 'switch':
    case 'choice':
      return parameter.fallback
    case 'threshold':
      return parameter.fallback / MATCH_SCORE_MAX
    default:
      return undefined
  }
}

/**
 * Converts the values a model has sent to texts. Only types are checked, leniently: a number or
 * switch may come as text, an id or text as a number. `null` and the default of an argument count
 * as left out: many models send every argument.
 * @throws ApiError that names the argument and says what to send instead
 */
export function readArguments(
  known: readonly Argument[],
  input: Readonly<Record<string, unknown>>,
): SentArguments {
  const sent = new Map<string, string>()
  for (const [name, value] of Object.entries(input)) {
    const argument = known.find((candidate) => candidate.name === name)
    if (argument === undefined) throw unknownArgument(known, name)
    if (value === null) continue
    const text = textOf(argument, value)
    const fallback = defaultOf(argument)
    if (fallback === undefined || text !== String(fallback)) sent.set(name, text)
  }
  return sent
}

/** @throws ApiError when the value has another type, or is no text at all */
function textOf(argument: Argument, value: unknown): string {
  const { kind } = argument.parameter
  if (typeof value === 'string') {
    if (!LONE_SURROGATE.test(value)) return value
    throw argumentFault(argument, 'must be well-formed text, without lone surrogates')
  }
  if (typeof value === 'boolean' && kind === 'switch') return String(value)
  if (typeof value === 'number') {
    if (NUMBER_KINDS.has(kind)) return String(value)
    if (!WORDED_KINDS.has(kind) && Number.isSafeInteger(value)) return String(value)
  }
  const shown = Array.isArray(value) ? 'a list' : shownType(value)
  throw argumentFault(argument, `must be ${TYPE_WORDS[kind]}, not ${shown}`)
}

const NUMBER_KINDS: ReadonlySet<string> = new Set(['integer', 'threshold', 'amount'])
/** Kinds whose values no number looks like. */
const WORDED_KINDS: ReadonlySet<string> = new Set(['instant', 'day', 'switch'])

const LONE_SURROGATE = /\p{Surrogate}/u

function shownType(value: unknown): string {
  return typeof value === 'object' ? 'an object' : String(value)
}

const TYPE_WORDS: Readonly<Record<Argument['parameter']['kind'], string>> = {
  integer: 'a whole number',
  threshold: 'a number',
  switch: 'true or false',
  instant: 'text',
  day: 'text',
  amount: 'a decimal number',
  currency: 'text',
  accounts: 'text',
  cursor: 'text',
  choice: 'text',
  words: 'text',
  text: 'text',
  search: 'text',
  typed: 'text',
  reference: 'text',
  json: 'text',
  path: 'text or a whole number',
}

function unknownArgument(known: readonly Argument[], name: string): ApiError {
  const names = known.map((argument) => argument.name)
  const nearest = nearestName(name, names)
  const advice =
    nearest === undefined ? `the arguments are ${names.join(', ')}` : `did you mean ${nearest}?`
  return new ApiError('unknown_parameter', `Unknown argument ${quote(name)}: ${advice}`)
}

/**
 * The error for an invalid argument, with a valid example.
 * @param what continues the sentence after its name
 */
function argumentFault(argument: Argument, what: string): ApiError {
  const example = argument.parameter.example
  return new ApiError('invalid_parameter', faultText(argument, what, example))
}

/** @param example a value of the parameter, as a REST caller sends it */
function faultText({ name, parameter }: Argument, what: string, example: string): string {
  const isText = !['integer', 'threshold', 'switch'].includes(parameter.kind)
  return `${name} ${what}; for example ${name}: ${isText ? JSON.stringify(example) : example}`
}

/**
 * The text of an error for a model: where the REST operation names a parameter, this names the
 * argument it came from, with an example of the type that the schema declares.
 * @param argumentFor the argument that was sent as a parameter of the operation
 */
export function errorText(
  error: ApiError,
  argumentFor: (parameter: string) => Argument | undefined,
): string {
  const { fault, message } = error
  const argument = fault === undefined ? undefined : argumentFor(fault.name)
  if (fault === undefined || argument === undefined) return message
  return faultText(argument, fault.what, fault.example)
}
