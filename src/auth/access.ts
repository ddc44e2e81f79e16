import { createHash } from 'node:crypto'
import type { IntegrationKind, ToolName } from '../domain/integration.js'
import type { KeyScope, Scope } from '../domain/key-scope.js'
import type { IntegrationRow } from '../store/integration-rows.js'
import { toolsOf } from './selection.js'

/** The data that the credential of a request may see. */
export interface Access {
  readonly workspaceId: string
  /** The workspace's file that it was created for; null = whichever file is there. */
  readonly workspaceUid: string | null
  readonly scopes: ReadonlySet<Scope>
  /** Ids of the accounts it may see; null = all current and future ones. */
  readonly accountIds: ReadonlySet<number> | null
  /** `key:12`, `mcp_key:3` or `client:ID`: names the credential in logs and authorizes nothing. */
  readonly credentialId: string
  /** {@link accessTag}: part of an ETag. */
  readonly tag: string
  /** Its expiry, epoch ms; Infinity = never. */
  readonly expiresAtMs: number
  readonly keyScope: KeyScope
  /** The key whose use is recorded; null = a token, whose use is not. */
  readonly key: KeyReference | null
}

/**
 * Short text that differs between credentials, and changes with the permissions of a credential:
 * its name, and 48 bits of a hash of `scope`. Reveals nothing of the secret.
 * @param credential names it
 * @param scope the body of GET /key/scope, or the part that may change
 */
export function accessTag(credential: string, scope: Partial<KeyScope>): string {
  const digest = createHash('sha256').update(JSON.stringify(scope)).digest('base64url')
  return `${credential}.${digest.slice(0, 8)}`
}

/** The id of a key and its table. */
export interface KeyReference {
  readonly kind: 'api' | 'mcp'
  readonly id: number
}

/** The access of a credential of an integration: an access token, or a key of its MCP endpoint. */
export interface IntegrationAccess extends Access {
  readonly integration: {
    readonly id: string
    readonly kind: IntegrationKind
    readonly name: string
    /** null = all current and future ones. */
    readonly tools: ReadonlySet<ToolName> | null
    readonly masksIbans: boolean
    readonly masksNames: boolean
  }
}

/** The part of an access that comes from its integration. */
export function integrationPart(
  row: Pick<IntegrationRow, 'id' | 'kind' | 'name' | 'tools' | 'masksIbans' | 'masksNames'>,
) {
  const { id, kind, name, masksIbans, masksNames } = row
  const tools = toolsOf(row.tools)
  return { id, kind, name, tools: tools && new Set(tools), masksIbans, masksNames }
}

/** The sender of a request. Its address is read only for a key that has a list. */
export interface Caller {
  /**
   * The peer's address as node:net writes it, plain IPv4 also when it arrived over an IPv6 socket.
   */
  readonly remoteAddress: string
}
