import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { doUpkeep, trimChanges } from '../../../src/store/postgres/upkeep.js'
import { StoreUnavailableError } from '../../../src/store/store-error.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { connected, errorOf, migratedDatabase } from '../../fixtures/postgres.js'
import { versionOf } from '../../fixtures/postgres-pulse.js'
import { insertAccount, logOf, makeWorkspace } from '../../fixtures/postgres-workspace.js'

interface Scene {
  readonly url: string
  readonly admin: PostgresConnection
}

async function scene(t: Test): Promise<Scene> {
  const url = await migratedDatabase(t)
  return { url, admin: await connected(t, url) }
}

test('one of several starting nodes does the work', async (t) => {
  const { url } = await scene(t)
  let doneCount = 0
  const others: Promise<boolean>[] = []
  const first = await doUpkeep(url, async (connection) => {
    t.same(await connection.query('SELECT 1 AS a'), [{ a: 1 }])
    for (let i = 0; i < 3; i++) {
      others.push(
        doUpkeep(url, async () => {
          doneCount += 1
        }),
      )
    }
    t.same(await Promise.all(others), [false, false, false])
  })
  t.equal(first, true)
  t.equal(doneCount, 0)
  const again = await doUpkeep(url, async () => {
    doneCount += 1
  })
  t.equal(again, true)
  t.equal(doneCount, 1)
})

test('after failed work, the next node may begin', async (t) => {
  const { url } = await scene(t)
  await t.rejects(
    doUpkeep(url, () => Promise.reject(new Error('mine'))),
    { message: 'mine' },
  )
  t.equal(await doUpkeep(url, async () => undefined), true)
})

test('after a lost connection, the next node may begin', async (t) => {
  const { url, admin } = await scene(t)
  const lost = doUpkeep(url, async () => {
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'kontor upkeep' AND datname = current_database()`)
    while (!(await doUpkeep(url, async () => undefined)));
  })
  t.ok((await errorOf(lost)) instanceof StoreUnavailableError)
})

test('upkeep does not hold back VACUUM', async (t) => {
  const { url, admin } = await scene(t)
  await doUpkeep(url, async () => {
    const rows = await admin.query(`SELECT backend_xmin IS NULL AND backend_xid IS NULL AS "isFree"
      FROM pg_stat_activity WHERE application_name = 'kontor upkeep'
        AND datname = current_database()`)
    t.same(rows, [{ isFree: true }, { isFree: true }])
  })
})

/** Replaces the log by one of so many changes, as of a foreign writer. */
async function putLog(admin: PostgresConnection, no: number, count: number): Promise<void> {
  await admin.query(`DELETE FROM kontor.changes WHERE workspace = ${no};
    INSERT INTO kontor.changes (workspace, sequence, mark, entity, entity_id, kind)
      SELECT ${no}, 5 + i, 1000 + i, 'account', 1, 'update' FROM generate_series(1, ${count}) AS i`)
}

async function sequencesOf(admin: PostgresConnection, no: number): Promise<number[]> {
  return (await logOf(admin, no)).map(({ sequence }) => sequence)
}

test('the newest changes of each workspace are kept', async (t) => {
  const { admin } = await scene(t)
  const workspaces: number[] = []
  for (const id of ['a', 'b', 'c']) workspaces.push(await makeWorkspace(admin, id))
  let trimmedCount = 0
  const counts = fc.array(fc.nat({ max: 40 }), { minLength: 3, maxLength: 3 })
  const keptMax = fc.integer({ min: 1, max: 30 })
  await assertProperty(
    fc.asyncProperty(counts, keptMax, fc.integer({ min: 1, max: 12 }), async (all, kept, step) => {
      const expected: number[][] = []
      for (const [i, no] of workspaces.entries()) {
        await putLog(admin, no, all[i] ?? 0)
        expected.push((await sequencesOf(admin, no)).slice(-kept))
      }
      const deleted = all.reduce((sum, count) => sum + Math.max(count - kept, 0), 0)
      const heads: unknown[] = []
      for (const no of workspaces) heads.push(await versionOf(admin, no))
      assert.equal(await trimChanges(admin, { keptMax: kept, step }), deleted)
      for (const [i, no] of workspaces.entries()) {
        assert.deepEqual(await sequencesOf(admin, no), expected[i])
        assert.deepEqual(await versionOf(admin, no), heads[i])
      }
      if (deleted > step) trimmedCount += 1
    }),
    { numRuns: 40 },
  )
  t.ok(trimmedCount > 10, `${trimmedCount} times in several steps`)
})

test('a workspace that a writer holds is skipped', async (t) => {
  const { url, admin } = await scene(t)
  const writer = await connected(t, url)
  const [held, free] = [await makeWorkspace(admin, 'held'), await makeWorkspace(admin, 'free')]
  for (const no of [held, free]) await putLog(admin, no, 20)
  await writer.query('BEGIN')
  await writer.query(insertAccount(held))
  t.equal(await trimChanges(admin, { keptMax: 10, step: 3 }), 10)
  await writer.query('COMMIT')
  t.equal((await sequencesOf(admin, held)).length, 21)
  t.equal(await trimChanges(admin, { keptMax: 10, step: 3 }), 11)
  t.same(await sequencesOf(admin, held), [17, 18, 19, 20, 21, 22, 23, 24, 25, 26])
})

test('200,000 changes are kept, and trimming notifies nothing', async (t) => {
  const { url, admin } = await scene(t)
  const no = await makeWorkspace(admin, 'acme')
  await putLog(admin, no, 225_000)
  const listener = await connected(t, url)
  let toldCount = 0
  listener.client.on('notification', () => {
    toldCount += 1
  })
  await listener.query('LISTEN kontor')
  t.equal(await trimChanges(admin), 25_000)
  const [log] = await admin.query<{ count: number; first: number }>(
    `SELECT count(*) AS count, min(sequence) AS first FROM kontor.changes WHERE workspace = ${no}`,
  )
  t.same(log, { count: 200_000, first: 25_006 })
  await listener.query('SELECT 1')
  t.equal(toldCount, 0)
})
