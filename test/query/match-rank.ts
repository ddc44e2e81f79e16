import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { parseReference } from '../../src/match/reference.js'
import { type ScanPart, type ScanTask, scanBlocks } from '../../src/match/scan.js'
import { MATCH_EXPLAINING_MS_MAX, MATCH_HERE_ROWS_MAX } from '../../src/query/match-rank.js'
import type { MatchRequest, Ranking, RankingTime } from '../../src/query/match-ranking.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { sumsOf } from '../../src/query/sums.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { matchedWorkspaces, naiveMatches, referencesFor } from '../fixtures/naive-match.js'
import {
  expectedPayments,
  naiveEvidence,
  orderedByEvidence,
  paidWorkspaces,
} from '../fixtures/naive-payment.js'
import { naiveSums } from '../fixtures/naive-sums.js'
import { listQueries } from '../fixtures/queries.js'
import { rankHere } from '../fixtures/ranking.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { indexedSnapshotOf, lives, snapshotAfter } from '../fixtures/snapshots.js'

const UNHURRIED: RankingTime = {
  deadlineTicks: Number.POSITIVE_INFINITY,
  signal: new AbortController().signal,
}

const cases = matchedWorkspaces({ maxLength: 30 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: lives,
    list: listQueries(workspace),
    isFiltered: fc.constantFrom(true, false, false),
    text: referencesFor(workspace),
    scoreMin: fc.constantFrom(0, 1, 3_000, 6_000, 9_000, 10_000),
    windowRowsMax: fc.constantFrom(5, 15, 100_000),
    here: fc.constantFrom({}, { hereRowsMax: 0, blockRows: 4 }),
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 30 })),
    limit: fc.integer({ min: 1, max: 20 }),
  }),
)

function idsAndScores({ matches }: Ranking): (readonly [id: number | undefined, score: number])[] {
  return matches.map(({ segment, ordinal, score }) => [segment.ids[ordinal], score])
}

test('a ranking equals the naive one: total, order, scores and page', async (t) => {
  let hitCount = 0
  let tieCount = 0
  await assertProperty(
    fc.asyncProperty(cases, async (drawn) => {
      const { workspace, life, list, isFiltered, text, scoreMin, windowRowsMax } = drawn
      const { order, sortBy, ...drawnFilters } = list.query
      const filters = isFiltered ? drawnFilters : {}
      const bounds = isFiltered ? list.bounds : {}
      const { offset, limit, here } = drawn
      const request = {
        ...{ reference: parseReference(text), filters, bounds, scoreMin, offset, limit },
        explain: false,
        wantsHits: isFiltered || scoreMin > 0,
      }
      const rank = rankHere({ ...here, ticks: () => 0, windowRowsMax })
      const snapshot = snapshotAfter(workspace, life)
      const ranking = await rank({ snapshot, queryCache: new QueryCache() }, request, UNHURRIED)
      const wanted = naiveMatches(workspace, { text, scoreMin, windowRowsMax, filters, bounds })
      assert.equal(ranking.total, wanted.length)
      assert.deepEqual(
        idsAndScores(ranking),
        wanted.slice(offset, offset + limit).map(({ row, score }) => [row.id, score]),
      )
      if (request.wantsHits) {
        assert.ok(ranking.hits !== undefined)
        const sums = sumsOf(ranking.hits, UNHURRIED.signal)
        assert.deepEqual(sums, naiveSums(wanted.map(({ row }) => row)), 'all hits are in it')
      } else assert.equal(ranking.hits, undefined)
      hitCount += wanted.filter(({ score }) => score > 0).length
      tieCount += new Set(wanted.map(({ score }) => score)).size < wanted.length ? 1 : 0
      assert.ok(order !== undefined && sortBy !== undefined)
    }),
    { numRuns: 200 },
  )
  t.ok(hitCount > 50, `${hitCount} results`)
  t.ok(tieCount > 5, `${tieCount} with equal scores`)
})

const paidCases = paidWorkspaces({ maxLength: 30 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: lives,
    expected: expectedPayments,
    text: fc.oneof(fc.constant('RE-2026-0815'), referencesFor(workspace)),
    scoreMin: fc.constantFrom(0, 0, 1, 3_000, 6_000),
    windowRowsMax: fc.constantFrom(15, 100_000),
    here: fc.constantFrom({}, { hereRowsMax: 0, blockRows: 4 }),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
)

test('equal scores are ordered by the evidence of the payment, as by the naive twin', async (t) => {
  let movedCount = 0
  let cutCount = 0
  await assertProperty(
    fc.asyncProperty(paidCases, async (drawn) => {
      const { workspace, life, expected, text, scoreMin, windowRowsMax, here, limit } = drawn
      const request = {
        ...{ reference: parseReference(text), expected, filters: {}, bounds: {}, scoreMin },
        ...{ offset: 0, limit, explain: true },
      }
      const rank = rankHere({ ...here, ticks: () => 0, windowRowsMax })
      const snapshot = snapshotAfter(workspace, life)
      const ranking = await rank({ snapshot, queryCache: new QueryCache() }, request, UNHURRIED)
      const plain = { text, scoreMin, windowRowsMax, filters: {}, bounds: {} }
      const single = naiveMatches(workspace, plain)
      const wanted = orderedByEvidence(expected, single)
      assert.equal(ranking.total, wanted.length)
      assert.deepEqual(
        ranking.matches.map(({ segment, ordinal, score, explanation, evidence }) => {
          return [segment.ids[ordinal], score, explanation === undefined ? undefined : evidence]
        }),
        wanted.slice(0, limit).map(({ row, score }) => {
          return [row.id, score, score === 0 ? undefined : naiveEvidence(expected, row)]
        }),
      )
      if (wanted.some(({ row }, i) => row.id !== single[i]?.row.id)) movedCount += 1
      const cut = wanted[limit]
      if (cut !== undefined && cut.score === wanted[limit - 1]?.score) cutCount += 1
    }),
    { numRuns: 150 },
  )
  t.ok(movedCount > 25, `${movedCount} orders that differ from a single match's`)
  t.ok(cutCount > 25, `${cutCount} pages that end among equal scores`)
})

/** A workspace with so many rows that a scan takes several slices. */
const LARGE = {
  ...SAMPLE,
  transactions: Array.from({ length: 3 * MATCH_HERE_ROWS_MAX }, (_, i) =>
    transactionRow(i + 1, 1, { purpose: `RE-2026-${i + 1000}`, bookedAt: i * 86_400_000 }),
  ),
}

const REQUEST: MatchRequest = {
  reference: parseReference('RE-2026-1234'),
  filters: {},
  bounds: {},
  scoreMin: 6_000,
  offset: 0,
  limit: 10,
  explain: true,
}

test('a large window is scored on other threads, a small one at once', async (t) => {
  const snapshot = indexedSnapshotOf(LARGE)
  const rank = rankHere({ ticks: () => 0 })
  const ranking = rank({ snapshot, queryCache: new QueryCache() }, REQUEST, UNHURRIED)
  t.ok(ranking instanceof Promise)
  t.same(idsAndScores(await ranking), [[235, 10_000]])
  const small = rankHere({ ticks: () => 0, windowRowsMax: MATCH_HERE_ROWS_MAX })
  const atOnce = small({ snapshot, queryCache: new QueryCache() }, REQUEST, UNHURRIED)
  t.notOk(atOnce instanceof Promise)
})

/** Few rows, with fields of maximum length. */
const LONG = {
  ...SAMPLE,
  transactions: Array.from({ length: 20 }, (_, i) =>
    transactionRow(i + 1, 1, { purpose: '1'.repeat(10_000) }),
  ),
}

test('a small window of long rows is scored on other threads for a long reference', async (t) => {
  const context = { snapshot: indexedSnapshotOf(LONG), queryCache: new QueryCache() }
  const rank = rankHere({ ticks: () => 0 })
  const long = { ...REQUEST, reference: parseReference('1'.repeat(256)), scoreMin: 0 }
  t.ok(rank(context, long, UNHURRIED) instanceof Promise)
  const short = { ...REQUEST, reference: parseReference('11'), scoreMin: 0, explain: false }
  t.notOk(rank(context, short, UNHURRIED) instanceof Promise)
})

test('explaining runs in slices, and ends with its budget', async (t) => {
  const context = { snapshot: indexedSnapshotOf(LONG), queryCache: new QueryCache() }
  const request = {
    ...REQUEST,
    reference: parseReference('1'.repeat(256)),
    scoreMin: 0,
    limit: 20,
  }
  // A clock that the scan does not read: each read takes as long as one slice of explanations.
  let now = 0
  const rank = rankHere({
    ticks: () => {
      now += MATCH_EXPLAINING_MS_MAX
      return now
    },
    scanOnThreads: async (task) => [scanBlocks(task, () => 0)],
  })
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const { matches } = await rank(context, request, UNHURRIED)
  isOver = true
  t.equal(matches.length, 20)
  t.ok(turns >= 8, `${turns} turns of others`)
  const deadlineTicks = now + 10 * MATCH_EXPLAINING_MS_MAX
  await t.rejects(async () => rank(context, request, { ...UNHURRIED, deadlineTicks }), {
    code: 'budget_exceeded',
  })
})

test('explanations are computed for the page, on request', async (t) => {
  const rank = rankHere({ ticks: () => 0 })
  const context = { snapshot: indexedSnapshotOf(LARGE), queryCache: new QueryCache() }
  const explained = await rank(context, REQUEST, UNHURRIED)
  t.match(explained.matches[0]?.explanation, { field: 'purpose', matched: /1234/, kind: /./ })
  const plain = await rank(context, { ...REQUEST, explain: false }, UNHURRIED)
  t.notOk('explanation' in (plain.matches[0] ?? {}))
})

test('past the deadline no ranking starts, and a running one stops', async (t) => {
  const context = { snapshot: indexedSnapshotOf(LARGE), queryCache: new QueryCache() }
  const late = rankHere({ ticks: () => 7 })
  t.throws(() => late(context, REQUEST, { ...UNHURRIED, deadlineTicks: 7 }), {
    code: 'budget_exceeded',
  })
  t.ok(late(context, REQUEST, { ...UNHURRIED, deadlineTicks: 7.5 }))
  let ticks = 0
  const slow = rankHere({
    blockRows: 10,
    ticks: () => {
      ticks += 1
      return ticks
    },
  })
  await t.rejects(async () => slow(context, REQUEST, { ...UNHURRIED, deadlineTicks: 4 }), {
    code: 'budget_exceeded',
  })
  t.equal(ticks, 4, 'it stops at the first read past the deadline')
})

test('a missing part makes the ranking fail', async (t) => {
  const context = { snapshot: indexedSnapshotOf(LARGE), queryCache: new QueryCache() }
  const rank = rankHere({
    scanOnThreads: async (task) => [scanBlocks(task, () => 0), undefined],
  })
  await t.rejects(async () => rank(context, REQUEST, UNHURRIED), { code: 'budget_exceeded' })
})

test('a ranking stops when its caller has disconnected', async (t) => {
  const gone = new AbortController()
  const tasks: ScanTask[] = []
  let held: (parts: ScanPart[]) => void = () => undefined
  const rank = rankHere({
    scanOnThreads: (task) => {
      tasks.push(task)
      return new Promise((resolve) => {
        held = resolve
      })
    },
  })
  const context = { snapshot: indexedSnapshotOf(LARGE), queryCache: new QueryCache() }
  const ranking = rank(context, REQUEST, { ...UNHURRIED, signal: gone.signal })
  gone.abort(new Error('the client has gone'))
  const [task] = tasks
  t.equal(task === undefined ? undefined : scanBlocks(task, () => 0), undefined, 'it is aborted')
  held([])
  await t.rejects(async () => ranking, { message: 'the client has gone' })
  t.throws(() => rank(context, REQUEST, { ...UNHURRIED, signal: gone.signal }))
})
