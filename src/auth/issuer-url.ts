import type { IntegrationKind } from '../domain/integration.js'

/** The parts of an integration's addresses. */
export interface IntegrationPlace {
  readonly workspaceId: string
  readonly kind: IntegrationKind
  readonly integrationId: string
}

/**
 * The path of a base URL, which a proxy removes from every path; `''` = none.
 * @returns a function that reads the base URL once, on its first call
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

/** The resource of an integration's tokens (RFC 8707): the MCP endpoint, or the workspace's API. */
export function resourceUrl(baseUrl: string, place: IntegrationPlace): string {
  const { workspaceId, kind, integrationId } = place
  const workspace = `${baseUrl}/v1/${workspaceId}`
  return kind === 'oauth2' ? workspace : `${workspace}/mcp/${integrationId}`
}

/** The first address at which clients look for a protected resource's metadata (RFC 9728, 3.1). */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}
