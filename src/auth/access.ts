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
  /** Short text that differs between credentials; part of an ETag, says nothing of the secret. */
  readonly tag: string
  /** When it ends, epoch ms; Infinity = never. */
  readonly expiresAtMs: number
  readonly keyScope: KeyScope
  /** The key whose use is noted; null = a token, whose use is not. */
  readonly key: KeyReference | null
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
