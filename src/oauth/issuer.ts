import { findActiveIntegration, type IntegrationSource } from '../auth/active-integration.js'
import { type IntegrationPlace, issuerUrl, resourceUrl } from '../auth/issuer-url.js'
import { scopesOf } from '../auth/selection.js'
import type { Scope } from '../domain/key-scope.js'
import type { IntegrationRow } from '../store/integration-rows.js'
import type { Work } from '../store/work.js'
import { OAuthError } from './oauth-error.js'

/** The authorization server of one active integration. */
export interface Issuer {
  readonly integration: IntegrationRow
  /** The issuer identifier; its endpoints are below it. */
  readonly url: string
  /** The resource its tokens are for (RFC 8707). */
  readonly resource: string
  /** The scopes that the integration permits. */
  readonly scopes: readonly Scope[]
  /** Version of control data, at the latest, when the integration was read. */
  readonly dataVersion: string
}

/** The source of issuers. */
export interface IssuerSource extends IntegrationSource {
  readonly baseUrl: () => string
}

/** The issuer of a path; undefined when there is no such active integration. */
export function* findIssuer(
  source: IssuerSource,
  path: IntegrationPlace,
): Work<Issuer | undefined> {
  const dataVersion = source.control.dataVersion()
  const integration = yield* findActiveIntegration(source, path)
  if (integration === undefined) return undefined
  const baseUrl = source.baseUrl()
  return {
    integration,
    url: issuerUrl(baseUrl, path),
    resource: resourceUrl(baseUrl, path),
    scopes: scopesOf(integration.scopes),
    dataVersion,
  }
}

/**
 * The issuer read again after a body has arrived, which may have taken long.
 * @throws OAuthError `invalid_client` when it was deactivated or deleted meanwhile
 */
export function* issuerNow(source: IssuerSource, found: Issuer): Work<Issuer> {
  const { workspaceId, workspaceUid, kind, id } = found.integration
  const { control } = source
  const isRead = control.noticesAtOnce && found.dataVersion === control.dataVersion()
  if (isRead && (yield* source.workspaceExists(workspaceId, workspaceUid))) return found
  const issuer = yield* findIssuer(source, { workspaceId, kind, integrationId: id })
  if (issuer !== undefined) return issuer
  throw new OAuthError('invalid_client', 'The integration is no longer active at this address.')
}

/**
 * Whether a `resource` parameter names this issuer's resource in any equivalent spelling: letters
 * of scheme and host in either case, the default port or none (RFC 8707, 2).
 */
export function isResourceOf({ resource }: Issuer, text: string): boolean {
  if (text === resource) return true
  return URL.canParse(text) && !text.includes('#') && new URL(text).href === new URL(resource).href
}
