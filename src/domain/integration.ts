/**
 * The kinds of access for programs (docs/contract/credentials.md, "OAuth 2.1" and "MCP endpoint").
 */
export type IntegrationKind = 'oauth2' | 'mcp'

/** All kinds. */
export const INTEGRATION_KINDS: readonly IntegrationKind[] = ['oauth2', 'mcp']

/** A tool of the MCP endpoint (docs/contract/credentials.md, "MCP endpoint"). */
export type ToolName = 'get_transactions' | 'get_accounts'

/** All tools, in display order. */
export const TOOL_NAMES: readonly ToolName[] = ['get_transactions', 'get_accounts']

/** Whether a client can keep a secret (RFC 6749, 2.1). */
export type ClientType = 'public' | 'confidential'

/** All types of client. */
export const CLIENT_TYPES: readonly ClientType[] = ['public', 'confidential']
