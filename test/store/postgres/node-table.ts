import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { listNodes, removeSilentNodes, trustMsOf } from '../../../src/store/postgres/node-table.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'

const DAY_MS = 86_400_000

async function addNode(admin: PostgresConnection, id: string, ageMs: number): Promise<void> {
  await admin.query(`INSERT INTO kontor_control.nodes VALUES ('${id}',
    trunc(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT - ${ageMs}, 7, 3, 1000, '0.3.0',
    60000)`)
}

async function opened(t: Test): Promise<PostgresConnection> {
  return connected(t, await migratedDatabase(t))
}

test('nodes are listed with their age by the clock of the database', async (t) => {
  const admin = await opened(t)
  t.same(await listNodes(admin), [])
  await addNode(admin, 'b', 5_000)
  await addNode(admin, 'a', -60_000)
  const [a, b, ...others] = await listNodes(admin)
  t.same(others, [])
  t.match(b, { id: 'b', controlVersion: 7, newestVersion: 1, residents: 3, bytes: 1_000 })
  t.match(a, { id: 'a', program: '0.3.0' })
  // Both rows were written at the same time, but for the two statements.
  t.ok((b?.ageMs ?? 0) >= 5_000)
  t.ok((a?.ageMs ?? 0) >= -60_000 && (a?.ageMs ?? 0) < (b?.ageMs ?? 0) - 60_000)
  t.equal((a?.heard ?? 0) + (a?.ageMs ?? 0), (b?.heard ?? 0) + (b?.ageMs ?? 0), 'of one moment')
})

test('nodes are removed a day after the end of their lease', async (t) => {
  const admin = await opened(t)
  await addNode(admin, 'old', DAY_MS + 60_001)
  await addNode(admin, 'silent', DAY_MS + 1)
  await addNode(admin, 'alive', 0)
  t.same(await removeSilentNodes(admin), ['old'])
  t.match(await listNodes(admin), [{ id: 'alive' }, { id: 'silent' }])
  t.same(await removeSilentNodes(admin), [])
})

test('a lease covers the time without contact, and late heartbeats', async (t) => {
  t.equal(trustMsOf(60_000), 63_000)
  t.equal(trustMsOf(0), 5_000)
})
