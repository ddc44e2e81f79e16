import { ApiError } from '../../errors.js'
import { nearestName } from '../../text/nearest.js'
import { quote } from '../../wire/fault.js'
import type { PathParameter, QueryParameter } from '../../wire/parameter-table.js'

/** An argument of a tool: a parameter of the REST operations, told to a model. */
export interface Argument {
  readonly name: string
  /** Whose values it takes. */
  readonly parameter: QueryParameter | PathParameter
  /** For the model: what it selects, how it is written, what it goes with. */
  readonly description: string
}

/** What was sent, as the texts that a REST caller would send before they are encoded, by name. */
export type SentArguments = ReadonlyMap<string, string>

/** An argument that is the parameter, described as it is. */
export function argumentOf(parameter: QueryParameter | PathParameter): Argument {
  return { name: parameter.name, parameter, description: parameter.description }
}

/**
 * Reads what a model has sent into texts. What a value may be is not looked at beyond its type,
 * which is taken generously: a number or switch may come as text, an id or text as a number.
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

/** @throws ApiError when the value is of another type, or no text at all */
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
  reference: 'text',
  json: 'text',
  path: 'text or a whole number',
}

/** A day is its first instant. */
function instantText(text: string): string {
  return DAY.test(text) ? `${text}T00:00:00.000Z` : text
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function unknownArgument(known: readonly Argument[], name: string): ApiError {
  const names = known.map((argument) => argument.name)
  const nearest = nearestName(name, names)
  const advice =
    nearest === undefined ? `the arguments are ${names.join(', ')}` : `did you mean ${nearest}?`
  return new ApiError('unknown_parameter', `There is no argument ${quote(name)}: ${advice}`)
}

/** What is wrong with an argument, and a right example of it. @param what goes on from its name */
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
 * What a model is told of an error: where the REST operation found fault with a parameter, the
 * argument that it came from is named instead.
 * @param nameOf the argument that was sent as a parameter of the operation
 */
export function toldText(error: ApiError, nameOf: (parameter: string) => string): string {
  const { fault, message } = error
  return fault === undefined ? message : faultText({ ...fault, name: nameOf(fault.name) })
}
