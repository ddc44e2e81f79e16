// Constraints of the schema `kontor` itself, for any writer.
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import {
  insertAccount,
  insertTransactions,
  logLines,
  makeWorkspace,
} from '../../fixtures/postgres-workspace.js'

async function opened(t: Test): Promise<PostgresConnection> {
  const connection = await connected(t, await migratedDatabase(t))
  await makeWorkspace(connection, 'acme')
  return connection
}

const ACCOUNT = { workspace: 1, id: 1, currency: "'EUR'", created_at: 0, updated_at: 0 }
const CATEGORY = { workspace: 1, id: 1, name: "'Miete'" }
const TRANSACTION = {
  ...{ workspace: 1, id: 1, account_id: 1 },
  ...{ amount_unscaled: -100, amount_scale: 2, currency: "'EUR'" },
  ...{ created_at: 0, updated_at: 0, import_date: 0 },
}
const SIXTEEN = `'\\x${'ab'.repeat(16)}'`
const STATEMENT = {
  ...{ workspace: 1, account_id: 1, statement: SIXTEEN, currency: "'EUR'" },
  ...{ opening: "'1'", closing: "'2'", first_day: 1, last_day: 2 },
  entries: `'\\x${'cd'.repeat(25)}'`,
}
const ENTRY = { workspace: 1, account_id: 1, entry: SIXTEEN, identities: SIXTEEN }

type Values = Readonly<Record<string, string | number>>

function insert(table: string, values: Values): string {
  return `INSERT INTO kontor.${table} (${Object.keys(values)}) VALUES (${Object.values(values)})`
}

const REFUSED: readonly (readonly [table: string, values: Values])[] = [
  ['workspaces', { id: "''" }],
  ['workspaces', { id: "'a b'" }],
  ['workspaces', { id: `'${'x'.repeat(129)}'` }],
  ['workspaces', { id: "'a\n'" }],
  ['workspaces', { id: "'acme'" }],
  ['workspaces', { id: "'b'", created_at: '253402300800000' }],
  ['accounts', { ...ACCOUNT, workspace: 2 }],
  ['accounts', { ...ACCOUNT, workspace: 'NULL', id: 'NULL' }],
  ['accounts', { ...ACCOUNT, id: 0 }],
  ['accounts', { ...ACCOUNT, id: '9007199254740992' }],
  ['accounts', { ...ACCOUNT, currency: "'eur'" }],
  ['accounts', { ...ACCOUNT, currency: "'EURO'" }],
  ['accounts', { ...ACCOUNT, currency: "'EUR\n'" }],
  ['accounts', { ...ACCOUNT, currency: 'NULL' }],
  ['accounts', { ...ACCOUNT, created_at: 'NULL' }],
  ['accounts', { ...ACCOUNT, updated_at: '253402300800000' }],
  ['accounts', { ...ACCOUNT, balance_unscaled: 1 }],
  ['accounts', { ...ACCOUNT, balance_scale: 1 }],
  ['accounts', { ...ACCOUNT, balance_unscaled: 1, balance_scale: 6 }],
  ['categories', { ...CATEGORY, name: "''" }],
  ['categories', { ...CATEGORY, parent_id: 99 }],
  ['categories', { ...CATEGORY, workspace: 2 }],
  ['transactions', { ...TRANSACTION, account_id: 99 }],
  ['transactions', { ...TRANSACTION, workspace: 2 }],
  ['transactions', { ...TRANSACTION, category_id: 99 }],
  ['transactions', { ...TRANSACTION, parent_category_id: 99 }],
  ['transactions', { ...TRANSACTION, amount_unscaled: '1000000000000000' }],
  ['transactions', { ...TRANSACTION, amount_unscaled: 'NULL', amount_scale: 'NULL' }],
  ['transactions', { ...TRANSACTION, amount_scale: -1 }],
  ['transactions', { ...TRANSACTION, booking_date: '-62167219200001' }],
  ['transactions', { ...TRANSACTION, booking_date: "'2026-01-01'" }],
  ['transactions', { ...TRANSACTION, original_amount_unscaled: 5 }],
  ['transactions', { ...TRANSACTION, original_currency: "'€'" }],
  ['statements', { ...STATEMENT, statement: "'\\xab'" }],
  ['statements', { ...STATEMENT, entries: "'\\xab'" }],
  ['statements', { ...STATEMENT, first_day: 3 }],
  ['statements', { ...STATEMENT, currency: "'eur'" }],
  ['statements', { ...STATEMENT, account_id: 2 }],
  ['statement_entries', { ...ENTRY, entry: "'\\xab'" }],
  ['statement_entries', { ...ENTRY, identities: "'\\xab'" }],
  ['statement_entries', { ...ENTRY, account_id: 2 }],
]

test('a row that could not be served is refused', async (t) => {
  const connection = await opened(t)
  for (const [table, values] of REFUSED) {
    await connection.query('BEGIN')
    if (table !== 'accounts') await connection.query(insert('accounts', ACCOUNT))
    const sql = insert(table, values)
    await t.rejects(connection.query(sql), { name: 'StoreError' }, sql)
    await connection.query('ROLLBACK')
  }
  await connection.query(insert('accounts', ACCOUNT))
  await connection.query(insert('categories', CATEGORY))
  await connection.query(insert('transactions', TRANSACTION))
  await connection.query(insert('statements', STATEMENT))
  await connection.query(insert('statement_entries', ENTRY))
  t.pass('and the valid ones are not')
})

test('equal identities are refused within one account', async (t) => {
  const connection = await opened(t)
  await connection.query(`${insertAccount(1, 1)}, (1, 2, 'EUR', 0, 0)`)
  const known = { ...TRANSACTION, identity: "'\\xaa'" }
  await connection.query(insert('transactions', known))
  await t.rejects(connection.query(insert('transactions', { ...known, id: 2 })), {
    cause: { code: '23505' },
  })
  await connection.query(insert('transactions', { ...known, id: 2, account_id: 2 }))
  await connection.query(insertTransactions(1, [3, 4]))
  t.pass('rows without an identity are never equal')
})

test('ids are those of their workspace, ascending, and never used again', async (t) => {
  const connection = await opened(t)
  const other = await makeWorkspace(connection, 'other')
  const idsOf = async (sql: string): Promise<number[]> => {
    const rows = await connection.query<{ id: number }>(`${sql} RETURNING id`)
    return rows.map(({ id }) => id)
  }
  t.same(await idsOf(insertAccount(1)), [1])
  t.same(await idsOf(insertAccount(other)), [1])
  t.same(await idsOf(insertTransactions(1, ['NULL', 41, 'NULL'])), [1, 41, 42])
  t.same(await idsOf(insertTransactions(other)), [1])
  await connection.query('DELETE FROM kontor.transactions WHERE workspace = 1 AND id > 1')
  t.same(await idsOf(insertTransactions(1)), [43])
  t.same(await idsOf(insertTransactions(other, [42])), [42], 'those of others are free')
  const message = /this id of transactions was deleted; ids are never used again/
  for (const id of [41, 42]) {
    await t.rejects(connection.query(insertTransactions(1, [50, id])), { message })
  }
  await t.rejects(connection.query('UPDATE kontor.transactions SET id = 41 WHERE id = 43'), {
    message,
  })
  await connection.query('UPDATE kontor.transactions SET id = 60 WHERE id = 43')
  await t.rejects(connection.query(insertTransactions(1, [43])), { message })
  t.same(await idsOf(insertTransactions(1)), [61])
  await connection.query('UPDATE kontor.transactions SET id = 2 WHERE id = 61')
  const log = await logLines(connection, 1)
  t.same(log.slice(-2), ['delete transaction 61', 'insert transaction 2'], 'first it goes')
  await connection.query(insertAccount(1, 9_007_199_254_740_991))
  await t.rejects(connection.query(insertAccount(1)), {
    message: /no ids are left: a row already has the largest possible id/,
  })
})

test('a row that moves to another workspace ends in one and begins in the other', async (t) => {
  const connection = await opened(t)
  const other = await makeWorkspace(connection, 'other')
  await connection.query(insertAccount(1))
  await connection.query(`UPDATE kontor.accounts SET workspace = ${other}`)
  t.same(await logLines(connection, 1), ['insert account 1', 'delete account 1'])
  t.same(await logLines(connection, other), ['insert account 1'])
  await t.rejects(connection.query(insertAccount(1, 1)), { message: /never used again/ })
})

test('TRUNCATE is refused: it would leave ids that are used again', async (t) => {
  const connection = await opened(t)
  await connection.query(insertAccount(1))
  for (const table of ['accounts', 'categories', 'transactions']) {
    await t.rejects(connection.query(`TRUNCATE kontor.${table} CASCADE`), {
      message: /TRUNCATE of \w+ is not logged; use DELETE/,
    })
  }
})

test('deleting a workspace deletes its rows, its log and its ids', async (t) => {
  const connection = await opened(t)
  const other = await makeWorkspace(connection, 'other')
  for (const workspace of [1, other]) {
    await connection.query(insertAccount(workspace))
    await connection.query(insert('categories', { ...CATEGORY, workspace }))
    await connection.query(insertTransactions(workspace, [1, 2]))
    await connection.query(insert('statements', { ...STATEMENT, workspace }))
    await connection.query(insert('statement_entries', { ...ENTRY, workspace }))
    await connection.query(`DELETE FROM kontor.transactions WHERE id = 2`)
  }
  await connection.query("DELETE FROM kontor.workspaces WHERE id = 'acme'")
  for (const table of TABLES) {
    const found = await connection.query(`SELECT DISTINCT workspace FROM kontor.${table}`)
    t.same(found, [{ workspace: other }], table)
  }
})

const TABLES = [
  ...['accounts', 'categories', 'transactions', 'statements', 'statement_entries'],
  ...['changes', 'deleted_ids'],
]

test('views show amounts and instants as people read them', async (t) => {
  const connection = await opened(t)
  await connection.query("SET TIME ZONE 'Europe/Berlin'")
  const amount = { balance_unscaled: '-999999999999999', balance_scale: 5 }
  const instants = { created_at: '-62167219200000', updated_at: '253402300799999' }
  await connection.query(insert('accounts', { ...ACCOUNT, ...amount, ...instants }))
  await connection.query(insert('transactions', { ...TRANSACTION, booking_date: '1782864000001' }))
  const [account] = await connection.query(`SELECT workspace, balance::text, overdraft,
    (created_at AT TIME ZONE 'UTC')::text AS created, (updated_at AT TIME ZONE 'UTC')::text
      AS updated FROM kontor.readable_accounts`)
  t.same(account, {
    ...{ workspace: 'acme', balance: '-9999999999.99999', overdraft: null },
    ...{ created: '0001-01-01 00:00:00 BC', updated: '9999-12-31 23:59:59.999' },
  })
  const [transaction] = await connection.query(`SELECT id, amount::text, booking_date::text AS at,
    value_date FROM kontor.readable_transactions`)
  const at = '2026-07-01 02:00:00.001+02'
  t.same(transaction, { id: 1, amount: '-1.00', at, value_date: null })
})
