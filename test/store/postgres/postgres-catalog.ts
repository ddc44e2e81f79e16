import { type Test, test } from 'tap'
import { insertApiKey, listApiKeys } from '../../../src/store/api-key-rows.js'
import { isThere, openWriter } from '../../../src/store/open-workspace.js'
import { removeDeletedWorkspaces } from '../../../src/store/postgres/deleted-workspaces.js'
import { PostgresCatalog } from '../../../src/store/postgres/postgres-catalog.js'
import type { Work } from '../../../src/store/work.js'
import { assertCatalog } from '../../fixtures/catalog-cases.js'
import { NOW_MS } from '../../fixtures/control.js'
import { hashOfNumber } from '../../fixtures/control-units.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { openControlDatabase } from '../../fixtures/postgres-control.js'
import { insertAccount, insertTransactions } from '../../fixtures/postgres-workspace.js'

const TABLES = [
  ...['accounts', 'transactions', 'statement_entries', 'statements', 'changes', 'deleted_ids'],
] as const

/** The INSERT of a statement of the account 1, and of its entry. */
function insertStatement(workspace: number): string {
  const digest = `'\\x${'0'.repeat(32)}'`
  return `INSERT INTO kontor.statement_entries (workspace, account_id, entry, identities)
      VALUES (${workspace}, 1, ${digest}, '');
    INSERT INTO kontor.statements (workspace, account_id, statement, currency, opening, closing,
      first_day, last_day, entries) VALUES (${workspace}, 1, ${digest}, 'EUR', '0', '0', 1, 1, '')`
}

async function opened(t: Test) {
  const url = await migratedDatabase(t)
  const control = openControlDatabase(t, url)
  return { url, control, catalog: new PostgresCatalog(control, url) }
}

function addKey(): Work<number> {
  return insertApiKey({
    ...{ workspaceId: 'w', workspaceUid: null, name: 'n', hash: hashOfNumber(1) },
    ...{ scopes: '', accounts: 'all', ipAllow: null, createdAt: NOW_MS, expiresAt: null },
  })
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
    await connection.query(insertStatement(i + 1))
  }
  await catalog.delete('gone')
  t.same(await connection.query('SELECT no FROM kontor.workspaces'), [{ no: 2 }])
  for (const table of TABLES) {
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
    yield* addKey()
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

test('while its rows are removed, a workspace is gone and keys can be changed', async (t) => {
  const { catalog, control, url } = await opened(t)
  const address = await catalog.make('w')
  const admin = await connected(t, url)
  await admin.query(insertAccount(1, 1))
  await admin.query(insertTransactions(1, [1, 2, 3]))
  await admin.query('BEGIN; SELECT FROM kontor.transactions WHERE id = 2 FOR UPDATE')
  const deleted = catalog.delete('w')
  while ((await catalog.find('w')) !== undefined);
  t.same(await catalog.list(), [])
  t.notOk(await isThere(address))
  await t.rejects(openWriter(address), /there is no workspace with the number 1/)
  await control.alone(addKey)
  t.match(await catalog.make('w'), { no: 2 }, 'another one has its id')
  await admin.query('COMMIT')
  await deleted
  t.same(await admin.query('SELECT no, id FROM kontor.workspaces'), [{ no: 2, id: 'w' }])
  t.same(await admin.query('SELECT FROM kontor.transactions'), [])
})

test('a removal goes on where another one was ended', async (t) => {
  const { catalog, url } = await opened(t)
  const admin = await connected(t, url)
  for (const [i, id] of ['gone', 'stays'].entries()) {
    await catalog.make(id)
    await admin.query(insertAccount(i + 1, 1))
    await admin.query(insertTransactions(i + 1, [1, 2, 3]))
  }
  await admin.query("UPDATE kontor.workspaces SET id = NULL WHERE id = 'gone'")
  const left = async (): Promise<number[]> => {
    const sql = 'SELECT workspace FROM kontor.transactions ORDER BY workspace'
    return (await admin.query<{ workspace: number }>(sql)).map(({ workspace }) => workspace)
  }
  await removeDeletedWorkspaces(admin, { step: 2, signal: AbortSignal.abort() })
  t.same(await left(), [1, 2, 2, 2])
  await Promise.all([removeDeletedWorkspaces(admin, { step: 2 }), catalog.delete('none')])
  t.same(await left(), [2, 2, 2])
  t.same(await catalog.list(), ['stays'])
  t.same(await admin.query('SELECT no FROM kontor.workspaces'), [{ no: 2 }])
})
