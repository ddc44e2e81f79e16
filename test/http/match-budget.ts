import { getEventListeners } from 'node:events'
import { test } from 'tap'
import { MatchBudget, type MatchParts } from '../../src/http/match-budget.js'
import { Shares } from '../../src/http/shares.js'
import { parseReference } from '../../src/match/reference.js'
import { budgetExceeded } from '../../src/query/match-rank.js'
import type { MatchRequest, Ranking, RankingTime } from '../../src/query/match-ranking.js'
import { QueryCache } from '../../src/query/query-cache.js'
import { openShares } from '../fixtures/open-shares.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'

const CONTEXT = { snapshot: snapshotOf(SAMPLE), queryCache: new QueryCache() }
const REQUEST: MatchRequest = {
  reference: parseReference('RE-1'),
  filters: {},
  bounds: {},
  scoreMin: 0,
  offset: 0,
  limit: 1,
  explain: false,
}
const RANKING: Ranking = { total: 0, matches: [] }
const { signal } = new AbortController()
const BOUNDS = { slotCount: 1, waitingMax: 2 }
const shares = openShares()

test('the deadline counts from the arrival of the request', async (t) => {
  let now = 100
  const seen: RankingTime[] = []
  const parts: MatchParts = {
    rank: (_context, _request, time) => {
      seen.push(time)
      return RANKING
    },
    budgetMs: 50,
    ticks: () => now,
    shares,
  }
  const budget = new MatchBudget(parts, 'key:1')
  now = 140
  t.equal(budget.rank(CONTEXT, REQUEST, signal), RANKING, 'immediate results at once')
  t.same(
    seen.map(({ deadlineTicks }) => deadlineTicks),
    [150],
  )
  t.equal(seen[0]?.signal, signal)
})

test('an awaited result is in time, or is abandoned', async (t) => {
  const parts: MatchParts = { rank: () => RANKING, budgetMs: 60_000, ticks: () => 0, shares }
  const patient = new MatchBudget(parts, 'key:1')
  t.equal(await patient.within(Promise.resolve(7)), 7)
  await t.rejects(patient.within(Promise.reject(new Error('weather'))), { message: 'weather' })
  const never = new Promise<Ranking>(() => undefined)
  const hasty = new MatchBudget({ ...parts, rank: () => never, budgetMs: 1 }, 'key:1')
  await t.rejects(hasty.within(never), { code: 'budget_exceeded', status: 503 })
  await t.rejects(async () => hasty.rank(CONTEXT, REQUEST, signal), { code: 'budget_exceeded' })
})

test('a signal that outlives matches is left without listeners', async (t) => {
  const { signal: lasting } = new AbortController()
  const parts: MatchParts = {
    ...{ rank: () => Promise.resolve(RANKING), budgetMs: 60_000, ticks: () => 0 },
    shares: new Shares(BOUNDS),
  }
  const matches = [1, 2, 3].map(() =>
    new MatchBudget(parts, 'key:1').rank(CONTEXT, REQUEST, lasting),
  )
  t.equal(getEventListeners(lasting, 'abort').length, 2, 'two wait for the slot of the first')
  t.same(await Promise.all(matches), [RANKING, RANKING, RANKING])
  t.equal(getEventListeners(lasting, 'abort').length, 0)
})

test('each match that exceeds its budget is reported once, and nothing else is', async (t) => {
  let missCount = 0
  const onMiss = (): void => {
    missCount += 1
  }
  const parts: MatchParts = {
    rank: () => RANKING,
    budgetMs: 60_000,
    ticks: () => 0,
    shares,
    onMiss,
  }
  const rankedBy = async (rank: MatchParts['rank'], budgetMs = 60_000): Promise<unknown> =>
    new MatchBudget({ ...parts, rank, budgetMs }, 'key:1').rank(CONTEXT, REQUEST, signal)
  await rankedBy(() => RANKING)
  await t.rejects(rankedBy(() => Promise.reject(new Error('weather'))))
  t.equal(missCount, 0)
  await t.rejects(
    rankedBy(() => {
      throw budgetExceeded()
    }),
  )
  t.equal(missCount, 1, 'at once')
  await t.rejects(rankedBy(() => Promise.reject(budgetExceeded())))
  t.equal(missCount, 2, 'by a thread')
  await t.rejects(rankedBy(() => new Promise(() => undefined), 1))
  t.equal(missCount, 3, 'by the deadline')
})

test('a match waits for a turn of its credential, within its budget', async (t) => {
  const parts = { budgetMs: 60_000, ticks: () => 0, shares: new Shares(BOUNDS) }
  let end: (ranking: Ranking) => void = () => undefined
  const first = new MatchBudget(
    { ...parts, rank: () => new Promise<Ranking>((resolve) => (end = resolve)) },
    'key:1',
  ).rank(CONTEXT, REQUEST, signal)
  let count = 0
  const rank = (): Ranking => {
    count += 1
    return RANKING
  }
  const waiting = new MatchBudget({ ...parts, rank }, 'key:1').rank(CONTEXT, REQUEST, signal)
  const hasty = new MatchBudget({ ...parts, rank, budgetMs: 1 }, 'key:1')
  const late = hasty.rank(CONTEXT, REQUEST, signal)
  t.throws(() => hasty.rank(CONTEXT, REQUEST, signal), {
    code: 'budget_exceeded',
    message: /^Too many matches are waiting; /,
  })
  await t.rejects(async () => late, { code: 'budget_exceeded', message: /time budget/ })
  t.equal(count, 0)
  const abort = new AbortController()
  const other = new MatchBudget({ ...parts, rank }, 'key:1').rank(CONTEXT, REQUEST, abort.signal)
  t.ok(other instanceof Promise)
  t.equal(parts.shares.waitingCount, 2, 'a late match no longer waits')
  abort.abort()
  await t.rejects(async () => other, { name: 'AbortError' })
  t.equal(parts.shares.waitingCount, 1, 'nor does that of a disconnected client')
  end(RANKING)
  t.equal(await first, RANKING)
  t.equal(await waiting, RANKING)
  t.equal(count, 1)
})

test('a slot is released at the deadline, whatever the ranking does', async (t) => {
  const parts = { budgetMs: 1, ticks: () => 0, shares: new Shares(BOUNDS) }
  const hung = new MatchBudget({ ...parts, rank: () => new Promise(() => undefined) }, 'key:1')
  await t.rejects(async () => hung.rank(CONTEXT, REQUEST, signal), { code: 'budget_exceeded' })
  const failing = (): never => {
    throw new Error('weather')
  }
  const patient = { ...parts, budgetMs: 60_000 }
  for (let i = 0; i < 3; i++) {
    const budget = new MatchBudget({ ...patient, rank: failing }, 'key:1')
    await t.rejects(async () => budget.rank(CONTEXT, REQUEST, signal), { message: 'weather' })
  }
  const next = new MatchBudget({ ...patient, rank: () => RANKING }, 'key:1')
  t.equal(await next.rank(CONTEXT, REQUEST, signal), RANKING)
})

test('a failure after abandonment is not reported', async (t) => {
  let fail: (error: Error) => void = () => undefined
  const failing = new Promise<never>((_, reject) => {
    fail = reject
  })
  const parts: MatchParts = { rank: () => failing, budgetMs: 1, ticks: () => 0, shares }
  const faults: unknown[] = []
  const note = (error: unknown): number => faults.push(error)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  await t.rejects(new MatchBudget(parts, 'key:1').within(failing), { code: 'budget_exceeded' })
  fail(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
  t.same(faults, [])
})
