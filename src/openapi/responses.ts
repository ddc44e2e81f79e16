import type { AnyOperation, OperationDescription } from '../http/operation.js'
import {
  BATCH_QUERIES_MAX,
  LIST_LIMIT_MAX,
  MATCH_LIMIT_MAX,
  SUGGESTION_LIMIT_MAX,
} from '../limits.js'
import { CURSOR } from '../wire/parameter-table.js'
import { ERROR_EXAMPLES, EXAMPLES } from './examples.js'
import { type JsonObject, jsonObject } from './openapi.js'

const text: JsonObject = { type: 'string' }

/** Response header fields, for `components.headers`. */
export const HEADERS = {
  'X-Total-Count': {
    description: 'Total number of results, before `offset` and `limit`.',
    required: true,
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 20000,
  },
  'X-Next-Cursor': {
    description: 'With `cursor`: the `cursor` of the next page. Absent on the last page.',
    schema: text,
    example: 'mJ2vV0Xq3kT1sE9pAUJ3gAAAAAAAQNOHAAAAAAA',
  },
  Link: {
    description:
      'Other pages of the list (RFC 8288): `first`, `prev`, `next`, `last`, as references ' +
      'relative to this URL; with `cursor` `next` alone. Absent with `limit=0`.',
    schema: text,
    example:
      '</v1/demo/transactions?limit=100&offset=0>; rel="first", ' +
      '</v1/demo/transactions?limit=100&offset=100>; rel="next", ' +
      '</v1/demo/transactions?limit=100&offset=19900>; rel="last"',
  },
  ETag: {
    description:
      'Identifies the content of the answer. It changes with the data, the credential and the URL.',
    required: true,
    schema: text,
    example: '"1f0c3a5be7d92468"',
  },
  'X-Request-Id': {
    description: 'The id of the request, as sent or generated.',
    required: true,
    schema: text,
    example: 'nightly-sync-42',
  },
  'Cache-Control': {
    description: 'Only the client may cache the answer, and must revalidate it before each use.',
    required: true,
    schema: { type: 'string', enum: ['private, no-cache'] },
    example: 'private, no-cache',
  },
  'X-Content-Type-Options': {
    description: 'Browsers must not guess another content type.',
    required: true,
    schema: { type: 'string', enum: ['nosniff'] },
    example: 'nosniff',
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate (RFC 6750); `error` is `invalid_token` or `insufficient_scope`.',
    required: true,
    schema: text,
    example: 'Bearer realm="kontor", error="insufficient_scope", scope="accounts:read"',
  },
  'Retry-After': {
    description: 'Number of seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'RateLimit-Policy': {
    description:
      'Number of requests (`q`) that one credential may make in `w` seconds. Sent to valid ' +
      'credentials if the service limits requests, otherwise absent.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=600;w=60',
  },
  RateLimit: {
    description:
      'Number of requests left (`r`), and seconds until the limit is reset ' +
      '(`t`). Sent together with `RateLimit-Policy`.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=599;t=60',
  },
} as const satisfies Readonly<Record<string, JsonObject>>

type HeaderName = keyof typeof HEADERS

const EVERYWHERE: readonly HeaderName[] = [
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
  'RateLimit-Policy',
  'RateLimit',
]

function headers(names: readonly HeaderName[]): JsonObject {
  const all = [...names, ...EVERYWHERE]
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function failure(
  description: string,
  example: (typeof ERROR_EXAMPLES)[keyof typeof ERROR_EXAMPLES],
  names: readonly HeaderName[] = [],
): JsonObject {
  return {
    description,
    headers: headers(names),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
    },
  }
}

/** The answers that are the same for every operation, for `components.responses`. */
export const RESPONSES = {
  NotModified: {
    description: 'The content named by `If-None-Match` is still current. There is no body.',
    headers: headers(['ETag']),
  },
  BadRequest: failure(
    'The request is invalid, or the resource does not exist for this credential.',
    ERROR_EXAMPLES.badRequest,
  ),
  Unauthorized: failure(
    'The credential is missing, not valid here, or lacks the scope of the operation.',
    ERROR_EXAMPLES.unauthorized,
    ['WWW-Authenticate'],
  ),
  DataChanged: failure(
    'A matched transaction or its account changed while the matches were ' +
      'ranked. Nothing is returned; try again.',
    ERROR_EXAMPLES.conflict,
    ['Retry-After'],
  ),
  BodyTooLarge: failure('The body is too large.', ERROR_EXAMPLES.tooLarge),
  UnsupportedType: failure(
    'The `Content-Type` of the body is not `application/json`.',
    ERROR_EXAMPLES.otherType,
  ),
  TooManyRequests: failure(
    'The credential has used up its requests for this minute.',
    ERROR_EXAMPLES.tooManyRequests,
    ['Retry-After'],
  ),
  Internal: failure('Internal error.', ERROR_EXAMPLES.internal),
  Unavailable: failure(
    'The workspace cannot be read at the moment, or is still being loaded or indexed. ' +
      'Try again later.',
    ERROR_EXAMPLES.unavailable,
    ['Retry-After'],
  ),
  MatchUnavailable: failure(
    'Matching exceeded its time budget (`budget_exceeded`): try again with narrower filters. ' +
      'Or the workspace cannot be read at the moment (`workspace_unavailable`): try again later.',
    ERROR_EXAMPLES.budget,
    ['Retry-After'],
  ),
} as const satisfies Readonly<Record<string, JsonObject>>

const COMMON: Readonly<Record<string, keyof typeof RESPONSES>> = {
  '304': 'NotModified',
  '400': 'BadRequest',
  '401': 'Unauthorized',
  '429': 'TooManyRequests',
  '500': 'Internal',
  '503': 'Unavailable',
}

const OF_MATCHES: typeof COMMON = { ...COMMON, '409': 'DataChanged', '503': 'MatchUnavailable' }

const { '304': _, ...OF_UNTAGGED } = OF_MATCHES

const OF_BATCHES: typeof COMMON = {
  ...OF_UNTAGGED,
  '413': 'BodyTooLarge',
  '415': 'UnsupportedType',
}

/** How a 200 is described, and the other answers. */
const SHAPES = {
  one: { description: 'The resource.', names: ['ETag'], maxItems: 0, others: COMMON },
  list: {
    description: 'One page of the list.',
    names: ['X-Total-Count', 'Link', 'ETag'],
    maxItems: LIST_LIMIT_MAX,
    others: COMMON,
  },
  matches: {
    description: 'One page of the list.',
    names: ['X-Total-Count', 'Link', 'ETag'],
    maxItems: MATCH_LIMIT_MAX,
    others: OF_MATCHES,
  },
  entries: {
    description: 'An entry for each query, in their order.',
    names: [],
    maxItems: BATCH_QUERIES_MAX,
    others: OF_BATCHES,
  },
  suggestions: {
    description: 'The suggestions, the best first.',
    names: ['ETag'],
    maxItems: SUGGESTION_LIMIT_MAX,
    others: COMMON,
  },
} as const satisfies Readonly<Record<OperationDescription['answers'], Shape>>

interface Shape {
  readonly description: string
  readonly names: readonly HeaderName[]
  /** Of a list. */
  readonly maxItems: number
  readonly others: typeof COMMON
}

type DescribedOperation = OperationDescription & Pick<AnyOperation, 'queryParameters'>

/** The `responses` of one operation, by status. */
export function responsesOf(operation: DescribedOperation): Record<string, JsonObject> {
  const schema = { $ref: `#/components/schemas/${operation.resource}` }
  const example = jsonObject(EXAMPLES[operation.resource])
  const isList = operation.answers !== 'one'
  const { description, names, maxItems, others } = SHAPES[operation.answers]
  const hasCursor = operation.queryParameters.includes(CURSOR)
  const responses: Record<string, JsonObject> = {
    '200': {
      description,
      headers: headers(hasCursor ? [...names, 'X-Next-Cursor'] : names),
      content: {
        'application/json': isList
          ? {
              schema: { type: 'array', maxItems, items: schema },
              example: [example],
            }
          : { schema, example },
      },
    },
  }
  for (const [status, name] of Object.entries(others)) {
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return responses
}
