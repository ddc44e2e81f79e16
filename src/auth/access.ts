import type { KeyScope, Scope } from '../domain/key-scope.js'

/** What the credential of a request may see. */
export interface Access {
  readonly workspaceId: string
  readonly scopes: ReadonlySet<Scope>
  /** Ids of the accounts it may see; null = all current and future ones. */
  readonly accountIds: ReadonlySet<number> | null
  /** Short text that differs between credentials; part of an ETag, says nothing of the secret. */
  readonly tag: string
  /** When it ends, epoch ms; Infinity = never. */
  readonly expiresAtMs: number
  readonly keyScope: KeyScope
}
