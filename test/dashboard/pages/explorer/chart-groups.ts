import { test } from 'tap'
import { categorySums, monthSums } from '../../../../src/dashboard/pages/explorer/chart-groups.js'
import { listTransactions } from '../../../../src/query/list.js'
import { QueryCache } from '../../../../src/query/query-cache.js'
import { type Group, type GroupField, groupAt, summarize } from '../../../../src/query/summary.js'
import { inTurns } from '../../../../src/query/turns.js'
import { SAMPLE, transactionRow } from '../../../fixtures/sample-workspace.js'
import { snapshotOf } from '../../../fixtures/snapshots.js'

const FEBRUARY_MS = 1_769_904_000_000
const MARCH_MS = 1_772_323_200_000

const ROWS = [
  { bookedAt: MARCH_MS, amountUnscaled: 500, categoryId: 2, parentCategoryId: 1 },
  { bookedAt: FEBRUARY_MS, amountUnscaled: -200, categoryId: 1 },
  { bookedAt: null, amountUnscaled: -900, categoryId: null },
  { bookedAt: FEBRUARY_MS, amountUnscaled: 700, categoryId: 3 },
  { bookedAt: FEBRUARY_MS, amountUnscaled: 100, currency: 'USD' },
]

/** The groups of one currency. */
async function groupsBy(field: GroupField, currency: string): Promise<Group[]> {
  const transactions = ROWS.map((row, i) => transactionRow(i + 1, 1, row))
  const snapshot = snapshotOf({ ...SAMPLE, transactions })
  const query = { order: 'desc', sortBy: '_id', currency } as const
  const listing = listTransactions(snapshot, new QueryCache(), query, {})
  const signal = new AbortController().signal
  const summary = await inTurns(
    summarize({ snapshot, listing, groupBy: [field], withDates: true }),
    { signal },
  )
  return Array.from({ length: summary.groups.count }, (_, place) => groupAt(summary, place))
}

test('months of one currency ascend, rows without a date last', async (t) => {
  t.same(monthSums(await groupsBy('month', 'EUR')), [
    { key: '2026-02', count: 2, incoming: 700_000n, outgoing: -200_000n },
    { key: '2026-03', count: 1, incoming: 500_000n, outgoing: 0n },
    { key: null, count: 1, incoming: 0n, outgoing: -900_000n },
  ])
  t.same(monthSums(await groupsBy('month', 'CHF')), [])
})

test('broad categories of one currency descend by turnover', async (t) => {
  t.same(categorySums(await groupsBy('parentCategory', 'EUR')), [
    { key: null, count: 1, incoming: 0n, outgoing: -900_000n },
    { key: 1, count: 2, incoming: 500_000n, outgoing: -200_000n },
    { key: 3, count: 1, incoming: 700_000n, outgoing: 0n },
  ])
})
