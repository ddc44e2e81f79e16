import { MATCH_SCORE_MAX } from '../../limits.js'
import type { PathParameter, QueryParameter } from '../../wire/parameter-table.js'
import type { Argument } from './arguments.js'
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

function schemaOf({ parameter, description }: Argument): Schema {
  return { ...typeOf(parameter), description }
}

/** Instants in the format of the REST operations, or days. */
const INSTANT_OR_DAY = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$'

function typeOf(parameter: QueryParameter | PathParameter): Schema {
  const { example } = parameter
  switch (parameter.kind) {
    case 'integer': {
      const { min, max, fallback } = parameter
      return { type: 'integer', minimum: min, maximum: max, default: fallback }
    }
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
    case 'threshold': {
      const fallback = parameter.fallback / MATCH_SCORE_MAX
      return { type: 'number', minimum: 0, maximum: 1, default: fallback }
    }
    case 'switch':
      return { type: 'boolean', default: parameter.fallback }
    case 'instant':
      return { type: 'string', pattern: INSTANT_OR_DAY, examples: [example] }
    case 'choice': {
      const { choices, fallback } = parameter
      return { type: 'string', enum: [...choices.keys()], default: fallback }
    }
    case 'json':
      return { type: 'string', maxLength: parameter.bytesMax }
    case 'path':
      return { type: ['string', 'integer'], minLength: 1, minimum: 1, examples: [example] }
  }
}
