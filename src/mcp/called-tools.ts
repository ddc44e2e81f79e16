/**
 * Names of the tools that a body calls, in order. Only the body counts: the field Mcp-Name is a
 * copy of it, which older clients do not send.
 * @param body one JSON-RPC message or, before revision 2025-06-18, an array of them
 */
export function calledTools(body: unknown): string[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.flatMap((message) => {
    if (!isObject(message) || message['method'] !== 'tools/call') return []
    const { params } = message
    if (!isObject(params)) return []
    const { name } = params
    return typeof name === 'string' ? [name] : []
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
