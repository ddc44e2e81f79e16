// A command that ends access returns once no node can grant it, or names those that still can.
import { strict as assert } from 'node:assert'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import type { ConfirmationOutcome } from '../../../src/domain/nodes.js'
import {
  awaitConfirmations,
  type ConfirmationOptions,
} from '../../../src/store/postgres/confirmations.js'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { trustMsOf } from '../../../src/store/postgres/node-table.js'
import type { Pulse } from '../../../src/store/postgres/pulse.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { PostgresProxy } from '../../fixtures/postgres-proxy.js'
import { openPulse, someNode } from '../../fixtures/postgres-pulse.js'

const OFFLINE_MS = 60_000

const DATABASE_MS = 'trunc(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT'

interface Scene {
  readonly url: string
  readonly admin: PostgresConnection
  readonly ask: (options?: Partial<ConfirmationOptions>) => Promise<ConfirmationOutcome>
}

async function scene(t: Test): Promise<Scene> {
  const url = await migratedDatabase(t)
  const admin = await connected(t, url)
  const ask: Scene['ask'] = (options) => awaitConfirmations({ url, patienceMs: 0, ...options })
  return { url, admin, ask }
}

interface PutNode {
  readonly version: number
  readonly ageMs?: number
  readonly offlineMs?: number
}

async function putNode(
  admin: PostgresConnection,
  id: string,
  { version, ageMs = 0, offlineMs = OFFLINE_MS }: PutNode,
): Promise<number> {
  const sql = `INSERT INTO kontor_control.nodes
    VALUES ($1, ${DATABASE_MS} - $2::BIGINT, $3, 0, 0, '0.3.0', $4) ON CONFLICT (id)
    DO UPDATE SET heard = excluded.heard, control_version = excluded.control_version,
      trusted_ms = excluded.trusted_ms
    RETURNING heard`
  const [row] = await admin.query<{ heard: number }>(sql, [
    ...[id, ageMs, version, trustMsOf(offlineMs)],
  ])
  return row?.heard ?? 0
}

async function changeAccess(admin: PostgresConnection): Promise<number> {
  const [row] = await admin.query<{ control: number }>(
    'UPDATE kontor_control.versions SET control = control + 1 RETURNING control',
  )
  return row?.control ?? 0
}

test('without nodes, a version is confirmed at once', async (t) => {
  const { ask } = await scene(t)
  t.same(await ask(), { kind: 'confirmed' })
  t.same(await ask({ version: 9 }), { kind: 'confirmed' })
})

test('a version is confirmed when the last node has it', async (t) => {
  const { admin, ask } = await scene(t)
  const version = await changeAccess(admin)
  for (const id of ['a', 'b']) await putNode(admin, id, { version: version - 1 })
  const pauses: number[] = []
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms)
    if (pauses.length === 3) await putNode(admin, 'a', { version })
    if (pauses.length === 6) await putNode(admin, 'b', { version: version + 1 })
  }
  t.same(await ask({ patienceMs: 600_000, pause }), { kind: 'confirmed' })
  t.same(pauses, [5, 10, 20, 50, 50, 50])
})

test('a later commit does not make the command wait longer', async (t) => {
  const { admin, ask } = await scene(t)
  const version = await changeAccess(admin)
  await putNode(admin, 'a', { version: version - 1 })
  const pause = async (): Promise<void> => {
    await changeAccess(admin)
    await putNode(admin, 'a', { version })
  }
  t.same(await ask({ patienceMs: 600_000, pause }), { kind: 'confirmed' })
})

test('a node without heartbeats is named, with the end of its lease', async (t) => {
  const { admin, ask } = await scene(t)
  const version = await changeAccess(admin)
  const heard = await putNode(admin, 'silent', { version: 0, ageMs: 20_000 })
  await putNode(admin, 'confirmed', { version })
  await putNode(admin, 'over', { version: 0, ageMs: trustMsOf(OFFLINE_MS) })
  const outcome = await ask()
  assert.ok(outcome.kind === 'unconfirmed')
  const [node, ...others] = outcome.nodes
  t.same(others, [])
  t.match(node, { id: 'silent', untilMs: heard + trustMsOf(OFFLINE_MS) })
  t.ok(node !== undefined && node.leftMs > 0 && node.leftMs <= trustMsOf(OFFLINE_MS) - 20_000)
  await putNode(admin, 'silent', { version: 0, ageMs: 20_000, offlineMs: 10_000 })
  t.same(await ask(), { kind: 'confirmed' }, 'it believes less, and its trust ran out')
  await putNode(admin, 'silent', { version: 0, ageMs: 20_000 })
  const pause = () => putNode(admin, 'silent', { version: 0, ageMs: trustMsOf(OFFLINE_MS) })
  t.same(await ask({ patienceMs: 600_000, pause }), { kind: 'confirmed' }, 'meanwhile')
})

test('a confirmed version is in the memory of each node', async (t) => {
  const { url, admin } = await scene(t)
  const taken = new Map<string, number>()
  const pulses = ['a', 'b', 'c'].map((id) => ({
    id,
    pulse: openPulse(t, url, {
      node: someNode(id),
      adopt: async ({ control }) => {
        await wait(Math.random() * 5)
        taken.set(id, control)
      },
    }),
  }))
  await Promise.all(pulses.map(({ pulse }) => pulse.beat()))
  await assertProperty(
    fc.asyncProperty(fc.nat({ max: 3 }), async (more) => {
      const version = await changeAccess(admin)
      await admin.query("NOTIFY kontor_control, ''")
      for (let i = 0; i < more; i++) await changeAccess(admin)
      const outcome = await awaitConfirmations({
        url,
        version,
        patienceMs: 60_000,
      })
      assert.deepEqual(outcome, { kind: 'confirmed' })
      for (const { id } of pulses) assert.ok((taken.get(id) ?? 0) >= version)
    }),
    { numRuns: 20 },
  )
})

test('a node that no longer polls is named, and a new one has the new version', async (t) => {
  const { url, admin, ask } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  const alive = openPulse(t, url, { node: someNode('alive') })
  const stuck = openPulse(t, proxy.url, { node: someNode('stuck') })
  const confirm = async (pulse: Pulse): Promise<void> => {
    await pulse.beat()
    await pulse.beat()
  }
  await confirm(alive)
  await confirm(stuck)
  t.match(await ask({ patienceMs: 600_000 }), { kind: 'confirmed' })
  proxy.silence()
  await changeAccess(admin)
  await admin.query("NOTIFY kontor_control, ''")
  const outcome = await ask({ patienceMs: 50 })
  t.match(outcome, { kind: 'unconfirmed', nodes: [{ id: 'stuck' }] })
  proxy.speak()
  const late = openPulse(t, url, { node: someNode('late') })
  await late.beat()
  t.equal(late.versions?.control, 2)
})

test('an unreachable database is an outcome', async (t) => {
  const { url, admin, ask } = await scene(t)
  const proxy = await PostgresProxy.start(t, url)
  await putNode(admin, 'silent', { version: 0 })
  const pause = () => proxy.cut()
  const cut = await ask({ url: proxy.url, patienceMs: 600_000, pause })
  t.match(cut, { kind: 'unknown', reason: /^postgres:\/\/127\.0\.0\.1/ })
  const refused = await ask({ url: proxy.url })
  t.match(refused, { kind: 'unknown', reason: /the server does not answer/ })
  t.match(await ask({ url: 'none' }), { kind: 'unknown', reason: /has the form postgres/ })
})
