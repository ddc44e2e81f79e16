import { MATCH_SCORE_MAX, REQUEST_ID_LENGTH_MAX } from '../limits.js'
import type { PathParameter, QueryParameter } from '../wire/parameter-table.js'
import type { Json, JsonObject } from './openapi.js'

/** The key of the parameter in `components.parameters`. */
export function documentKeyOf({ name, documentKey }: QueryParameter | PathParameter): string {
  return documentKey ?? name
}

/** The parameter in OpenAPI's form. */
export function openApiParameter(parameter: QueryParameter | PathParameter): JsonObject {
  const { name, description, kind } = parameter
  return {
    name,
    in: kind === 'path' ? 'path' : 'query',
    required: kind === 'path' || kind === 'reference' || kind === 'typed',
    ...(kind === 'search' || kind === 'cursor' ? { allowEmptyValue: true } : {}),
    // Separated by commas, and not a parameter for each word.
    ...(kind === 'words' ? { style: 'form', explode: false } : {}),
    description,
    schema: schemaOf(parameter),
    example: exampleOf(parameter),
  }
}

/** The example as a value of the schema's type. */
function exampleOf({ kind, example }: QueryParameter | PathParameter): Json {
  if (kind === 'switch') return example === 'true'
  if (kind === 'words') return example.split(',')
  return kind === 'integer' || kind === 'threshold' ? Number(example) : example
}

function schemaOf(parameter: QueryParameter | PathParameter): JsonObject {
  switch (parameter.kind) {
    case 'integer': {
      const { fallback, min, max } = parameter
      return { type: 'integer', format: 'int64', default: fallback, minimum: min, maximum: max }
    }
    case 'text':
    case 'typed':
      return { type: 'string', minLength: 1, maxLength: parameter.codePointsMax }
    case 'search':
      return { type: 'string', maxLength: parameter.codePointsMax }
    case 'reference': {
      const { codePointsMin, codePointsMax } = parameter
      return { type: 'string', minLength: codePointsMin, maxLength: codePointsMax }
    }
    case 'threshold': {
      const fallback = parameter.fallback / MATCH_SCORE_MAX
      return { type: 'number', default: fallback, minimum: 0, maximum: 1 }
    }
    case 'switch':
      return { type: 'boolean', ...defaultOf(parameter.fallback) }
    case 'instant':
    case 'amount':
    case 'currency':
    case 'accounts':
    case 'cursor':
      return { type: 'string', pattern: parameter.pattern }
    case 'day':
      return { type: 'string', format: 'date' }
    case 'choice': {
      const { choices, fallback } = parameter
      return { type: 'string', enum: [...choices.keys()], ...defaultOf(fallback) }
    }
    case 'words': {
      const { words, countMax } = parameter
      const items = { type: 'string', enum: words }
      return { type: 'array', minItems: 1, maxItems: countMax, uniqueItems: true, items }
    }
    case 'json':
      return { type: 'string', minLength: 2, maxLength: parameter.bytesMax }
    case 'path':
      return { type: 'string', pattern: parameter.pattern }
  }
}

function defaultOf(fallback: string | boolean | undefined): JsonObject {
  return fallback === undefined ? {} : { default: fallback }
}

/** Request header fields that every operation reads. */
export const HEADER_PARAMETERS = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an earlier answer to the same URL. If it is still current, the answer ' +
      'is 304 without a body.',
    schema: { type: 'string' },
    example: '"1f0c3a5be7d92468"',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      `A request id, 1 to ${REQUEST_ID_LENGTH_MAX} visible ASCII characters; the ` +
      'answer and the log repeat it. If absent, one is generated.',
    schema: { type: 'string', minLength: 1, maxLength: REQUEST_ID_LENGTH_MAX, pattern: '^[!-~]+$' },
    example: 'nightly-sync-42',
  },
} as const satisfies Readonly<Record<string, JsonObject>>
