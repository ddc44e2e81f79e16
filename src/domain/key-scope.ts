import type { InstantText, ResourceId } from './account.js'

/** What a credential may do (docs/contract/credentials.md, "API key"). */
export type Scope = 'transactions:read' | 'accounts:read'

/** All scopes, in display order. */
export const SCOPES: readonly Scope[] = ['transactions:read', 'accounts:read']

/** What the credential of a request is and may see (docs/contract/resources.md, "Key scope"). */
export interface KeyScope {
  workspaceId: string
  type: 'apiKey' | 'oauth'
  scopes: Scope[]
  /** Ids of the accessible accounts; null = all current and future ones. */
  accounts: ResourceId[] | null
  name: string
  createdAt: InstantText
  expiresAt?: InstantText
  clientId?: string
  integrationId?: string
}
