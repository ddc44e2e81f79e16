// Matches under pressure, with real threads: refused when too many wait or their time is over, and
// answered as usual afterwards; 409 when another connection writes during a ranking.
import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import { type Answered, Client } from '../../../bench/client.js'
import { MATCH_WAITING_MAX } from '../../../src/limits.js'
import { rankWith } from '../../../src/query/match-rank.js'
import type { RankMatches } from '../../../src/query/match-ranking.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { MatchPool } from '../../../src/threads/match-pool.js'
import { type Rig, rigs } from '../../fixtures/http-rig.js'
import { naiveMatches } from '../../fixtures/naive-match.js'
import { SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, RunningService } from '../../fixtures/service.js'

const ROWS = 6_000
const REFUSALS = 250
/** Requests of a round beyond those that may wait. */
const BEYOND = 350
const LIMIT = 50

const WORKSPACE = {
  ...SAMPLE,
  transactions: Array.from({ length: ROWS }, (_, i) =>
    transactionRow(i + 1, 1, { purpose: `Rechnung RE-2026-${i + 1_000} vom 03.05.2026` }),
  ),
}

const TEXT = '2026-1234, 2026 1235'
const PATH = `/v1/w/transactions/match?limit=${LIMIT}&threshold=0&query=${encodeURIComponent(TEXT)}`

const WANTED = naiveMatches(WORKSPACE, {
  ...{ text: TEXT, scoreMin: 0, windowRowsMax: ROWS, filters: {}, bounds: {} },
})
  .slice(0, LIMIT)
  .map(({ row, score }) => ({ id: row.id, score: Number(`${score}e-4`) }))

function poolOf(t: Test, threads: number): RankMatches {
  const pool = new MatchPool(threads)
  t.teardown(() => pool.close())
  const ticks = (): number => performance.now()
  // Blocks so small that both threads get a share.
  return rankWith({ ticks, blockRows: 512, scanOnThreads: (task) => pool.scan(task) })
}

async function serving(t: Test, rig: Rig, rankMatches: RankMatches, matchBudgetMs: number) {
  const service = await RunningService.start(t, rig, { rankMatches, matchBudgetMs })
  await service.write('w', WORKSPACE)
  const { key } = await service.newKey('w')
  const ask = (target: string) => service.ask(target, { key })
  t.equal((await ask('/v1/w/accounts')).status, 200)
  // So many connections that more requests arrive than may wait.
  const clients = Array.from({ length: 48 }, () => new Client(service.client.port))
  t.teardown(() => {
    for (const client of clients) client.close()
  })
  const fields = { Authorization: `Bearer ${key}` }
  const askMany = (count: number): Promise<Answered[]> =>
    Promise.all(
      Array.from({ length: count }, (_, i) => {
        const client = clients[i % clients.length]
        assert(client !== undefined)
        return client.ask({ path: PATH, fields })
      }),
    )
  return { service, ask, askMany }
}

function checkRight(text: string): void {
  const found = (JSON.parse(text) as { id: number; score: number }[]).map(({ id, score }) => {
    return { id, score }
  })
  assert.deepEqual(found, WANTED)
}

/** @returns the messages of the 503 answers; all others are the correct answer */
function refusalsOf(replies: readonly Answered[]): string[] {
  return replies.flatMap(({ status, fields, body }) => {
    const text = body.toString('utf8')
    if (status === 200) {
      checkRight(text)
      return []
    }
    const { error, message } = JSON.parse(text) as { error: string; message: string }
    assert.equal(`${status} ${error}`, '503 budget_exceeded', text)
    assert.equal(fields['retry-after'], '1')
    return [message]
  })
}

for (const rig of rigs) {
  test(`${rig.name}: a match beyond the full queue is 503, and others are right`, async (t) => {
    const { service, ask, askMany } = await serving(t, rig, poolOf(t, 1), 60_000)
    let refusedCount = 0
    let answeredCount = 0
    while (refusedCount < REFUSALS) {
      const replies = await askMany(MATCH_WAITING_MAX + BEYOND)
      const refusals = refusalsOf(replies)
      assert(refusals.every((message) => /^Too many matches are waiting; /.test(message)))
      assert(refusals.length > 0, 'more requests at once than may wait')
      refusedCount += refusals.length
      answeredCount += replies.length - refusals.length
    }
    t.ok(answeredCount >= MATCH_WAITING_MAX, `${answeredCount} answered, ${refusedCount} refused`)
    const reply = await ask(PATH)
    t.equal(outcomeOf(reply), '200')
    checkRight(reply.text)
    t.same(
      service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  })

  test(`${rig.name}: hundreds exceed their budget, and the pool works as before`, async (t) => {
    const rank = poolOf(t, 2)
    const patient = await serving(t, rig, rank, 60_000)
    // No machine scores this many rows in a millisecond.
    const hurried = await serving(t, rig, rank, 1)
    let refusedCount = 0
    while (refusedCount < REFUSALS) {
      const [refused, right] = await Promise.all([hurried.askMany(40), patient.ask(PATH)])
      const refusals = refusalsOf(refused)
      assert.equal(refusals.length, refused.length)
      refusedCount += refusals.length
      checkRight(right.text)
    }
    t.pass(`${refusedCount} refused`)
    const reply = await patient.ask(PATH)
    t.equal(outcomeOf(reply), '200')
    checkRight(reply.text)
    t.same(
      hurried.service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  })

  test(`${rig.name}: a write while real threads rank is 409, sooner or later`, async (t) => {
    const { service, ask, askMany } = await serving(t, rig, poolOf(t, 2), 60_000)
    const writer = new Database(service.pathOf('w'))
    t.teardown(() => writer.close())
    const best = WANTED[0]?.id ?? 0
    const write = writer.prepare('UPDATE transactions SET amount_unscaled = ? WHERE id = ?')
    const counts: Record<string, number> = {}
    let amount = 0
    // A match is always running, so that a new snapshot nearly always arrives during one.
    for (let round = 0; round < 300 && counts['409'] === undefined; round++) {
      amount += 1
      write.run(100 * amount, best)
      for (const { status, body } of await askMany(16)) {
        counts[status] = (counts[status] ?? 0) + 1
        const text = body.toString('utf8')
        if (status === 200) checkRight(text)
        else t.match(JSON.parse(text), { error: 'data_changed', message: /^Transaction \d+, or / })
      }
    }
    t.ok((counts['409'] ?? 0) > 0, JSON.stringify(counts))
    t.same(
      Object.keys(counts).filter((status) => status !== '200' && status !== '409'),
      [],
    )
    await service.until(async () => {
      const reply = await ask(PATH)
      // The last write may arrive during this match too.
      if (reply.status === 409) return false
      const [first] = bodyOf(reply) as { amount: number }[]
      return first?.amount === amount
    })
    t.same(
      service.log.filter((line) => line.startsWith('fault')),
      [],
    )
  })
}
