import type { IntegrationKind } from '../domain/integration.js'

/** What the addresses of an integration are made of. */
export interface IntegrationPlace {
  readonly workspaceId: string
  readonly kind: IntegrationKind
  readonly integrationId: string
}

/** The issuer of an integration (contract, "OAuth 2.1"; decisions, "Credentials"). */
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
