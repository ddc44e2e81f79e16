import type { Handler } from '../http/engine/exchange.js'
import { TickQueue } from '../http/tick-queue.js'
import type { CallParts } from '../mcp/answer-call.js'
import type { Protocol } from '../mcp/protocol.js'
import { createMcpAnswers } from '../mcp/routes.js'
import { createTools } from '../mcp/tools/tools.js'
import type { ControlStore } from '../store/control-store.js'
import type { DataDirectory } from '../store/data-directory.js'
import { WorkspacePresence } from '../store/sqlite/workspace-presence.js'
import { programVersion } from './program-version.js'
import type { ServiceOptions } from './service-options.js'

/** The parts that the endpoints share with the rest of the service. */
interface McpEndpointParts extends Pick<CallParts, 'credentials' | 'service'> {
  readonly control: ControlStore
}

/** The MCP endpoints of a data directory. @returns by path, the handler; or undefined */
export function openMcpEndpoints(
  directory: DataDirectory,
  options: ServiceOptions,
  { control, credentials, service }: McpEndpointParts,
): (path: string) => Handler | undefined {
  const { baseUrl, corsOrigins = [], answersLoopback = false, mcpAnswerChars } = options
  const { tools = createTools({ answerCharsMax: mcpAnswerChars }) } = options
  let protocol: Promise<Protocol> | undefined
  const presence = new WorkspacePresence(directory, () => performance.now())
  return createMcpAnswers({
    ...{ control, credentials, service, rateLimit: service.parts.rateLimit },
    ...{ baseUrl, corsOrigins, answersLoopback, tools, queue: new TickQueue() },
    workspaceExists: (workspaceId, uid) => presence.has(workspaceId, uid),
    protocol: () => {
      protocol ??= loadProtocol()
      return protocol
    },
  })
}

async function loadProtocol(): Promise<Protocol> {
  return (await import('../mcp/protocol.js')).createProtocol(programVersion())
}
