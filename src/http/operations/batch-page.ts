import type { TransactionBounds } from '../../query/transaction-query.js'
import { type BatchQuery, batchReference } from '../../wire/batch-query.js'
import type { OperationContext, OperationResult } from '../operation.js'
import { refuseChanged, renderMatches } from './match-page.js'

/**
 * The answer to a batch match: for each query, in order, the first page of its match, rendered as
 * soon as it is ranked. Rejects with ApiError as a match does.
 */
export async function batchPage(
  context: OperationContext,
  query: BatchQuery,
  bounds: TransactionBounds,
): Promise<OperationResult> {
  const { queries, filters, scoreMin, limit, explain } = query
  const page = { filters, bounds, scoreMin, limit, explain, offset: 0 }
  const entries: Uint8Array[] = []
  await context.rankBatch({
    count: queries.length,
    requestOf: (place) => {
      const asked = queries[place]! // place < count
      return { ...page, reference: batchReference(asked, place), expected: asked.expected }
    },
    take: (place, ranking) => {
      const { id } = queries[place]! // place < count
      const before = `${place === 0 ? '[' : ','}{"id":${JSON.stringify(id)},"matches":`
      const after = `,"total":${ranking.total}}`
      refuseChanged(context.snapshot, context.current(), ranking.matches)
      const matches = renderMatches(context, query, ranking.matches)
      // Copied: the bytes are valid until the next page is rendered.
      entries[place] = Buffer.concat([Buffer.from(before), matches, Buffer.from(after)])
    },
  })
  return { bytes: Buffer.concat([...entries, CLOSE_ARRAY]) }
}

const CLOSE_ARRAY = Buffer.from(']')
