import type { IntegrationAccess } from '../../auth/access.js'
import type { ToolName } from '../../domain/integration.js'
import type { Scope } from '../../domain/key-scope.js'
import type { OperationCaller } from '../../http/call-operation.js'

/** An integration as far as the texts and answers of its tools depend on it. */
export interface ToolView {
  /** The tools that it has. */
  readonly toolNames: readonly ToolName[]
  readonly masksIbans: boolean
  readonly masksNames: boolean
}

/** The context of a call of a tool. */
export interface ToolContext extends OperationCaller {
  readonly access: IntegrationAccess
  readonly view: ToolView
}

/** The texts of a tool for a model. */
interface ToolDescription {
  readonly description: string
  readonly inputSchema: ObjectSchema
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
  readonly scope: Scope
  readonly outputSchema: ObjectSchema
  /** Names only tools that the integration has, and says which values are masked. */
  describe(view: ToolView): ToolDescription
  /**
   * Rejects with ApiError for an expected error, which the caller is shown; any other is a fault.
   */
  call(context: ToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
}
