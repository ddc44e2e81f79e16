import { ApiError } from '../../errors.js'
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

/**
 * Converts the values a model has sent to texts. Only types are checked, leniently: a number or
 * switch may come as text, an id or text as a number.
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
    const text = textOf(argument, value)
    sent.set(name, argument.parameter.kind === 'instant' ? instantText(text) : text)
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
    if (kind === 'integer' || kind === 'threshold') return String(value)
    if (kind !== 'instant' && kind !== 'switch' && Number.isSafeInteger(value)) return String(value)
  }
  const shown = value === null ? 'null' : Array.isArray(value) ? 'a list' : shownType(value)
  throw argumentFault(argument, `must be ${TYPE_WORDS[kind]}, not ${shown}`)
}

const LONE_SURROGATE = /\p{Surrogate}/u

function shownType(value: unknown): string {
  return typeof value === 'object' ? 'an object' : String(value)
}

const TYPE_WORDS: Readonly<Record<Argument['parameter']['kind'], string>> = {
  integer: 'a whole number',
  threshold: 'a number',
  switch: 'true or false',
  instant: 'text',
  choice: 'text',
  text: 'text',
  search: 'text',
  typed: 'text',
  reference: 'text',
  json: 'text',
  path: 'text or a whole number',
}

/** A day stands for its first instant. */
function instantText(text: string): string {
  return DAY.test(text) ? `${text}T00:00:00.000Z` : text
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

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
function argumentFault({ name, parameter }: Argument, what: string): ApiError {
  return new ApiError('invalid_parameter', faultText({ name, what, example: parameter.example }))
}

interface TextParts {
  readonly name: string
  readonly what: string
  readonly example: string
}

function faultText({ name, what, example }: TextParts): string {
  return `${name} ${what}; for example ${name}: ${JSON.stringify(example)}`
}

/**
 * The text of an error for a model: where the REST operation names a parameter, this names the
 * argument it came from.
 * @param nameOf the argument that was sent as a parameter of the operation
 */
export function errorText(error: ApiError, nameOf: (parameter: string) => string): string {
  const { fault, message } = error
  return fault === undefined ? message : faultText({ ...fault, name: nameOf(fault.name) })
}
