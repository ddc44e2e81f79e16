import type { McpEndpoint } from './endpoint.js'

/** The endpoint's metadata document as a protected resource (RFC 9728, 2). */
export function resourceMetadataOf({ url, issuer, scopes }: McpEndpoint): object {
  return {
    resource: url,
    authorization_servers: [issuer],
    // An empty array is not allowed; without the member a client asks for no scope.
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  }
}
