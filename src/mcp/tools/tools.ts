import { getAccountsTool } from './get-accounts.js'
import { getTransactionsTool } from './get-transactions.js'
import type { Tool } from './tool.js'
import type { ToolOptions } from './tool-call.js'

/** Every tool there is, in the order they are shown. */
export function createTools(options: ToolOptions = {}): readonly Tool[] {
  return [getTransactionsTool(options), getAccountsTool(options)]
}
