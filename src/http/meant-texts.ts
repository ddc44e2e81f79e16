import { setTimeout as wait } from 'node:timers/promises'
import type { Suggestion } from '../domain/suggestion.js'
import { ApiError } from '../errors.js'
import { callOperation, type OperationCaller } from './call-operation.js'
import { operationOfId } from './operations/table.js'

/**
 * Milliseconds that an answer without hits waits for suggestions; the first ones of a workspace
 * take longer, and are there for the next answer.
 */
const MEANT_WAIT_MS = 500

/**
 * The texts that may be meant by a search which found nothing, within the caller's access, the best
 * first; no names of accounts, which a search does not find. None when there are none for such a
 * text, or not yet.
 * @param query as it was searched for   @param limit 1 to 20
 */
export async function meantTexts(
  caller: OperationCaller,
  query: string,
  limit: number,
): Promise<readonly Suggestion[]> {
  // Without lone surrogates, which have no percent-encoding.
  const text = Buffer.from(query).toString()
  const request = {
    ...{ operation: operationOfId('getSuggestions'), segments: [], hitsKey: '' },
    query: `query=${encodeURIComponent(text)}&limit=${limit}`,
  }
  const asked = callOperation(caller, request, (bytes) => Buffer.from(bytes).toString())
  const known = asked.then(
    ({ reading }) => {
      // Written by the operation, from a list of this type.
      const suggestions = JSON.parse(reading) as Suggestion[]
      return suggestions.filter(({ kind }) => kind !== 'account')
    },
    (error: unknown) => {
      if (error instanceof ApiError) return []
      throw error
    },
  )
  const waiting = new AbortController()
  try {
    return await Promise.race([known, wait(MEANT_WAIT_MS, [], { signal: waiting.signal })])
  } finally {
    waiting.abort()
  }
}
