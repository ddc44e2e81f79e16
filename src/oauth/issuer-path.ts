import type { IntegrationPlace } from '../auth/issuer-url.js'

/** All paths below an issuer. */
export const ENDPOINTS = [
  'metadata',
  'authorize',
  'token',
  'revoke',
  'register',
  'registration',
] as const

/** A path below an issuer. */
export type Endpoint = (typeof ENDPOINTS)[number]

/**
 * An integration and one of its endpoints, as a path names them; their existence is not checked.
 */
export interface IssuerPath extends IntegrationPlace {
  readonly endpoint: Endpoint
  /** The client of the registration; `''` for every other endpoint. */
  readonly clientId: string
}

const ID = '([-\\w]{1,128})'
const ISSUER = `/v1/${ID}/(?:oauth2/${ID}|mcp/${ID}/oauth2)`
// A client that finds no metadata of an MCP endpoint uses its address as the issuer's.
const ISSUER_OR_RESOURCE = `/v1/${ID}/(?:oauth2/${ID}|mcp/${ID}(?:/oauth2)?)`
const WELL_KNOWN = '/\\.well-known/(?:oauth-authorization-server|openid-configuration)'

const BELOW = new RegExp(`^${ISSUER}/(?:(authorize|token|revoke|register)|register/${ID})$`)
const BEHIND = new RegExp(`^${ISSUER_OR_RESOURCE}${WELL_KNOWN}$`)
const INSERTED = new RegExp(`^${WELL_KNOWN}(.*?)${ISSUER_OR_RESOURCE}$`)

/**
 * Parses a path of an authorization server. Its metadata is looked for at three places: with the
 * well-known part in front of the issuer's path (RFC 8414, 3.1), and, as in OpenID Connect, behind
 * it; under either name.
 * @param basePath the path of the base URL, without a slash at its end; `''` when it has none. A
 *   proxy that removes it does so behind the well-known part or not at all.
 */
export function issuerPathOf(path: string, basePath: string): IssuerPath | undefined {
  // Every read runs this: substring searches in the path, and no regular expression.
  if (!path.includes('/.well-known/')) {
    if (!path.includes('/oauth2', 4)) return undefined
    const [, ...below] = BELOW.exec(path) ?? []
    if (below.length === 0) return undefined
    const [, , , endpoint = 'registration', clientId = ''] = below
    return issuerPath(below, endpoint as Endpoint, clientId)
  }
  const [, ...behind] = BEHIND.exec(path) ?? []
  if (behind.length > 0) return issuerPath(behind, 'metadata')
  const [, before, ...inserted] = path.startsWith('/.well-known/')
    ? (INSERTED.exec(path) ?? [])
    : []
  if (inserted.length === 0 || (before !== '' && before !== basePath)) return undefined
  return issuerPath(inserted, 'metadata')
}

function issuerPath(
  [workspaceId = '', forRest, forMcp]: readonly string[],
  endpoint: Endpoint,
  clientId = '',
): IssuerPath {
  const kind = forRest === undefined ? 'mcp' : 'oauth2'
  return { workspaceId, kind, integrationId: forRest ?? forMcp ?? '', endpoint, clientId }
}
