import { createHash } from 'node:crypto'
import type { IntegrationKind, ToolName } from '../domain/integration.js'
import type { KeyScope, Scope } from '../domain/key-scope.js'

/** What the credential of a request may see. */
export interface Access {
  readonly workspaceId: string
  /** The file of the workspace that it was given for; null = of whichever is there. */
  readonly workspaceUid: string | null
  readonly scopes: ReadonlySet<Scope>
  /** Ids of the accounts it may see; null = all current and future ones. */
  readonly accountIds: ReadonlySet<number> | null
  /** `key:12`, `mcp_key:3` or `client:ID`: names the credential in logs and opens nothing. */
  readonly credentialId: string
  /** {@link accessTag}: part of an ETag. */
  readonly tag: string
  /** When it ends, epoch ms; Infinity = never. */
  readonly expiresAtMs: number
  readonly keyScope: KeyScope
  /** The key whose use is noted; null = a token, whose use is not. */
  readonly key: KeyReference | null
}

/**
 * Short text that differs between credentials, and between what one of them may see now and before:
 * 48 bits of a hash of all that it is said to be. Says nothing of the secret.
 * @param credential names it   @param scope what GET /key/scope tells, or the part that may change
 */
export function accessTag(credential: string, scope: Partial<KeyScope>): string {
  const digest = createHash('sha256').update(JSON.stringify(scope)).digest('base64url')
  return `${credential}.${digest.slice(0, 8)}`
}

/** Which key of which table. */
export interface KeyReference {
  readonly kind: 'api' | 'mcp'
  readonly id: number
}

/** What a credential of an integration may see: an access token, or a key of its MCP endpoint. */
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

/** Where a request comes from. Read when it matters, which is when a key has a list. */
export interface Caller {
  /** The peer's address as node:net writes it, IPv4 also when it came over an IPv6 socket. */
  readonly remoteAddress: string
}
