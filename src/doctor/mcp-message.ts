import {
  type DoctorReply,
  jsonOf,
  type ParsedObject,
  type RequestOptions,
  request,
} from './request.js'

/** A revision with a handshake, which most clients speak. */
const HANDSHAKE_REVISION = '2025-11-25'

/** The first revision without one. */
const STATELESS_REVISION = '2026-07-28'

const CLIENT = { name: 'kontor doctor', version: '1' }

/** A JSON-RPC request and its header fields. */
interface McpMessage {
  readonly body: ParsedObject
  readonly headers: Readonly<Record<string, string>>
}

/** The handshake of revisions that have one. */
export function initialization(): McpMessage {
  const params = { protocolVersion: HANDSHAKE_REVISION, capabilities: {}, clientInfo: CLIENT }
  return { body: requestOf('initialize', params), headers: {} }
}

/** The first message of the first revision without a handshake. */
export function discovery(): McpMessage {
  return stateless('server/discover', {})
}

/** Requests the tools, after a handshake. */
export function listing(): McpMessage {
  return { body: requestOf('tools/list', {}), headers: AFTER_HANDSHAKE }
}

/** Calls a tool, after a handshake. */
export function calling(name: string, parameters: ParsedObject): McpMessage {
  const params = { name, arguments: parameters }
  return { body: requestOf('tools/call', params), headers: AFTER_HANDSHAKE }
}

const AFTER_HANDSHAKE = { 'MCP-Protocol-Version': HANDSHAKE_REVISION }

function stateless(method: string, params: ParsedObject): McpMessage {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    body: requestOf(method, { ...params, _meta: meta }),
    headers: { 'MCP-Protocol-Version': STATELESS_REVISION, 'Mcp-Method': method },
  }
}

function requestOf(method: string, params: ParsedObject): ParsedObject {
  return { jsonrpc: '2.0', id: 1, method, params }
}

/** Posts a message as clients do, accepting JSON and event streams. @throws NoAnswer */
export function postMcp(
  url: string,
  message: McpMessage,
  options: Pick<RequestOptions, 'credential' | 'note'>,
): Promise<DoctorReply> {
  return request(url, {
    ...options,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...message.headers,
    },
    body: JSON.stringify(message.body),
  })
}

/** The result of a reply, or undefined when it has none. */
export function resultOf({ status, headers, text, json }: DoctorReply): ParsedObject | undefined {
  if (status !== 200) return undefined
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const result = (isStream ? lastEvent(text) : json)?.['result']
  return typeof result === 'object' && result !== null ? (result as ParsedObject) : undefined
}

/** The last event of a stream: notifications come before the answer. */
function lastEvent(text: string): ParsedObject | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return jsonOf(lines.at(-1)?.slice('data:'.length) ?? '')
}
