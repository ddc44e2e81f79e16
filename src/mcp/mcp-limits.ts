/**
 * Bytes of a request to an MCP endpoint. The longest call of a tool that makes sense, every
 * parameter at its longest, is a few kB; a client's description of itself comes on top.
 */
export const MCP_BODY_BYTES_MAX = 65_536

/**
 * Characters of the field names that a browser asks leave for before it sends a request. An MCP
 * client sends about a dozen fields of its own.
 */
export const CORS_FIELD_NAMES_CHARS_MAX = 1_024

/**
 * Calls of tools in one body, which may hold several messages before revision 2025-06-18. Hardly a
 * client sends more than one, and all of them are answered at once.
 */
export const MCP_BODY_CALLS_MAX = 10
