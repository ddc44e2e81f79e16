import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Run } from '../../src/query/listing.js'
import { precedes, sortKeyAt } from '../../src/query/sort-key.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  dealtRows,
  naiveIds,
  type SortableRow,
  sortableSegment,
  sortings,
} from '../fixtures/dealt-rows.js'

/** The sort key of a row that is alone in its segment. */
function placeOf(row: SortableRow, sortBy: Parameters<typeof sortKeyAt>[2]) {
  const run: Run = {
    segment: sortableSegment([row]),
    ordinals: undefined,
    first: 0,
    step: 1,
    count: 1,
  }
  return sortKeyAt(run, 0, sortBy)
}

test('of two rows with keys, the one that sorts first precedes the other', async (t) => {
  assertProperty(
    fc.property(dealtRows, sortings, (lists, { sortBy, order }) => {
      const rows = lists
        .flat()
        .filter(({ bookedAt, valuedAt }) => bookedAt !== null && valuedAt !== null)
      for (const [i, row] of rows.slice(1).entries()) {
        const other = rows[i] ?? row
        const [first] = naiveIds([row, other], { sortBy, order })
        const [a, b] = [placeOf(row, sortBy), placeOf(other, sortBy)]
        assert.equal(precedes(a, b, order), first === row.id)
        assert.equal(precedes(b, a, order), first === other.id)
        assert.equal(precedes(a, a, order), false)
      }
    }),
    { numRuns: 60 },
  )
  t.pass('neighbours of 200 workspaces')
})
