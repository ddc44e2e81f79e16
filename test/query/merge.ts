import fc from 'fast-check'
import { test } from 'tap'
import { listTransactions } from '../../src/query/list.js'
import { ordinalAt, pageOf } from '../../src/query/listing.js'
import { Selections } from '../../src/query/selections.js'
import { buildSegment, buildSnapshot, Codes } from '../../src/snapshot/build.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

/** A snapshot whose transactions are dealt out to segments, in no order. */
function snapshotInSegments(workspace: WorkspaceRows, segmentOf: readonly number[]): Snapshot {
  const part = (segment: number) => {
    const transactions = workspace.transactions
      .filter((_, i) => segmentOf[i % segmentOf.length] === segment)
      .toReversed()
    return {
      workspaceId: 'w',
      version: { uid: 'u', sequence: 1 },
      accounts: workspace.accounts,
      categories: workspace.categories,
      transactionCount: transactions.length,
      transactions,
    }
  }
  const codes = new Codes({ accountIds: [], categoryIds: [] })
  const segments = [...new Set(segmentOf)].map((number) => ({
    segment: buildSegment(part(number), workspace, codes),
    alive: undefined,
    text: undefined,
  }))
  return { ...buildSnapshot(part(-1)), segments }
}

const cases = workspaceRows({ maxLength: 40 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    segmentOf: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 }),
    queries: fc.array(listQueries(workspace), { minLength: 1, maxLength: 8 }),
    offset: fc.nat({ max: 45 }),
    limit: fc.nat({ max: 20 }),
  }),
)

test('how rows are dealt out to segments does not show in a list', async (t) => {
  fc.assert(
    fc.property(cases, ({ workspace, segmentOf, queries, offset, limit }) => {
      const snapshot = snapshotInSegments(workspace, segmentOf)
      const selections = new Selections()
      for (const { query, bounds } of queries) {
        const expected = naiveList(workspace, query, bounds).map((row) => row.id)
        const listing = listTransactions(snapshot, selections, query, bounds)
        t.equal(listing.total, expected.length)
        const ids = pageOf(listing, offset, limit).flatMap((run) =>
          Array.from({ length: run.count }, (_, i) => run.segment.ids[ordinalAt(run, i)]),
        )
        t.strictSame(ids, expected.slice(offset, offset + limit))
      }
    }),
    { numRuns: 400 },
  )
})
