/** The actions of the audit log: object and action. Words are never renamed. */
export const AUDIT_ACTIONS = [
  'api_key.create',
  'api_key.rotate',
  'api_key.revoke',
  'api_key.refuse',
  'mcp_key.create',
  'mcp_key.revoke',
  'mcp_key.refuse',
  'integration.create',
  'integration.change',
  'integration.activate',
  'integration.deactivate',
  'integration.delete',
  'client.create',
  'client.register',
  'client.activate',
  'client.deactivate',
  'client.delete',
  'operator.create',
  'operator.password',
  'operator.delete',
  'workspace.create',
  'workspace.import',
  'workspace.delete',
  'session.begin',
  'session.end',
  'authorization.request',
  'consent.decide',
  'grant.revoke',
  'code.reuse',
  'token.issue',
  'token.refresh',
  'token.reuse',
  'token.revoke',
  'audit.trim',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The author of an action, and its origin. */
export interface Actor {
  /** `cli`, `inbox`, `operator:NAME`, `client:ID`, `key:ID` or `anonymous`. */
  readonly who: string
  /** The peer's address; null = the action did not come over the network. */
  readonly address: string | null
  /** X-Request-Id of the request that caused it; null = no request did. */
  readonly requestId: string | null
}

/** The user of the command line. */
export const CLI_ACTOR: Actor = { who: 'cli', address: null, requestId: null }

/** The import folders, whose files no person sends. */
export const INBOX_ACTOR: Actor = { who: 'inbox', address: null, requestId: null }
