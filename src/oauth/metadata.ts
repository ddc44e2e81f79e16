import type { Issuer } from './issuer.js'

/** How a client may authenticate: as a public one, or with its secret in the form. */
const CLIENT_AUTHENTICATION_METHODS = ['none', 'client_secret_post'] as const

/** The supported grants (docs/contract/credentials.md, "OAuth 2.1", rule 2). */
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const

/** The issuer's metadata document (RFC 8414, 2; RFC 9207, 3). */
export function metadataOf({ integration, url, scopes }: Issuer): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    revocation_endpoint: `${url}/revoke`,
    ...(integration.letsRegister ? { registration_endpoint: `${url}/register` } : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION_METHODS,
    scopes_supported: scopes,
    authorization_response_iss_parameter_supported: true,
  }
}
