/**
 * The endpoint of an integration, or its metadata document, which names the authorization server.
 */
export interface McpPath {
  readonly workspaceId: string
  readonly integrationId: string
  readonly document: 'endpoint' | 'metadata'
}

const WELL_KNOWN = '/\\.well-known/oauth-protected-resource'
const ENDPOINT = '/v1/([-\\w]{1,128})/mcp/([-\\w]{1,128})'

const BELOW = new RegExp(`^${ENDPOINT}(${WELL_KNOWN})?$`)
const INSERTED = new RegExp(`^${WELL_KNOWN}(.*?)${ENDPOINT}$`)

/**
 * Parses a path of the MCP endpoints; whether its endpoint exists is not checked. Clients look for
 * the metadata with the well-known part in front of the endpoint's path (RFC 9728, 3.1), some
 * behind it.
 * @param basePath the path of the base URL, without a slash at its end; `''` when it has none. A
 *   proxy that removes it does so behind the well-known part or not at all.
 */
export function mcpPathOf(path: string, basePath: string): McpPath | undefined {
  // Every read runs this: one search in the path, and no regular expression.
  if (!path.includes('/mcp/', 4)) return undefined
  const below = BELOW.exec(path)
  if (below !== null) {
    const [, workspaceId = '', integrationId = '', wellKnown] = below
    const document = wellKnown === undefined ? 'endpoint' : 'metadata'
    return { workspaceId, integrationId, document }
  }
  const inserted = path.startsWith('/.well-known/') ? INSERTED.exec(path) : null
  if (inserted === null || (inserted[1] !== '' && inserted[1] !== basePath)) return undefined
  const [, , workspaceId = '', integrationId = ''] = inserted
  return { workspaceId, integrationId, document: 'metadata' }
}
