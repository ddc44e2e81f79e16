import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { matchWindow, windowRow } from '../../src/query/match-window.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { lives, snapshotAfter } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const cases = workspaceRows({ maxLength: 30 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: lives,
    list: listQueries(workspace),
    isFiltered: fc.boolean(),
    // Every other window is smaller than most workspaces.
    rowsMax: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 })),
  }),
)

test('the window is the newest selected rows, newest first', async (t) => {
  let cutCount = 0
  let undatedCount = 0
  assertProperty(
    fc.property(cases, ({ workspace, life, list: { query, bounds }, isFiltered, rowsMax }) => {
      const { order, sortBy, ...filters } = isFiltered ? query : { order: 'asc', sortBy: '_id' }
      const snapshot = snapshotAfter(workspace, life)
      const window = matchWindow(snapshot, new QueryCache(), { filters, bounds }, rowsMax)
      const ids = Array.from({ length: window.rows.ordinals.length }, (_, position) => {
        const { segment, ordinal } = windowRow(window, position)
        return segment.ids[ordinal]
      })
      const newest = { ...filters, sortBy: 'bookingDate', order: 'desc' } as const
      const all = naiveList(workspace, newest, bounds)
      assert.deepEqual(
        ids,
        all.slice(0, rowsMax).map(({ id }) => id),
      )
      if (all.length > rowsMax) cutCount += 1
      else if (all.some(({ bookedAt }) => bookedAt === null)) undatedCount += 1
      assert.ok(order !== undefined && sortBy !== undefined)
    }),
    { numRuns: 300 },
  )
  t.ok(cutCount > 10, `${cutCount} cut off`)
  t.ok(undatedCount > 10, `${undatedCount} whole with undated rows`)
})
