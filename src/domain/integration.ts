/**
 * What other programs are let in by (docs/contract/credentials.md, "OAuth 2.1" and "MCP endpoint").
 */
export type IntegrationKind = 'oauth2' | 'mcp'

/** Every kind there is. */
export const INTEGRATION_KINDS: readonly IntegrationKind[] = ['oauth2', 'mcp']

/** A tool of the MCP endpoint (docs/contract/credentials.md, "MCP endpoint"). */
export type ToolName = 'get_transactions' | 'get_accounts'

/** Every tool there is, in the order they are shown. */
export const TOOL_NAMES: readonly ToolName[] = ['get_transactions', 'get_accounts']

/** Whether a client can keep a secret (RFC 6749, 2.1). */
export type ClientType = 'public' | 'confidential'

/** Every type of client there is. */
export const CLIENT_TYPES: readonly ClientType[] = ['public', 'confidential']
