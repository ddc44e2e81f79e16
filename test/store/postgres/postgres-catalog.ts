import { type Test, test } from 'tap'
import { insertApiKey, listApiKeys } from '../../../src/store/api-key-rows.js'
import { PostgresCatalog } from '../../../src/store/postgres/postgres-catalog.js'
import type { Work } from '../../../src/store/work.js'
import { assertCatalog } from '../../fixtures/catalog-cases.js'
import { NOW_MS } from '../../fixtures/control.js'
import { hashOfNumber } from '../../fixtures/control-units.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { openControlDatabase } from '../../fixtures/postgres-control.js'
import { insertAccount, insertTransactions } from '../../fixtures/postgres-workspace.js'

async function opened(t: Test) {
  const url = await migratedDatabase(t)
  const control = openControlDatabase(t, url)
  return { url, control, catalog: new PostgresCatalog(control, url) }
}

test('rows of workspaces are created, listed, found and deleted', async (t) => {
  const { catalog, control } = await opened(t)
  await assertCatalog(t, catalog, control)
})

test('deleting a workspace deletes its rows', async (t) => {
  const { catalog, url } = await opened(t)
  const connection = await connected(t, url)
  for (const [i, id] of ['gone', 'stays'].entries()) {
    t.match(await catalog.make(id), { engine: 'postgres', url, no: i + 1 })
    await connection.query(insertAccount(i + 1, 1))
    await connection.query(insertTransactions(i + 1, [1, 2]))
    await connection.query(`DELETE FROM kontor.transactions WHERE workspace = ${i + 1} AND id = 2`)
  }
  await catalog.delete('gone')
  for (const table of ['accounts', 'transactions', 'changes', 'deleted_ids']) {
    const sql = `SELECT DISTINCT workspace FROM kontor.${table}`
    t.same(await connection.query(sql), [{ workspace: 2 }], table)
  }
})

test('a deletion waits for a writer, and deletes its rows too', async (t) => {
  const { catalog, control, url } = await opened(t)
  await catalog.make('w')
  const writer = await connected(t, url)
  await writer.query('BEGIN')
  await writer.query('SELECT kontor.hold(1)')
  await writer.query(insertAccount(1, 1))
  const steps: string[] = []
  function* work(): Work<void> {
    steps.push('work')
    yield* insertApiKey({
      ...{ workspaceId: 'w', workspaceUid: null, name: 'n', hash: hashOfNumber(1) },
      ...{ scopes: '', accounts: 'all', ipAllow: null, createdAt: NOW_MS, expiresAt: null },
    })
  }
  const deleted = catalog.deleteAfter('w', control, work)
  const admin = await connected(t, url)
  const waiting = `SELECT FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`
  while ((await admin.query(waiting)).length === 0);
  t.same(steps, [], 'the workspace is held before anything is written')
  await writer.query('COMMIT')
  await deleted
  t.same(await admin.query('SELECT FROM kontor.accounts'), [])
  t.equal((await control.look(listApiKeys)).length, 1, 'the work is done')
  const [row] = await writer.query<{ held: boolean }>('SELECT kontor.hold(1) AS held')
  t.equal(row?.held, false, 'the next writer learns that it is gone')
})
