import { setImmediate } from 'node:timers/promises'
import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { parseReference } from '../../src/match/reference.js'
import { type MatchBatch, rankBatch } from '../../src/query/match-batch.js'
import type { MatchRequest, Ranking } from '../../src/query/match-ranking.js'

const REQUEST: MatchRequest = {
  reference: parseReference('RE-1'),
  ...{ filters: {}, bounds: {}, scoreMin: 6_000, offset: 0, limit: 1, explain: false },
}

/** A batch whose requests differ in their limits, and what it has received. */
function batchOf(count: number) {
  const taken: number[] = []
  const batch: MatchBatch = {
    count,
    requestOf: (place) => ({ ...REQUEST, limit: place }),
    take: (place, { total }) => {
      taken[place] = total
    },
  }
  return { batch, taken }
}

function rankingOf(total: number): Ranking {
  return { total, matches: [] }
}

const NEVER_LATE = (): number => 0

test('each ranking comes to the place of its request, whichever ends first', async (t) => {
  const { batch, taken } = batchOf(40)
  let openCount = 0
  let mostOpen = 0
  const rank = async ({ limit }: MatchRequest): Promise<Ranking> => {
    openCount += 1
    mostOpen = Math.max(mostOpen, openCount)
    for (let i = 0; i < (limit * 7) % 5; i++) await setImmediate()
    openCount -= 1
    return rankingOf(limit * 10)
  }
  await rankBatch(batch, rank, NEVER_LATE)
  t.same(
    taken,
    Array.from({ length: 40 }, (_, i) => i * 10),
  )
  t.equal(mostOpen, 4, 'no more than four at a time')
})

test('a batch of immediate rankings yields to others', async (t) => {
  const { batch, taken } = batchOf(100)
  let now = 0
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) globalThis.setImmediate(count)
  }
  globalThis.setImmediate(count)
  const rank = ({ limit }: MatchRequest): Ranking => {
    now += 1
    return rankingOf(limit)
  }
  await rankBatch(batch, rank, () => now)
  isOver = true
  t.equal(taken.length, 100)
  t.ok(turns > 3, `${turns} turns of others`)
})

test('reading the requests yields to others as well, and precedes every ranking', async (t) => {
  const { batch } = batchOf(100)
  let now = 0
  let rankedCount = 0
  let turns = 0
  const requestOf = (place: number): MatchRequest => {
    now += 1
    globalThis.setImmediate(() => {
      turns += rankedCount === 0 ? 1 : 0
    })
    if (place < 99) return { ...REQUEST, limit: place }
    throw new ApiError('invalid_parameter', 'queries[99].query is missing')
  }
  const rank = (): Ranking => {
    rankedCount += 1
    return rankingOf(0)
  }
  await t.rejects(
    rankBatch({ ...batch, requestOf }, rank, () => now),
    { code: 'invalid_parameter' },
  )
  t.equal(rankedCount, 0)
  t.ok(turns > 50, `${turns} turns of others`)
})

test('the first error ends the batch', async (t) => {
  const { batch, taken } = batchOf(100)
  let askedCount = 0
  const rank = async ({ limit }: MatchRequest): Promise<Ranking> => {
    askedCount += 1
    await setImmediate()
    if (limit === 10) throw new ApiError('budget_exceeded', 'too late')
    return rankingOf(limit)
  }
  await t.rejects(rankBatch(batch, rank, NEVER_LATE), { code: 'budget_exceeded' })
  for (let i = 0; i < 5; i++) await setImmediate()
  t.ok(askedCount < 20, `${askedCount} asked`)
  const changed = { ...batch, take: () => t.fail('unused') }
  changed.take = () => {
    throw new ApiError('data_changed', 'changed')
  }
  await t.rejects(rankBatch(changed, rank, NEVER_LATE), { code: 'data_changed' })
  t.ok(taken.length < 20)
})
