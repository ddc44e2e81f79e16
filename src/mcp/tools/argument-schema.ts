import type { PathParameter, QueryParameter } from '../../wire/parameter-table.js'
import { type Argument, defaultOf } from './arguments.js'
import type { ObjectSchema } from './tool.js'

type Schema = Readonly<Record<string, unknown>>

/** The schema of a tool's arguments. None is required, and no others are allowed. */
export function inputSchemaOf(known: readonly Argument[]): ObjectSchema {
  const properties = known.map((argument) => [argument.name, schemaOf(argument)] as const)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  }
}

function schemaOf(argument: Argument): Schema {
  const { parameter, description } = argument
  const fallback = defaultOf(argument)
  return {
    ...typeOf(parameter),
    ...(fallback === undefined ? {} : { default: fallback }),
    description,
  }
}

const DAY = '\\d{4}(-\\d\\d){2}'
const DAY_PATTERN = `^${DAY}$`
const INSTANT_PATTERN = `^${DAY}(T(\\d\\d:){2}\\d\\d(\\.\\d{3})?Z)?$`

function typeOf(parameter: QueryParameter | PathParameter): Schema {
  const { example } = parameter
  switch (parameter.kind) {
    case 'integer':
      return { type: 'integer', minimum: parameter.min, maximum: parameter.max }
    case 'text':
      return { type: 'string', minLength: 1, maxLength: parameter.codePointsMax }
    case 'search':
      return { type: 'string', maxLength: parameter.codePointsMax, examples: [example] }
    case 'typed':
      return {
        type: 'string',
        minLength: 1,
        maxLength: parameter.codePointsMax,
        examples: [example],
      }
    case 'reference': {
      const { codePointsMin, codePointsMax } = parameter
      const lengths = { minLength: codePointsMin, maxLength: codePointsMax }
      return { type: 'string', ...lengths, examples: [example] }
    }
    case 'threshold':
      return { type: 'number', minimum: 0, maximum: 1 }
    case 'switch':
      return { type: 'boolean' }
    case 'amount':
      return { type: ['string', 'number'], pattern: parameter.pattern }
    case 'instant':
      return { type: 'string', pattern: INSTANT_PATTERN }
    case 'currency':
    case 'accounts':
    case 'cursor':
      return { type: 'string', pattern: parameter.pattern }
    case 'day':
      return { type: 'string', pattern: DAY_PATTERN }
    case 'choice':
      return { type: 'string', enum: [...parameter.choices.keys()] }
    case 'words':
      return { type: 'string', examples: [example] }
    case 'json':
      return { type: 'string', maxLength: parameter.bytesMax }
    case 'path':
      return { type: ['string', 'integer'], minLength: 1, minimum: 1 }
  }
}
