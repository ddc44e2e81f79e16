import type { Answer } from '../http/exchange.js'
import type { CallParts } from '../mcp/answer-call.js'
import type { Protocol } from '../mcp/protocol.js'
import { createMcpAnswers } from '../mcp/routes.js'
import { createTools } from '../mcp/tools/tools.js'
import type { ControlFile } from '../store/control-file.js'
import type { DataDirectory } from '../store/data-directory.js'
import { WorkspacePresence } from '../store/workspace-presence.js'
import { programVersion } from './program-version.js'
import type { ServiceOptions } from './service.js'

/** The MCP endpoints of a data directory. @returns by path, the answer; or undefined */
export function openMcpEndpoints(
  directory: DataDirectory,
  control: ControlFile,
  options: ServiceOptions,
  parts: Omit<CallParts, 'protocol'>,
): (path: string) => Answer | undefined {
  const { baseUrl, corsOrigins = [], answersLoopback = false, mcpAnswerChars } = options
  const { tools = createTools({ answerCharsMax: mcpAnswerChars }) } = options
  let protocol: Promise<Protocol> | undefined
  const presence = new WorkspacePresence(directory, () => performance.now())
  return createMcpAnswers({
    ...parts,
    ...{ control, baseUrl, corsOrigins, answersLoopback, tools },
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
