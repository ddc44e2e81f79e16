import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { predicatesOf } from '../../src/query/filter.js'
import { keepPassing } from '../../src/query/predicate.js'
import { selectFrom } from '../../src/query/ranked-rows.js'
import { select } from '../../src/query/select.js'
import type { OrderedCodes } from '../../src/snapshot/ordered-column.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { listQueries } from '../fixtures/queries.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

/** Rows that no filter on dates, categories or counterparts selects, so that few rows pass. */
function padded(workspace: WorkspaceRows, fillerCount: number): WorkspaceRows {
  const [model] = workspace.transactions
  if (model === undefined) return workspace
  const none = { bookedAt: null, valuedAt: null, categoryId: null, parentCategoryId: null }
  const filler = Array.from({ length: fillerCount }, (_, i) => ({
    ...model,
    ...none,
    counterpartIban: null,
    id: 1_000 + i,
  }))
  return { ...workspace, transactions: [...workspace.transactions, ...filler] }
}

const cases = workspaceRows({ maxLength: 40 })
  .filter(({ transactions }) => transactions.length > 0)
  .chain((workspace) =>
    fc.record({
      workspace: fc.constantFrom(workspace, padded(workspace, 600)),
      lists: fc.array(listQueries(workspace), { minLength: 1, maxLength: 6 }),
    }),
  )

test('ordinals or bits, a selection is the rows that pass, in key order', async (t) => {
  const kinds = new Set<string>()
  assertProperty(
    fc.property(cases, ({ workspace, lists }) => {
      const snapshot = snapshotOf(workspace)
      const segment = onlySegment(snapshot)
      const keys: (OrderedCodes | undefined)[] = [undefined, segment.amounts, segment.booked]
      for (const { query, bounds } of lists) {
        const predicates = predicatesOf(snapshot, segment, { query, bounds }, new WeakMap())
        if (predicates === undefined || predicates.length === 0) continue
        for (const key of keys) {
          const walked = key?.order.slice() ?? Uint32Array.from(segment.ids, (_, row) => row)
          let count = walked.length
          for (const predicate of predicates) count = keepPassing(walked, count, predicate)
          const selection = select(segment, predicates, key)
          kinds.add(selection.kind)
          const found =
            selection.kind === 'ordinals'
              ? selection.ordinals
              : selectFrom(selection.ranked, 0, selection.ranked.count)
          assert.deepEqual([...found], [...walked.subarray(0, count)])
        }
      }
    }),
    { numRuns: 200 },
  )
  t.same([...kinds].sort(), ['bits', 'ordinals'], 'both kinds occur')
})
