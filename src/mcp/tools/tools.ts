import { randomBytes } from 'node:crypto'
import { getAccountsTool } from './get-accounts.js'
import { getTransactionsTool } from './get-transactions.js'
import { MaskedValues } from './masked-values.js'
import { pseudonymsOf } from './masks.js'
import type { Tool } from './tool.js'
import type { ToolOptions } from './tool-call.js'

/** Bytes of the secret behind pseudonyms: as long as the digest it keys (RFC 2104, 3). */
const SECRET_BYTES = 32

/**
 * All tools, in display order. They share the pseudonyms of counterparts, from a secret that has no
 * other purpose and ends with the process, and the values behind masks.
 */
export function createTools(options: Pick<ToolOptions, 'answerCharsMax'> = {}): readonly Tool[] {
  const names = pseudonymsOf(randomBytes(SECRET_BYTES))
  const shared = { ...options, names, maskedValues: new MaskedValues() }
  return [getTransactionsTool(shared), getAccountsTool(shared)]
}
