import { test } from 'tap'
import { MatchBudget, type MatchParts } from '../../src/http/match-budget.js'
import { parseReference } from '../../src/match/reference.js'
import { budgetExceeded } from '../../src/query/match-rank.js'
import type { MatchQuestion, Ranking, RankingTime } from '../../src/query/match-ranking.js'
import { Selections } from '../../src/query/selections.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'

const SCENE = { snapshot: snapshotOf(SAMPLE), selections: new Selections() }
const QUESTION: MatchQuestion = {
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

test('the deadline counts from when the request arrived', async (t) => {
  let now = 100
  const seen: RankingTime[] = []
  const parts: MatchParts = {
    rank: (_scene, _question, time) => {
      seen.push(time)
      return RANKING
    },
    budgetMs: 50,
    ticks: () => now,
  }
  const budget = new MatchBudget(parts)
  now = 140
  t.equal(budget.rank(SCENE, QUESTION, signal), RANKING, 'at once what is there at once')
  t.same(
    seen.map(({ deadlineTicks }) => deadlineTicks),
    [150],
  )
  t.equal(seen[0]?.signal, signal)
})

test('what is waited for is in time, or is given up', async (t) => {
  const parts: MatchParts = { rank: () => RANKING, budgetMs: 60_000, ticks: () => 0 }
  const patient = new MatchBudget(parts)
  t.equal(await patient.within(Promise.resolve(7)), 7)
  await t.rejects(patient.within(Promise.reject(new Error('weather'))), { message: 'weather' })
  const never = new Promise<Ranking>(() => undefined)
  const hasty = new MatchBudget({ ...parts, rank: () => never, budgetMs: 1 })
  await t.rejects(hasty.within(never), { code: 'budget_exceeded', status: 503 })
  await t.rejects(async () => hasty.rank(SCENE, QUESTION, signal), { code: 'budget_exceeded' })
})

test('each match is told once whose time is used up, and nothing else is', async (t) => {
  let missCount = 0
  const onMiss = (): void => {
    missCount += 1
  }
  const parts: MatchParts = { rank: () => RANKING, budgetMs: 60_000, ticks: () => 0, onMiss }
  const rankedBy = async (rank: MatchParts['rank'], budgetMs = 60_000): Promise<unknown> =>
    new MatchBudget({ ...parts, rank, budgetMs }).rank(SCENE, QUESTION, signal)
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

test("what fails after it was given up is nobody's fault", async (t) => {
  let fail: (error: Error) => void = () => undefined
  const failing = new Promise<never>((_, reject) => {
    fail = reject
  })
  const parts: MatchParts = { rank: () => failing, budgetMs: 1, ticks: () => 0 }
  const faults: unknown[] = []
  const note = (error: unknown): number => faults.push(error)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  await t.rejects(new MatchBudget(parts).within(failing), { code: 'budget_exceeded' })
  fail(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
  t.same(faults, [])
})
