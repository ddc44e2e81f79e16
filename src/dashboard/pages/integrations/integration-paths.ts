import type { Integration } from '../../../admin/integrations.js'
import { issuerUrl, resourceUrl } from '../../../auth/issuer-url.js'
import type { IntegrationKind } from '../../../domain/integration.js'

/** The display names of the kinds. */
export const KIND_NAMES: Readonly<Record<IntegrationKind, string>> = {
  mcp: 'MCP Server',
  oauth2: 'OAuth2 Server',
}

/** The integrations of a workspace. */
export function workspaceIntegrationsPath(workspaceId: string): string {
  return `/dashboard/workspaces/${workspaceId}/integrations`
}

/** The pages of an integration; the first one shows how to connect. */
export type IntegrationView = '' | 'clients' | 'keys' | 'grants' | 'test' | 'settings'

/** A page of an integration. */
export function integrationPath(
  { id }: Pick<Integration, 'id'>,
  view: IntegrationView = '',
): string {
  return `/dashboard/integrations/${id}${view === '' ? '' : `/${view}`}`
}

/** The URLs of an integration from outside. */
export interface IntegrationUrls {
  readonly issuer: string
  /** The MCP endpoint, or the prefix of all REST operations. */
  readonly resource: string
}

/** @param baseUrl of the service, without a slash at its end */
export function urlsOf(baseUrl: string, row: Integration): IntegrationUrls {
  const place = { kind: row.kind, workspaceId: row.workspaceId, integrationId: row.id }
  return { issuer: issuerUrl(baseUrl, place), resource: resourceUrl(baseUrl, place) }
}
