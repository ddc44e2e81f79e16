// One key that matches without a pause on 300 connections. Regression: with one queue in order of
// arrival, every match of another key was 503 meanwhile.
import { type Test, test } from 'tap'
import { Client } from '../../bench/client.js'
import { rankWith } from '../../src/query/match-rank.js'
import type { RankMatches } from '../../src/query/match-ranking.js'
import { MatchPool } from '../../src/threads/match-pool.js'
import { type Rig, rigs } from '../fixtures/http-rig.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { RunningService } from '../fixtures/service.js'

const CONNECTIONS = 300
const SOCKETS_OF_CLIENT = 16
const HONEST_ROUNDS = 5

const WORKSPACE = {
  ...SAMPLE,
  transactions: Array.from({ length: 6_000 }, (_, i) =>
    transactionRow(i + 1, (i % 2) + 1, { purpose: `Rechnung RE-2025-${i} vom 03.05.2026` }),
  ),
}

const HOSTILE = `/v1/w/transactions/match?threshold=0&query=${encodeURIComponent('RE-2025-000…')}`

/** Started rankings, by key. */
interface Begun {
  hostile: number
  honest: number
}

function countingRank(t: Test, begun: Begun): RankMatches {
  const pool = new MatchPool(1)
  t.teardown(() => pool.close())
  const ticks = (): number => performance.now()
  const rank = rankWith({ ticks, scanOnThreads: (task) => pool.scan(task) })
  return (context, question, time) => {
    begun[question.reference.text.includes('000') ? 'hostile' : 'honest'] += 1
    return rank(context, question, time)
  }
}

/**
 * Sends requests on all connections repeatedly. @returns function that stops and returns the
 * statuses
 */
function pester(port: number, key: string): () => Promise<ReadonlySet<number>> {
  const clients = Array.from({ length: Math.ceil(CONNECTIONS / SOCKETS_OF_CLIENT) }, () => {
    return new Client(port)
  })
  let isOver = false
  const statuses = new Set<number>()
  const askOnAndOn = async (client: Client): Promise<void> => {
    while (!isOver) {
      const target = { path: HOSTILE, fields: { Authorization: `Bearer ${key}` } }
      statuses.add((await client.ask(target)).status)
    }
  }
  const asking = Array.from({ length: CONNECTIONS }, (_, i) =>
    askOnAndOn(clients[i % clients.length] ?? new Client(port)),
  )
  return async () => {
    isOver = true
    await Promise.all(asking)
    for (const client of clients) client.close()
    return statuses
  }
}

async function checkFairness(t: Test, rig: Rig): Promise<void> {
  const begun: Begun = { hostile: 0, honest: 0 }
  const service = await RunningService.start(t, rig, { rankMatches: countingRank(t, begun) })
  await service.write('w', WORKSPACE)
  const hostile = (await service.newKey('w', { accountIds: [1] })).key
  const { key } = await service.newKey('w')
  t.equal((await service.ask('/v1/w/transactions/match?query=5999', { key })).status, 200)
  const end = pester(service.client.port, hostile)
  await service.until(() => begun.hostile > 10)
  const before: number[] = []
  for (let round = 0; round < HONEST_ROUNDS; round++) {
    const hostileCount = begun.hostile
    const found = await service.ask(`/v1/w/transactions/match?query=599${round}`, { key })
    t.equal(found.status, 200)
    before.push(begun.hostile - hostileCount)
    t.equal((await service.ask(`/v1/w/transactions?limit=${round + 1}`, { key })).status, 200)
    t.equal((await service.ask(`/v1/w/transactions/search?query=${round}`, { key })).status, 200)
  }
  const worst = Math.max(...before)
  // In a single queue all connections of the other key would have come first.
  t.ok(worst < CONNECTIONS / 10, `at most ${worst} of the other key were ranked in between`)
  t.equal(begun.honest, HONEST_ROUNDS + 1)
  t.same([...(await end())], [200], 'the flooding key is served as well')
  t.same(
    service.log.filter((line) => line.startsWith('fault')),
    [],
  )
}

for (const rig of rigs) {
  test(`${rig.name}: one key on 300 connections takes turns with another`, (t) => {
    return checkFairness(t, rig)
  })
}
