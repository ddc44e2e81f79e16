import type { SuggestionQuery } from '../../wire/suggestion-query.js'
import type { OperationContext, OperationResult } from '../operation.js'

/** The suggestions for a text. */
export async function suggestions(
  context: OperationContext,
  query: SuggestionQuery,
): Promise<OperationResult> {
  return { bytes: Buffer.from(JSON.stringify(await context.suggest(query))) }
}
