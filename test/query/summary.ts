import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { currencyDimension, type Dimension } from '../../src/query/dimension.js'
import { listTransactions } from '../../src/query/list.js'
import { segmentsOfListing } from '../../src/query/listing.js'
import { QueryCache } from '../../src/query/query-cache.js'
import {
  type Group,
  type GroupField,
  groupAt,
  orderedGroups,
  type Summary,
  summarize,
  summarizeBy,
  summaryBytes,
} from '../../src/query/summary.js'
import { inTurns } from '../../src/query/turns.js'
import { hashOf } from '../../src/snapshot/counterparts.js'
import type { TransactionRow } from '../../src/store/columns.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveList } from '../fixtures/naive.js'
import { naivelySorted, naiveSummary } from '../fixtures/naive-summary.js'
import { searchQueries } from '../fixtures/queries.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf, lives, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

const signal = new AbortController().signal

const FIELDS: readonly GroupField[] = [
  ...(['day', 'month', 'quarter', 'year', 'category', 'parentCategory'] as const),
  ...(['account', 'counterpart', 'direction'] as const),
]

/** Every choice of up to two fields, in either order. */
const GROUPINGS: readonly (readonly GroupField[])[] = [
  [],
  ...FIELDS.map((field) => [field]),
  ...FIELDS.flatMap((field) =>
    FIELDS.filter((other) => other !== field).map((other) => [field, other]),
  ),
]

/** Spellings that are equal in their first normal form, and names that are hard to order. */
const NAMES = ['Müller', 'MULLER', 'Mu\u0308ller', 'muller', 'Mueller', 'Straße', 'STRASSE', '']
const HARD_NAMES = ['\uffee', '😀', ' muller', '\u0308', 'İ', 'z', 'Z']

const named = workspaceRows({ maxLength: 60 }).chain((workspace) => {
  const { length } = workspace.transactions
  const names = fc.array(fc.constantFrom(...NAMES, ...NAMES, ...HARD_NAMES, null), {
    minLength: length,
    maxLength: length,
  })
  return names.map((drawn): WorkspaceRows => {
    const transactions = workspace.transactions.map((row, i) => ({
      ...row,
      counterpartName: drawn[i] ?? null,
    }))
    return { ...workspace, transactions }
  })
})

const orders = fc.record({
  sortBy: fc.constantFrom('net' as const, 'in' as const, 'out' as const, 'count' as const),
  order: fc.constantFrom('asc' as const, 'desc' as const),
})

const cases = named.chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: fc.option(lives, { nil: undefined }),
    search: searchQueries(workspace),
    isAll: fc.boolean(),
    withDates: fc.boolean(),
    groupings: fc.subarray([...GROUPINGS], { minLength: 6, maxLength: 12 }),
    order: orders,
    rowsAtOnce: fc.constantFrom(1, 1_000, 100_000),
    // Each possible group has a bin, or a bit, or keys are sorted.
    limits: fc.constantFrom(
      undefined,
      { binsMin: 0, binsARow: 0, bitsARow: 100_000 },
      { binsMin: 0, binsARow: 0, bitsARow: 0 },
    ),
  }),
)

const NO_DATES = { firstBookedMs: undefined, lastBookedMs: undefined }

function groupsOf(summary: Summary): Group[] {
  return Array.from({ length: summary.groups.count }, (_, place) => groupAt(summary, place))
}

test('groups add up to the sums of their rows, for any filter, search and history', async (t) => {
  let groupCount = 0
  const grouped = new Set<string>()
  await assertProperty(
    fc.asyncProperty(cases, async (given) => {
      const { workspace, life, search, isAll, groupings, order, rowsAtOnce, limits } = given
      const { withDates } = given
      const snapshot =
        life === undefined ? indexedSnapshotOf(workspace) : snapshotAfter(workspace, life)
      const { query, bounds } = isAll
        ? { query: { order: 'desc', sortBy: '_id' } as const, bounds: {} }
        : search
      const rows = naiveList(workspace, query, bounds)
      const listing = listTransactions(snapshot, new QueryCache(), query, bounds)
      for (const groupBy of groupings) {
        const limited = limits === undefined ? {} : { limits }
        const { accountCodes: visibleCodes } = bounds
        const request = { snapshot, listing, groupBy, visibleCodes, withDates, ...limited }
        const summary = await inTurns(summarize(request), { signal, rowsAtOnce })
        const dated = naiveSummary(rows, workspace, groupBy)
        const expected = withDates ? dated : dated.map((group) => ({ ...group, ...NO_DATES }))
        assert.deepEqual(groupsOf(summary), expected, groupBy.join())
        const places = await inTurns(orderedGroups(summary, order), { signal, rowsAtOnce })
        const sorted = [...places].map((place) => groupAt(summary, place))
        assert.deepEqual(sorted, naivelySorted(expected, order), JSON.stringify(order))
        assert.ok(summaryBytes(summary) >= expected.length * 36)
        groupCount += expected.length
        if (expected.length > 1) grouped.add(groupBy.join())
      }
    }),
    { numRuns: 300 },
  )
  t.ok(groupCount > 3_000, `${groupCount} groups`)
  t.equal(grouped.size, GROUPINGS.length, 'every choice of fields had several groups')
})

function everything(rows: WorkspaceRows, times = 1) {
  const snapshot = snapshotOf(rows)
  const query = { order: 'desc', sortBy: '_id' } as const
  const listing = listTransactions(snapshot, new QueryCache(), query, {})
  return { snapshot, listing, times }
}

/** A dimension of many possible values, few of which occur. */
function spread(factor: number): Dimension {
  return {
    size: 2 ** 31,
    valueAt: (number) => String(number),
    valueBytes: 0,
    numbersOf:
      ({ ids }) =>
      ({ ordinals, from, to }, keys, stride) => {
        for (let i = from; i < to; i++)
          keys[i - from]! += spreadOf(ids[ordinals[i]!]!, factor) * stride
      },
  }
}

function spreadOf(id: number, factor: number): number {
  return ((id % 7) * factor) % 2 ** 31
}

test('keys of more than 32 bits have several parts', async (t) => {
  const { listing } = everything(SAMPLE)
  const dimensions = [spread(987_654_321), spread(1_234_567_891)]
  const currencies = currencyDimension(segmentsOfListing(listing))
  const work = summarizeBy(listing, [...dimensions, currencies], { withDates: true })
  const summary = await inTurns(work, { signal })
  t.equal(summary.parts.length, 2)
  const groups = groupsOf(summary)
  t.equal(groups.length, 7, 'all rows are in EUR')
  const counts = new Map<string, number>()
  for (const { id } of SAMPLE.transactions) {
    const key = [spreadOf(id, 987_654_321), spreadOf(id, 1_234_567_891)].join()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  t.same(new Map(groups.map(({ values, count }) => [values.join(), count])), counts)
  const order = groups.map(({ values }) => Number(values[0]))
  t.same(
    order,
    order.toSorted((a, b) => a - b),
  )
})

function withNames(names: readonly (string | null)[], more: Partial<TransactionRow> = {}) {
  const transactions = names.map((counterpartName, i) =>
    transactionRow(i + 1, 1, { counterpartName, ...more }),
  )
  return { ...SAMPLE, transactions }
}

test('names of equal hashes are groups of their own, in one segment and in several', async (t) => {
  const byHash = new Map<number, string>()
  const pairs: string[] = []
  for (let i = 0; pairs.length < 6; i++) {
    const name = `name ${i}`
    const other = byHash.get(hashOf(name))
    if (other !== undefined) pairs.push(other, name)
    byHash.set(hashOf(name), name)
  }
  const rows = withNames([...pairs, ...pairs, ...pairs, 'another'])
  for (const deal of [[0], [0, 1], [0, 1, 2, 2], [3, 2, 1, 0, 0]]) {
    const snapshot = snapshotAfter(rows, { deal, graves: [undefined], isRenamed: false })
    t.equal(snapshot.segments.length, new Set(deal).size)
    const query = { order: 'desc', sortBy: '_id' } as const
    const listing = listTransactions(snapshot, new QueryCache(), query, {})
    const request = { snapshot, listing, groupBy: ['counterpart'] as const, withDates: true }
    const summary = await inTurns(summarize(request), { signal })
    t.same(groupsOf(summary), naiveSummary(rows.transactions, rows, ['counterpart']))
    t.equal(summary.groups.count, 7)
  }
})

test('a group has the most frequent name of one payment provider, in turns', async (t) => {
  const names = Array.from({ length: 3_000 }, (_, i) => (i % 3 === 0 ? 'frequent' : `name ${i}`))
  const rows = withNames(names, { counterpartIban: 'X1' })
  for (const deal of [[0], [0, 1, 1]]) {
    const snapshot = snapshotAfter(rows, { deal, graves: [undefined], isRenamed: false })
    const query = { order: 'desc', sortBy: '_id' } as const
    const listing = listTransactions(snapshot, new QueryCache(), query, {})
    const request = { snapshot, listing, groupBy: ['counterpart'] as const, withDates: true }
    const summary = inTurns(summarize(request), { signal, rowsAtOnce: 200 })
    t.ok(summary instanceof Promise)
    const groups = groupsOf(await summary)
    t.match(groups, [{ values: [{ name: 'frequent', iban: 'X1' }], count: 3_000 }])
  }
})

test('large sums are sorted by their last digits', async (t) => {
  const largest = 999_999_999_999_999
  const transactions = [3, 1, 2].flatMap((cents, i) =>
    Array.from({ length: 40 }, (_, j) => {
      const amountUnscaled = j === 0 ? cents : largest
      const amountScale = j === 0 ? 2 : 0
      const id = i * 40 + j + 1
      return transactionRow(id, i + 1, { amountUnscaled, amountScale })
    }),
  )
  const { snapshot, listing } = everything({ ...SAMPLE, transactions })
  const request = { snapshot, listing, groupBy: ['account'] as const, withDates: true }
  const summary = await inTurns(summarize(request), { signal })
  const places = await inTurns(orderedGroups(summary, { sortBy: 'net', order: 'asc' }), { signal })
  const ids = [...places].map((place) => groupAt(summary, place).values[0])
  t.match(ids, [{ id: 2 }, { id: 3 }, { id: 1 }])
})

test('a summary stops when its caller has disconnected', async (t) => {
  const { snapshot, listing } = everything(SAMPLE)
  const controller = new AbortController()
  for (const groupBy of [[], ['counterpart', 'day']] as const) {
    const turns = { signal: controller.signal, rowsAtOnce: 32 }
    const work = summarize({ snapshot, listing, groupBy, withDates: true })
    const summary = Promise.resolve(inTurns(work, turns))
    controller.abort(new Error('gone'))
    await t.rejects(summary, { message: 'gone' })
  }
})
