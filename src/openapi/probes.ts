import { UNREADY_REASONS } from '../domain/probes.js'
import type { JsonObject, OpenApiOperation } from './openapi.js'
import type { HEADERS } from './responses.js'

/** The group of the probes. */
export const PROBES_TAG = {
  name: 'Probes',
  description: 'Liveness and readiness of the service, for monitoring. No credential required.',
} as const

type HeaderName = keyof typeof HEADERS

const EVERYWHERE: readonly HeaderName[] = [
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
]

function responseOf(
  description: string,
  schema: JsonObject,
  example: JsonObject,
  names: readonly HeaderName[] = [],
): JsonObject {
  const headers = [...names, ...EVERYWHERE]
  return {
    description,
    headers: Object.fromEntries(
      headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: { 'application/json': { schema, example } },
  }
}

function statusSchema(
  status: string,
  required: JsonObject = {},
  optional: JsonObject = {},
): JsonObject {
  return {
    type: 'object',
    required: ['status', ...Object.keys(required)],
    properties: { status: { type: 'string', enum: [status] }, ...required, ...optional },
  }
}

const UNREADABLE = responseOf(
  'The request is not valid HTTP.',
  { $ref: '#/components/schemas/Error' },
  { error: 'invalid_request', message: 'The request is not well-formed HTTP/1.1.' },
)

const REASONS: JsonObject = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', enum: UNREADY_REASONS },
}

const STATE: JsonObject = {
  degraded: {
    type: 'boolean',
    enum: [true],
    description: 'Present while the database is unreachable and requests are answered from memory.',
  },
  failingWorkspaces: {
    type: 'integer',
    minimum: 1,
    description:
      'Number of workspaces that cannot be loaded at present. Absent when there is none.',
  },
}

function probe(
  operationId: string,
  texts: { readonly summary: string; readonly description: string },
  responses: Readonly<Record<string, JsonObject>>,
): OpenApiOperation {
  const tags = [PROBES_TAG.name]
  const common = { '400': UNREADABLE }
  const all = { ...responses, ...common }
  return { operationId, ...texts, tags, parameters: [], security: [], responses: all }
}

/** Path -> the probe at it. */
export const PROBES: Readonly<Record<string, OpenApiOperation>> = {
  '/livez': probe(
    'getLiveness',
    {
      summary: 'Liveness',
      description:
        'Answers while the event loop runs. A service that does not answer within seconds should ' +
        'be restarted. Never rate-limited.',
    },
    { '200': responseOf('The service is alive.', statusSchema('live'), { status: 'live' }) },
  ),
  '/readyz': probe(
    'getReadiness',
    {
      summary: 'Readiness',
      description:
        'Answers 503 while the service stops (`stopping`), when the data directory or ' +
        '`control.db` cannot be read, and when the database has been unreachable for longer than ' +
        '`--offline`. Until then the service answers from memory, and `degraded` is true. ' +
        'A workspace that is being loaded does not affect it: its ' +
        'requests wait. One that cannot be loaded is counted in `failingWorkspaces`; the others ' +
        'are served. Never rate-limited.',
    },
    {
      '200': responseOf('The service is ready.', statusSchema('ready', {}, STATE), {
        status: 'ready',
      }),
      '503': responseOf(
        'The service is not ready, for the listed reasons.',
        statusSchema('unavailable', { reasons: REASONS }, STATE),
        { status: 'unavailable', reasons: ['stopping'] },
        ['Retry-After'],
      ),
    },
  ),
}
