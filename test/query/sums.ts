import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { listTransactions } from '../../src/query/list.js'
import type { Listing } from '../../src/query/listing.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { type CurrencySum, sumsOf } from '../../src/query/sums.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveList } from '../fixtures/naive.js'
import { naiveSums } from '../fixtures/naive-sums.js'
import { listQueries } from '../fixtures/queries.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { lives, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

const NEVER_ABORTED = new AbortController().signal

/** Rows that are added up in one slice: all, or a few words of bits. */
const turns = fc.constantFrom(undefined, 1, 32, 100)

const cases = workspaceRows({ maxLength: 60 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: fc.option(lives, { nil: undefined }),
    queries: fc.array(listQueries(workspace), { minLength: 1, maxLength: 8 }),
    rowsAtOnce: turns,
    times: fc.constantFrom(1, 1, 7),
  }),
)

/** The rows repeated with new ids, so that every way of selecting is used. */
function repeated(workspace: WorkspaceRows, times: number): WorkspaceRows {
  const last = workspace.transactions.at(-1)?.id ?? 0
  const transactions = Array.from({ length: times }, (_, i) =>
    workspace.transactions.map((row) => ({ ...row, id: row.id + i * last })),
  ).flat()
  return { ...workspace, transactions }
}

test('the sums of a list are those of its rows, for any filter, order and history', async (t) => {
  let turnCount = 0
  let mixedCount = 0
  await assertProperty(
    fc.asyncProperty(cases, async ({ workspace, life, queries, rowsAtOnce, times }) => {
      const rows = repeated(workspace, times)
      const snapshot = life === undefined ? snapshotOf(rows) : snapshotAfter(rows, life)
      const queryCache = new QueryCache()
      for (const { query, bounds } of queries) {
        const wanted = naiveSums(naiveList(rows, query, bounds))
        const listing = listTransactions(snapshot, queryCache, query, bounds)
        const sums = sumsOf(listing, NEVER_ABORTED, rowsAtOnce)
        if (sums instanceof Promise) turnCount += 1
        if (wanted.length > 1) mixedCount += 1
        assert.deepEqual(await sums, wanted)
      }
    }),
    { numRuns: 300 },
  )
  t.ok(turnCount > 30, `${turnCount} in slices`)
  t.ok(mixedCount > 30, `${mixedCount} of several currencies`)
})

function listingOf(rows: WorkspaceRows): Listing {
  const everything = { order: 'desc', sortBy: '_id' } as const
  return listTransactions(snapshotOf(rows), new QueryCache(), everything, {})
}

function workspaceOf(amounts: readonly (readonly [unscaled: number, scale: number])[]) {
  const transactions = amounts.map(([amountUnscaled, amountScale], i) =>
    transactionRow(i + 1, 1, { amountUnscaled, amountScale }),
  )
  return { ...SAMPLE, transactions }
}

test('no digit is lost beyond the range of a double', async (t) => {
  const largest = 999_999_999_999_999
  const amounts = Array.from({ length: 3_000 }, (_, i) => [i % 3 ? largest : -largest, 0] as const)
  const rows = workspaceOf([...amounts, [1, 5], [-1, 5]])
  const [sum] = (await sumsOf(listingOf(rows), NEVER_ABORTED)) as CurrencySum[]
  t.equal(sum?.count, 3_002)
  t.equal(sum?.incoming, 2_000n * BigInt(largest) * 100_000n + 1n)
  t.equal(sum?.outgoing, -1_000n * BigInt(largest) * 100_000n - 1n)
})

test('an empty list has no sums', async (t) => {
  t.same(sumsOf({ total: 0, parts: [] }, NEVER_ABORTED), [])
})

test('adding up stops when its caller has disconnected', async (t) => {
  const rows = workspaceOf(Array.from({ length: 500 }, () => [1, 0] as const))
  const controller = new AbortController()
  const sums = sumsOf(listingOf(rows), controller.signal, 32)
  controller.abort(new Error('gone'))
  await t.rejects(Promise.resolve(sums), { message: 'gone' })
})
