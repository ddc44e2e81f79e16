import type { IntegrationPlace } from '../auth/issuer-url.js'

/** What a path below an issuer is. */
export type Endpoint = 'metadata' | 'authorize' | 'token' | 'revoke' | 'register'

/** An integration and one of its endpoints, as a path names them; whether they exist is open. */
export interface IssuerPath extends IntegrationPlace {
  readonly endpoint: Endpoint
}

const WELL_KNOWN = '/\\.well-known/(?:oauth-authorization-server|openid-configuration)'
const ISSUER = '/v1/([-\\w]{1,128})/(?:oauth2/([-\\w]{1,128})|mcp/([-\\w]{1,128})/oauth2)'

const BELOW = new RegExp(`^${ISSUER}(?:/(authorize|token|revoke|register)|${WELL_KNOWN})$`)
const INSERTED = new RegExp(`^${WELL_KNOWN}(.*?)${ISSUER}$`)

/**
 * What a path of an authorization server names. Its metadata is looked for at three places: with
 * the well-known part in front of the issuer's path (RFC 8414, 3.1), and, as OpenID Connect has it,
 * behind; under either name.
 * @param basePath the path of the base URL, without a slash at its end; `''` when it has none. A
 *   proxy that takes it away does so behind the well-known part or not at all.
 */
export function issuerPathOf(path: string, basePath: string): IssuerPath | undefined {
  // Every read passes here: two look-ups in the path, and no expression is started.
  if (!path.includes('/oauth2', 4)) return undefined
  const below = BELOW.exec(path)
  if (below !== null) return issuerPath(below.slice(1), (below[4] as Endpoint) ?? 'metadata')
  const inserted = path.startsWith('/.well-known/') ? INSERTED.exec(path) : null
  if (inserted === null || (inserted[1] !== '' && inserted[1] !== basePath)) return undefined
  return issuerPath(inserted.slice(2), 'metadata')
}

function issuerPath(
  [workspaceId = '', forRest, forMcp]: readonly string[],
  endpoint: Endpoint,
): IssuerPath {
  const kind = forRest === undefined ? 'mcp' : 'oauth2'
  return { workspaceId, kind, integrationId: forRest ?? forMcp ?? '', endpoint }
}
