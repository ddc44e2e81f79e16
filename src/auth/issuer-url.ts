import type { IntegrationKind } from '../domain/integration.js'

/** What the addresses of an integration are made of. */
export interface IntegrationPlace {
  readonly workspaceId: string
  readonly kind: IntegrationKind
  readonly integrationId: string
}

/**
 * The path of a base URL, which a proxy takes away in front of every path; `''` = none.
 * @returns what asks for the base URL once, when it is known
 */
export function basePathOf(baseUrl: () => string): () => string {
  let basePath: string | undefined
  return () => {
    basePath ??= new URL(baseUrl()).pathname.replace(/\/$/, '')
    return basePath
  }
}

/** The issuer of an integration (docs/contract/credentials.md, "OAuth 2.1" and "MCP endpoint"). */
export function issuerUrl(baseUrl: string, place: IntegrationPlace): string {
  const { workspaceId, kind, integrationId } = place
  const tail = kind === 'oauth2' ? `oauth2/${integrationId}` : `mcp/${integrationId}/oauth2`
  return `${baseUrl}/v1/${workspaceId}/${tail}`
}

/** What an integration's tokens are for (RFC 8707): the MCP endpoint, or the workspace's API. */
export function resourceUrl(baseUrl: string, place: IntegrationPlace): string {
  const { workspaceId, kind, integrationId } = place
  const workspace = `${baseUrl}/v1/${workspaceId}`
  return kind === 'oauth2' ? workspace : `${workspace}/mcp/${integrationId}`
}

/** Where the metadata of a protected resource is looked for first (RFC 9728, 3.1). */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}
