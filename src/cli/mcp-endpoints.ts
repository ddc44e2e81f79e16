import type { Handler } from '../http/engine/exchange.js'
import { TickQueue } from '../http/tick-queue.js'
import type { CallParts } from '../mcp/answer-call.js'
import type { Protocol } from '../mcp/protocol.js'
import { createMcpAnswers } from '../mcp/routes.js'
import { createTools } from '../mcp/tools/tools.js'
import type { ControlStore } from '../store/control-store.js'
import type { WorkspaceCatalog } from '../store/workspace.js'
import { programVersion } from './program-version.js'
import type { ServiceOptions } from './service-options.js'

/** The parts that the endpoints share with the rest of the service. */
interface McpEndpointParts extends Pick<CallParts, 'credentials' | 'service'> {
  readonly catalog: WorkspaceCatalog
  readonly control: ControlStore
}

/** The MCP endpoints of all workspaces. @returns the handler of a path, or undefined */
export function openMcpEndpoints(
  { catalog, control, credentials, service }: McpEndpointParts,
  options: ServiceOptions,
): (path: string) => Handler | undefined {
  const { baseUrl, corsOrigins = [], answersLoopback = false, mcpAnswerChars } = options
  const { tools = createTools({ answerCharsMax: mcpAnswerChars }) } = options
  let protocol: Promise<Protocol> | undefined
  return createMcpAnswers({
    ...{ control, credentials, service, rateLimit: service.parts.rateLimit },
    ...{ baseUrl, corsOrigins, answersLoopback, tools, queue: new TickQueue() },
    workspaceExists: (workspaceId, uid) => catalog.has(workspaceId, uid),
    protocol: () => {
      // After a failure the next request tries again: an upgrade may be replacing the files.
      protocol ??= loadProtocol().catch((error: unknown) => {
        protocol = undefined
        throw error
      })
      return protocol
    },
  })
}

async function loadProtocol(): Promise<Protocol> {
  return (await import('../mcp/protocol.js')).createProtocol(programVersion())
}
