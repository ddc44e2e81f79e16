// What other roles may do, with the SQL that docs/internals/postgres-schema.md prints for other
// programs, and docs/operating/more-than-one-machine.md for nodes.
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { copyIn } from '../../../src/store/postgres/copy-in.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import {
  insertAccount,
  insertTransactions,
  logLines,
  makeWorkspace,
  printedSql,
} from '../../fixtures/postgres-workspace.js'

const NODES_PAGE = 'operating/more-than-one-machine.md'

/**
 * Begins a transaction in which the role `erp` of the page has been made, and is the writer. It is
 * never committed: roles are those of all databases of a server.
 */
async function foreignWriter(t: Test, headings: readonly string[]): Promise<PostgresConnection> {
  const connection = await connected(t, await migratedDatabase(t))
  for (const id of ['acme', 'other']) {
    const workspace = await makeWorkspace(connection, id)
    await connection.query(insertAccount(workspace))
    await connection.query(insertTransactions(workspace))
  }
  await connection.query('BEGIN; CREATE ROLE erp')
  for (const heading of headings) await connection.query(printedSql(heading))
  await connection.query('SET LOCAL ROLE erp')
  return connection
}

/** The error of a statement; the transaction goes on. */
async function refusal(connection: PostgresConnection, sql: string): Promise<string> {
  await connection.query('SAVEPOINT tried')
  try {
    await connection.query(sql)
    return 'none'
  } catch (error) {
    return String(error)
  } finally {
    await connection.query('ROLLBACK TO tried')
  }
}

const PRIVILEGES = 'A foreign writer needs privileges on three tables'
const POLICY = 'A policy restricts a foreign writer to its workspaces'

test('a foreign writer writes three tables, and its writes are logged', async (t) => {
  const connection = await foreignWriter(t, [PRIVILEGES])
  await connection.query(insertTransactions(1, ['NULL', 9]))
  await connection.query("UPDATE kontor.transactions SET purpose = 'x' WHERE id = 9")
  await connection.query('UPDATE kontor.transactions SET id = 10 WHERE id = 9')
  await connection.query('DELETE FROM kontor.accounts WHERE workspace = 1')
  t.match(await refusal(connection, insertAccount(1, 1)), /ids are never used again/)
  const ownId = 'INSERT INTO kontor.categories (workspace, name) VALUES (1, $1) RETURNING id'
  t.same(await connection.query(ownId, ['Miete']), [{ id: 1 }])
  const seen = await connection.query('SELECT id FROM kontor.workspaces ORDER BY id')
  t.same(seen, [{ id: 'acme' }, { id: 'other' }])
  t.same(await connection.query('SELECT DISTINCT workspace FROM kontor.readable_transactions'), [
    { workspace: 'other' },
  ])
  for (const sql of [
    'SELECT FROM kontor.changes',
    "INSERT INTO kontor.changes VALUES (1, 99, 1, 'account', 1, 'insert')",
    'DELETE FROM kontor.changes',
    'SELECT FROM kontor.deleted_ids',
    'SELECT FROM kontor.statements',
    'SELECT FROM kontor.statement_entries',
    "INSERT INTO kontor.workspaces (id) VALUES ('new')",
    'UPDATE kontor.workspaces SET uid = id',
    'TRUNCATE kontor.transactions',
    "SELECT kontor.rewritten('acme')",
    'SELECT kontor.hold(1)',
    'SELECT FROM kontor_control.api_keys',
    'CREATE TABLE kontor.own (id INTEGER)',
  ]) {
    t.match(await refusal(connection, sql), /permission denied/, sql)
  }
  await connection.query('RESET ROLE')
  t.same(await logLines(connection, 1, 2), [
    ...['insert transaction 2', 'insert transaction 9', 'update transaction 9'],
    ...['delete transaction 9', 'insert transaction 10', 'delete account 1'],
    ...['delete transaction 1', 'delete transaction 2', 'delete transaction 10'],
    'insert category 1',
  ])
})

test('no function or table of a writer shadows one of the log', async (t) => {
  const connection = await foreignWriter(t, [PRIVILEGES])
  await connection.query('RESET ROLE; CREATE SCHEMA own AUTHORIZATION erp; SET LOCAL ROLE erp')
  await connection.query('CREATE TEMPORARY TABLE changes (workspace INTEGER)')
  await connection.query('CREATE TEMPORARY TABLE workspaces (no INTEGER)')
  await connection.query(`CREATE FUNCTION own.random() RETURNS DOUBLE PRECISION LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'the function of %', current_user; END $$`)
  await connection.query('SET LOCAL search_path = pg_temp, own, kontor, pg_catalog')
  t.match(await refusal(connection, 'SELECT random()'), /the function of erp/)
  await connection.query(insertTransactions(1))
  await connection.query('RESET ROLE')
  t.same(await logLines(connection, 1, 2), ['insert transaction 2'])
})

test('a policy limits a writer to its workspaces, and its writes are logged', async (t) => {
  const connection = await foreignWriter(t, [PRIVILEGES, POLICY])
  for (const table of ['accounts', 'transactions']) {
    const seen = await connection.query(`SELECT DISTINCT workspace FROM kontor.${table}`)
    t.same(seen, [{ workspace: 1 }], table)
  }
  t.same(await connection.query('SELECT workspace FROM kontor.readable_accounts'), [
    { workspace: 'acme' },
  ])
  await connection.query(insertTransactions(1, ['NULL', 'NULL']))
  await connection.query("UPDATE kontor.transactions SET purpose = 'x'")
  for (const sql of [insertTransactions(2), insertAccount(2, 5)]) {
    t.match(await refusal(connection, sql), /row-level security/, sql)
  }
  t.match(
    await refusal(connection, 'UPDATE kontor.transactions SET workspace = 2'),
    /row-level security/,
  )
  await connection.query('DELETE FROM kontor.accounts')
  await connection.query('RESET ROLE')
  t.same(await logLines(connection, 1, 2), [
    ...['insert transaction 2', 'insert transaction 3'],
    ...['update transaction 1', 'update transaction 2', 'update transaction 3'],
    ...['delete account 1'],
    ...['delete transaction 1', 'delete transaction 2', 'delete transaction 3'],
  ])
  t.same(await logLines(connection, 2, 2), [], 'the other workspace is as it was')
})

test('a foreign writer inserts rows by COPY', async (t) => {
  const connection = await foreignWriter(t, [PRIVILEGES])
  const columns = `workspace, id, account_id, amount_unscaled, amount_scale, currency, created_at,
    updated_at, import_date`
  const lines = (ids: readonly string[]): Buffer =>
    Buffer.from(ids.map((id) => `1\t${id}\t1\t-5\t2\tEUR\t0\t0\t0\n`).join(''))
  const copy = `COPY kontor.transactions (${columns}) FROM STDIN`
  await copyIn(connection, copy, lines(['7', '8']))
  await copyIn(connection, copy, lines(['\\N', '\\N']))
  await connection.query('RESET ROLE')
  t.same(await logLines(connection, 1, 2), [
    ...['insert transaction 7', 'insert transaction 8'],
    ...['insert transaction 9', 'insert transaction 10'],
  ])
  await connection.query('SAVEPOINT tried; DELETE FROM kontor.transactions WHERE id = 8')
  await t.rejects(copyIn(connection, copy, lines(['8'])), { message: /never used again/ })
})

test('a node that does not own the tables reads and writes all of them', async (t) => {
  const connection = await foreignWriter(t, [])
  await connection.query('RESET ROLE; CREATE ROLE kontor_node')
  await connection.query(printedSql('Privileges', NODES_PAGE))
  await connection.query('SET LOCAL ROLE kontor_node')
  const tables = await connection.query<{ name: string; isGranted: boolean }>(
    `SELECT c.oid::regclass::text AS name, bool_and(has_table_privilege(c.oid, p)) AS "isGranted"
      FROM pg_class AS c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p
      WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('kontor', 'kontor_control')
      GROUP BY c.oid`,
  )
  t.ok(tables.length > 20, `${tables.length} tables`)
  for (const { name, isGranted } of tables) t.ok(isGranted, name)
  await connection.query("INSERT INTO kontor.workspaces (id) VALUES ('third')")
  await connection.query('SELECT kontor.hold(1)')
  await connection.query(insertTransactions(1))
  await connection.query('DELETE FROM kontor.changes WHERE workspace = 1')
  await connection.query("SELECT kontor.rewritten('acme')")
  await connection.query("DELETE FROM kontor.workspaces WHERE id = 'other'")
  await connection.query(`INSERT INTO kontor_control.nodes
    VALUES ('n', 0, 0, 0, 0, '0.3.0', 0)`)
  t.match(await refusal(connection, 'DROP TABLE kontor.changes'), /must be owner/)
  t.match(await refusal(connection, 'CREATE TABLE kontor.own (id INTEGER)'), /permission denied/)
})
