import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { listTransactions } from '../../src/query/list.js'
import { type Merge, materializedRun, ordinalAt } from '../../src/query/listing.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { splitRuns } from '../../src/query/split-runs.js'
import type { TransactionQuery } from '../../src/query/transaction-query.js'
import type { Segment } from '../../src/snapshot/snapshot.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { lookCounter, manyRows } from '../fixtures/counted-looks.js'
import {
  dealtRows,
  naiveIds,
  type SortableRow,
  snapshotOfSegments,
  sortableSegment,
  sortings,
} from '../fixtures/dealt-rows.js'

function mergesOf(segments: readonly Segment[], query: TransactionQuery): Merge[] {
  const listing = listTransactions(snapshotOfSegments(segments), new QueryCache(), query, {})
  return listing.parts.filter((part) => 'runs' in part)
}

/** Per run, the ids of its rows. */
function idsOfRuns({ runs }: Merge): Set<number>[] {
  return runs.map((run) => {
    const found = materializedRun(run)
    const ids = Array.from({ length: run.count }, (_, i) => run.segment.ids[ordinalAt(found, i)])
    return new Set(ids.map((id) => id ?? -1))
  })
}

function checkShares(lists: readonly (readonly SortableRow[])[], query: TransactionQuery): number {
  const merges = mergesOf(lists.map(sortableSegment), query)
  const inOrder = naiveIds(lists.flat(), query)
  for (const merge of merges) {
    const idsOfRun = idsOfRuns(merge)
    const ids = inOrder.filter((id) => idsOfRun.some((held) => held.has(id)))
    assert.equal(merge.count, ids.length)
    for (let count = 0; count <= merge.count; count++) {
      const first = ids.slice(0, count)
      const expected = idsOfRun.map((held) => first.filter((id) => held.has(id)).length)
      assert.deepEqual(splitRuns(merge, count), expected, `of the first ${count}`)
    }
  }
  return merges.length
}

test('the splits equal those counted in a sorted array, for every count', async (t) => {
  let mergeCount = 0
  assertProperty(
    fc.property(dealtRows, sortings, (lists, query) => {
      mergeCount += checkShares(lists, query)
    }),
    { numRuns: 200 },
  )
  t.ok(mergeCount > 100, `${mergeCount} merges of several runs`)
})

test('a split reads a few rows per run, whatever its length', async (t) => {
  const looks = lookCounter()
  const sizes = [100_000, 100_000, 60_000, 5_000, 30, 1]
  const segments = manyRows(sizes, 7).map((rows) => looks.counted(sortableSegment(rows)))
  let checkedCount = 0
  for (const sortBy of ['_id', 'amount', 'bookingDate', 'importDate'] as const) {
    for (const query of [
      { sortBy, order: 'desc' as const },
      { sortBy, order: 'asc' as const, importedAfterMs: 400 },
    ]) {
      for (const merge of mergesOf(segments, query)) {
        const looksMax = merge.runs.reduce((sum, run) => sum + Math.log2(run.count) + 1, 0)
        for (let i = 0; i <= 40; i++) {
          const count = Math.floor((merge.count * i) / 40)
          const before = looks.count
          const shares = splitRuns(merge, count)
          assert.equal(
            shares.reduce((sum, share) => sum + share, 0),
            count,
          )
          assert.ok(looks.count - before <= looksMax, `${looks.count - before} reads`)
          checkedCount += 1
        }
        const before = looks.count
        splitRuns(merge, 0)
        splitRuns(merge, merge.count)
        assert.equal(looks.count, before, 'none and all need no read')
      }
    }
  }
  t.ok(looks.count > checkedCount, `${looks.count} reads for ${checkedCount} counts`)
})
