import { findActiveIntegration, type IntegrationSource } from '../auth/active-integration.js'
import {
  type IntegrationPlace,
  issuerUrl,
  resourceMetadataUrl,
  resourceUrl,
} from '../auth/issuer-url.js'
import { scopesOf, toolsOf } from '../auth/selection.js'
import { SCOPES, type Scope } from '../domain/key-scope.js'
import type { IntegrationRow } from '../store/integration-rows.js'
import { whenKnown } from '../when-known.js'
import type { McpPath } from './mcp-path.js'
import type { Tool } from './tools/tool.js'

/** The MCP endpoint of one active integration. */
export interface McpEndpoint {
  readonly integrationId: string
  /** Its address, which is also the resource of its tokens (RFC 8707). */
  readonly url: string
  /** Of its protected-resource metadata. */
  readonly metadataUrl: string
  /** The authorization server that issues tokens for it. */
  readonly issuer: string
  /** The enabled tools whose scope the integration permits: no other can ever be called. */
  readonly tools: readonly Tool[]
  /** The scopes of its tools and no others, since clients ask for every scope listed. */
  readonly scopes: readonly Scope[]
}

/** The source of endpoints. */
export interface EndpointSource extends IntegrationSource {
  readonly baseUrl: () => string
  /** All tools of the service. */
  readonly tools: readonly Tool[]
}

/**
 * The endpoint of a path; undefined when there is no such active integration. A promise when it is
 * looked up by an engine that waits.
 */
export function findEndpoint(
  source: EndpointSource,
  { workspaceId, integrationId }: McpPath,
): McpEndpoint | undefined | Promise<McpEndpoint | undefined> {
  const place = { workspaceId, kind: 'mcp', integrationId } as const
  const found = source.control.look(() => findActiveIntegration(source, place))
  return whenKnown(found, (integration) => integration && endpointOf(source, place, integration))
}

/**
 * The endpoints of a service. Where the store is another machine, those that were found are kept
 * until credentials or integrations change: a call needs no look-up, and is answered without
 * contact as other calls are.
 */
export class McpEndpoints {
  /** By workspace and integration. */
  readonly #found = new Map<string, McpEndpoint>()
  #version = ''

  constructor(private readonly source: EndpointSource) {}

  /** See {@link findEndpoint}. */
  find(path: McpPath): McpEndpoint | undefined | Promise<McpEndpoint | undefined> {
    const { control } = this.source
    if (control.noticesAtOnce) return findEndpoint(this.source, path)
    const version = control.dataVersion()
    if (version !== this.#version) {
      this.#found.clear()
      this.#version = version
    }
    const key = `${path.workspaceId}/${path.integrationId}`
    const found = this.#found.get(key)
    if (found !== undefined) return found
    return whenKnown(findEndpoint(this.source, path), (endpoint) => {
      const isCurrent = version === control.dataVersion()
      if (endpoint !== undefined && isCurrent) this.#found.set(key, endpoint)
      return endpoint
    })
  }
}

function endpointOf(
  source: EndpointSource,
  place: IntegrationPlace,
  integration: IntegrationRow,
): McpEndpoint {
  const baseUrl = source.baseUrl()
  const url = resourceUrl(baseUrl, place)
  const chosen = toolsOf(integration.tools)
  const permitted = scopesOf(integration.scopes)
  const tools = source.tools.filter(
    ({ name, scope }) => (chosen?.includes(name) ?? true) && permitted.includes(scope),
  )
  return {
    integrationId: place.integrationId,
    url,
    metadataUrl: resourceMetadataUrl(url),
    issuer: issuerUrl(baseUrl, place),
    tools,
    scopes: SCOPES.filter((scope) => tools.some((tool) => tool.scope === scope)),
  }
}
