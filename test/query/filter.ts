import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { predicatesOf } from '../../src/query/filter.js'
import { countsExactly, keepPassing } from '../../src/query/predicate.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const cases = workspaceRows({ maxLength: 30 })
  .filter(({ transactions }) => transactions.length > 0)
  .chain((workspace) =>
    fc.record({
      workspace: fc.constant(workspace),
      lists: fc.array(listQueries(workspace), { minLength: 2, maxLength: 8 }),
    }),
  )

/** The kinds of the predicates, except for those of accounts. */
function kindsOf(predicates: readonly { readonly key: string }[] | undefined): string[] {
  const kinds = (predicates ?? []).map(({ key }) => /^!?[a-z]/.exec(key)?.[0] ?? '')
  return kinds.filter((kind) => kind !== 'a')
}

test('which filters apply does not depend on rows that the caller cannot see', async (t) => {
  let filterCount = 0
  assertProperty(
    fc.property(cases, ({ workspace, lists }) => {
      const snapshot = snapshotOf(workspace)
      const accountCodes = [0]
      const visibleId = workspace.accounts[0]?.id
      const transactions = workspace.transactions.filter((row) => row.accountId === visibleId)
      fc.pre(transactions.length > 0)
      const alone = snapshotOf({ ...workspace, transactions })
      for (const { query, bounds } of lists) {
        const own = { ...bounds, accountCodes, visibleCodes: accountCodes }
        const [all, visible] = [snapshot, alone].map((state) =>
          kindsOf(predicatesOf(state, onlySegment(state), { query, bounds: own }, new WeakMap())),
        )
        assert.deepEqual(all, visible)
        filterCount += all?.length ?? 0
      }
    }),
    { numRuns: 200 },
  )
  t.ok(filterCount > 500, `${filterCount} filters`)
})

test('the rows that pass all predicates are those of the naive filter', async (t) => {
  assertProperty(
    fc.property(cases, ({ workspace, lists }) => {
      const snapshot = snapshotOf(workspace)
      const segment = onlySegment(snapshot)
      const passingByKey = new Map<string, string>()
      const all = lists.flatMap(({ query, bounds }) => [
        { query, bounds },
        // As for a credential that may see only these accounts.
        { query, bounds: { ...bounds, visibleCodes: bounds.accountCodes } },
      ])
      for (const { query, bounds } of all) {
        const naive = naiveList(workspace, { ...query, order: 'desc', sortBy: '_id' }, bounds)
        const predicates = predicatesOf(snapshot, segment, { query, bounds }, new WeakMap())
        const everyRow: Uint32Array = Uint32Array.from(
          { length: segment.rowCount },
          (_, row) => row,
        )
        const rows = everyRow.slice()
        let count = predicates === undefined ? 0 : rows.length
        for (const predicate of predicates ?? []) {
          const alone = everyRow.slice()
          const passing = [...alone.subarray(0, keepPassing(alone, alone.length, predicate))]
          if (countsExactly(predicate)) assert.equal(predicate.count, passing.length)
          else assert(predicate.count >= passing.length, 'never fewer than pass')
          const known = passingByKey.get(predicate.key) ?? passing.join()
          assert.equal(passing.join(), known, 'equal keys, equal rows')
          passingByKey.set(predicate.key, known)
          count = keepPassing(rows, count, predicate)
        }
        const kept: readonly number[] = [...rows.subarray(0, count)]
        const ids: number[] = kept.map((row): number => segment.ids[row] ?? -1)
        assert.deepEqual(
          ids,
          naive.map(({ id }) => id),
        )
      }
    }),
    { numRuns: 300 },
  )
  t.pass('300 workspaces')
})
