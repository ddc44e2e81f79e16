import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatInstant } from '../../src/instant.js'
import { type GroupSum, sumsByCategory, sumsByMonth } from '../../src/query/group-sums.js'
import { listTransactions } from '../../src/query/list.js'
import { QueryCache } from '../../src/query/query-cache.js'
import type { TransactionRow } from '../../src/store/columns.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { lives, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const signal = new AbortController().signal

const cases = workspaceRows({ maxLength: 60 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: fc.option(lives, { nil: undefined }),
    queries: fc.array(listQueries(workspace), { minLength: 1, maxLength: 6 }),
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'XXX'),
    rowsAtOnce: fc.constantFrom(1, 32, 100_000),
  }),
)

/** Plain groups, in no order. */
function naiveGroups<Key>(
  rows: readonly TransactionRow[],
  currency: string,
  keyOf: (row: TransactionRow) => Key,
): GroupSum<Key>[] {
  const own = rows.filter((row) => row.currency === currency)
  return [...new Set(own.map(keyOf))].map((key) => {
    const amounts = own
      .filter((row) => keyOf(row) === key)
      .map((row) => BigInt(row.amountUnscaled) * 10n ** BigInt(5 - row.amountScale))
    const sumIf = (isIn: (amount: bigint) => boolean): bigint =>
      amounts.filter(isIn).reduce((sum, amount) => sum + amount, 0n)
    const incoming = sumIf((amount) => amount > 0n)
    return { key, count: amounts.length, incoming, outgoing: sumIf((amount) => amount < 0n) }
  })
}

function sorted(groups: readonly GroupSum<unknown>[]): GroupSum<unknown>[] {
  return [...groups].sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1))
}

test('groups of a list add up to the sums of its rows, for any filter and history', async (t) => {
  let groupCount = 0
  await assertProperty(
    fc.asyncProperty(cases, async ({ workspace, life, queries, currency, rowsAtOnce }) => {
      const snapshot = life === undefined ? snapshotOf(workspace) : snapshotAfter(workspace, life)
      const queryCache = new QueryCache()
      for (const { query, bounds } of queries) {
        const rows = naiveList(workspace, query, bounds)
        const listing = listTransactions(snapshot, queryCache, query, bounds)
        const request = { listing, currency, signal, rowsAtOnce }
        const months = await sumsByMonth(request)
        const monthOf = ({ bookedAt }: TransactionRow): string | null =>
          bookedAt === null ? null : formatInstant(bookedAt).slice(0, 7)
        assert.deepEqual(sorted(months), sorted(naiveGroups(rows, currency, monthOf)))
        const order = months.map(({ key }) => key ?? '~')
        assert.deepEqual(order, [...order].sort())
        const categories = await sumsByCategory(request, snapshot.idDictionary)
        const broadOf = (row: TransactionRow): number | null =>
          row.parentCategoryId ?? row.categoryId
        assert.deepEqual(sorted(categories), sorted(naiveGroups(rows, currency, broadOf)))
        const turnovers = categories.map(({ incoming, outgoing }) => incoming - outgoing)
        for (const [i, turnover] of turnovers.entries()) {
          if (i > 0) assert.ok(turnover <= (turnovers[i - 1] ?? 0n))
        }
        groupCount += months.length + categories.length
      }
    }),
    { numRuns: 200 },
  )
  t.ok(groupCount > 30, `${groupCount} groups`)
})

test('grouping stops when its caller has disconnected', async (t) => {
  const controller = new AbortController()
  const everything = { order: 'desc', sortBy: '_id' } as const
  const listing = listTransactions(snapshotOf(SAMPLE), new QueryCache(), everything, {})
  const sums = sumsByMonth({
    ...{ listing, currency: 'EUR', rowsAtOnce: 32 },
    signal: controller.signal,
  })
  controller.abort(new Error('gone'))
  await t.rejects(sums, { message: 'gone' })
})
