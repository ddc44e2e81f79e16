/** The endpoint of an integration, or the document that says who gives tokens for it. */
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
 * What a path of an MCP endpoint names; whether it exists is open. Its metadata is looked for with
 * the well-known part in front of the endpoint's path (RFC 9728, 3.1), and by some behind it.
 * @param basePath the path of the base URL, without a slash at its end; `''` when it has none. A
 *   proxy that takes it away does so behind the well-known part or not at all.
 */
export function mcpPathOf(path: string, basePath: string): McpPath | undefined {
  // Every read passes here: one look-up in the path, and no expression is started.
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
