import type { IntegrationAccess } from '../../auth/access.js'
import type { ToolName } from '../../domain/integration.js'
import type { Scope } from '../../domain/key-scope.js'
import type { OperationCaller } from '../../http/call-operation.js'

/** The context of a call of a tool. */
export interface ToolContext extends OperationCaller {
  readonly access: IntegrationAccess
}

/** The result of a tool, or the error in words that say what to send instead. */
export interface ToolAnswer {
  /** For a model to read; the same JSON as `structuredContent` where there is one. */
  readonly text: string
  readonly structuredContent?: Record<string, unknown>
  readonly isError: boolean
}

/** A JSON Schema whose root is an object. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

/** One tool of the MCP endpoint (docs/contract/credentials.md, "MCP endpoint"). */
export interface Tool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly scope: Scope
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  /**
   * Rejects with ApiError for an expected error, which the caller is shown; any other is a fault.
   */
  call(context: ToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
}
