// Concurrent units of several nodes.
import { type Test, test } from 'tap'
import {
  countDynamicClients,
  holdIntegration,
  insertClient,
} from '../../../src/store/client-rows.js'
import { findGrant, redeemCode } from '../../../src/store/grant-rows.js'
import type { ControlDatabase } from '../../../src/store/postgres/control-database.js'
import { countRefusal } from '../../../src/store/refusal-rows.js'
import { rotateRefresh } from '../../../src/store/token-rows.js'
import { all, first, hold, run, type Work } from '../../../src/store/work.js'
import { NOW_MS } from '../../fixtures/control.js'
import { hashOfNumber, pairOf, someClientRow } from '../../fixtures/control-units.js'
import { migratedDatabase } from '../../fixtures/postgres.js'
import {
  addFamily,
  addFamilyWithPair,
  addParties,
  openControlDatabase,
} from '../../fixtures/postgres-control.js'

const NODES = 3
const CALLERS = 50
const ROUNDS = 5

interface Cluster {
  readonly node: ControlDatabase
  /** Runs units of all callers at once, on all nodes in turn. */
  atOnce<T>(
    way: 'atomically' | 'alone',
    workOf: (caller: number) => () => Work<T>,
  ): Promise<readonly T[]>
}

/** Nodes with 24 connections in all, and the parties of a grant. */
async function startCluster(t: Test): Promise<Cluster> {
  const url = await migratedDatabase(t)
  const node = openControlDatabase(t, url)
  const nodes = [node, ...Array.from({ length: NODES - 1 }, () => openControlDatabase(t, url))]
  await node.alone(addParties)
  const atOnce: Cluster['atOnce'] = (way, workOf) =>
    Promise.all(
      Array.from({ length: CALLERS }, (_, caller) =>
        (nodes[caller % NODES] ?? node)[way](workOf(caller)),
      ),
    )
  return { node, atOnce }
}

function countsOf(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

test('of many refreshes with one token, one succeeds, and the family ends', async (t) => {
  const { node, atOnce } = await startCluster(t)
  for (let round = 1; round <= ROUNDS; round++) {
    const grantId = await node.atomically(() => addFamilyWithPair(round))
    const hash = hashOfNumber(2 * round + 1)
    const outcomes = await atOnce('atomically', (caller) => {
      const pair = pairOf(round * 1_000 + caller, NOW_MS)
      return () => rotateRefresh(hash, pair, NOW_MS + 1)
    })
    t.same(countsOf(outcomes), { rotated: 1, reused: 1, unknown: CALLERS - 2 })
    t.equal((await node.look(() => findGrant(grantId)))?.revokedAt, NOW_MS + 1)
  }
  t.same(await node.look(() => all('SELECT generation FROM tokens')), [])
})

test('of many redemptions of one code, one succeeds, and the family ends', async (t) => {
  const { node, atOnce } = await startCluster(t)
  for (let round = 1; round <= ROUNDS; round++) {
    const grantId = await node.atomically(() => addFamily(round))
    const results = await atOnce('atomically', () => () => redeemCode(hashOfNumber(round), NOW_MS))
    const outcomes = results.map(({ outcome }) => outcome)
    t.same(countsOf(outcomes), { redeemed: 1, reused: 1, unknown: CALLERS - 2 })
    t.equal((await node.look(() => findGrant(grantId)))?.revokedAt, NOW_MS)
  }
})

test('concurrent registrations keep to the limit of clients', async (t) => {
  const { node, atOnce } = await startCluster(t)
  const limit = 5
  const outcomes = await atOnce('atomically', (caller) => {
    const client = { ...someClientRow(100 + caller, 1), registered: 'dynamic' } as const
    return function* () {
      yield* holdIntegration('i1')
      if ((yield* countDynamicClients('i1')) >= limit) return 'refused'
      yield* insertClient(client)
      return 'registered'
    }
  })
  t.same(countsOf(outcomes), { registered: limit, refused: CALLERS - limit })
  t.equal(await node.look(() => countDynamicClients('i1')), limit)
})

/** Writes what it has read, which loses what was written between. */
function* addMillisecond(): Work<void> {
  const sql = "SELECT code_ms AS ms FROM integrations WHERE id = 'i1'"
  const found = yield* first<{ ms: number }>(sql)
  yield* all('SELECT pg_sleep(0.001)')
  const ms = (found?.ms ?? 0) + 1
  yield* run("UPDATE integrations SET code_ms = @ms WHERE id = 'i1'", { ms })
}

test('units of alone exclude each other, as do holders of a row', async (t) => {
  const { node, atOnce } = await startCluster(t)
  const time = () => node.look(() => first('SELECT code_ms AS ms FROM integrations'))
  await atOnce('alone', () => addMillisecond)
  t.same(await time(), { ms: 60_000 + CALLERS })
  await atOnce(
    'atomically',
    () =>
      function* () {
        yield* hold('SELECT id FROM integrations WHERE id = @id FOR UPDATE', { id: 'i1' })
        yield* addMillisecond()
      },
  )
  t.same(await time(), { ms: 60_000 + 2 * CALLERS })
})

test('refusals are counted exactly', async (t) => {
  const { atOnce } = await startCluster(t)
  const refusal = { minute: 1, fingerprint: '{}' }
  const times = await atOnce('atomically', () => () => countRefusal(refusal))
  t.same(
    times.toSorted((one, two) => one - two),
    Array.from({ length: CALLERS }, (_, i) => i + 1),
  )
})
