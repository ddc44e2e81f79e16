import { SCOPES, type Scope } from '../domain/key-scope.js'
import type { AnyOperation } from '../http/operation.js'
import { TAGS } from '../http/operations/descriptions.js'
import { OPERATIONS } from '../http/operations/table.js'
import { introduction } from './introduction.js'
import type { JsonObject, OpenApiDocument, OpenApiOperation } from './openapi.js'
import { documentKeyOf, HEADER_PARAMETERS, openApiParameter } from './parameters.js'
import { PROBES, PROBES_TAG } from './probes.js'
import { BATCH_REQUEST_BODY } from './request-bodies.js'
import { HEADERS, RESPONSES, responsesOf } from './responses.js'
import { resourceSchemas } from './schemas.js'

/** The version of the interface, not of the program (docs/contract.md, "Versioning"). */
const API_VERSION = '1.1.1'

/**
 * The OpenAPI 3.0.3 document of the REST operations. Parameters come from the tables the parsers
 * read, resource schemas from the domain types, error codes from the closed list.
 * @param baseUrl the address of the service, with or without a trailing `/`
 */
export function openApiDocument(baseUrl: string): OpenApiDocument {
  const url = baseUrl.replace(/(?<!\/)\/+$/, '')
  return {
    openapi: '3.0.3',
    info: {
      title: 'kontor: Bank Account and Transaction Read API',
      version: API_VERSION,
      description: introduction(url),
      contact: { name: 'The operator of this service', url },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url, description: 'This service' }],
    tags: [
      ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      PROBES_TAG,
    ],
    paths: Object.fromEntries([
      ...OPERATIONS.filter(({ method }) => method === 'GET').map(pathEntry),
      ...Object.entries(PROBES).map(([path, get]) => [path, { get }]),
    ]),
    components: {
      schemas: resourceSchemas(),
      parameters: parameterComponents(),
      headers: HEADERS,
      responses: RESPONSES,
      securitySchemes: securitySchemes(url),
    },
  }
}

/** The path of a GET, and its operations. */
function pathEntry(read: AnyOperation) {
  const post = OPERATIONS.find(({ method, path }) => method === 'POST' && path === read.path)
  const get = openApiOperation(read)
  return [read.path, post === undefined ? { get } : { get, post: openApiOperation(post) }] as const
}

function openApiOperation(operation: AnyOperation): OpenApiOperation {
  const { id, method, scope, pathParameters, queryParameters } = operation
  const keys = [...pathParameters, ...queryParameters].map(documentKeyOf)
  const headerKeys = Object.keys(HEADER_PARAMETERS)
  // Only a GET is answered with an entity-tag.
  const allKeys = [
    ...keys,
    ...headerKeys.filter((key) => method === 'GET' || key !== 'IfNoneMatch'),
  ]
  const needs =
    scope === undefined ? 'Requires a valid credential.' : `Requires the scope \`${scope}\`.`
  const renames = queryParameters.some(({ name }) => name === 'customSchema')
  return {
    operationId: id,
    summary: operation.summary,
    description: [operation.description, needs, ...(renames ? [CUSTOM_SCHEMA_NOTE] : [])].join(
      '\n\n',
    ),
    tags: operation.tags,
    parameters: allKeys.map((key) => ({ $ref: `#/components/parameters/${key}` })),
    ...(method === 'POST' ? { requestBody: BATCH_REQUEST_BODY } : {}),
    security: [
      { generalApiKey: [] },
      { oauthAuthorizationCode: scope === undefined ? [] : [scope] },
    ],
    responses: responsesOf(operation),
  }
}

const CUSTOM_SCHEMA_NOTE =
  'The schema below is what is returned without `customSchema`; with it, attributes have the ' +
  'names and paths that it specifies.'

/** Every parameter once, by its key. */
function parameterComponents(): Record<string, JsonObject> {
  const components: Record<string, JsonObject> = {}
  for (const { pathParameters, queryParameters } of OPERATIONS) {
    for (const parameter of [...pathParameters, ...queryParameters]) {
      components[documentKeyOf(parameter)] = openApiParameter(parameter)
    }
  }
  return { ...components, ...HEADER_PARAMETERS }
}

const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  'transactions:read': 'List and read transactions and categories.',
  'accounts:read': 'List and read accounts.',
}

function securitySchemes(url: string): Record<string, JsonObject> {
  // Placeholders without braces: the URLs of a flow are URIs (OpenAPI 3.0.3, "OAuth Flow Object").
  const path = '/v1/WORKSPACE_ID/oauth2/INTEGRATION_ID'
  const issuer = url + path
  return {
    generalApiKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key of the workspace, which starts with `sk-`: `Authorization: Bearer sk-…`. ' +
        'Create one with `kontor keys create --workspace W`.',
    },
    oauthAuthorizationCode: {
      type: 'oauth2',
      description:
        'An access token of an OAuth2 Server integration (OAuth 2.1, authorization code with ' +
        'PKCE `S256`), which starts with `at-`. Each integration is a separate issuer: ' +
        `replace \`WORKSPACE_ID\` and \`INTEGRATION_ID\` in \`${issuer}\`, as ` +
        '`kontor integrations create --type oauth2` prints it; its metadata (RFC 8414) is at ' +
        `\`${url}/.well-known/oauth-authorization-server${path}\` and names the endpoints, ` +
        `\`${issuer}/revoke\` among them. The URLs here have the same placeholders. A client ` +
        'authenticates with `client_id`, and `client_secret` if it has one, in the form; a ' +
        'refresh token can be used once.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/authorize`,
          tokenUrl: `${issuer}/token`,
          refreshUrl: `${issuer}/token`,
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_TEXT[scope]])),
        },
      },
    },
  }
}
