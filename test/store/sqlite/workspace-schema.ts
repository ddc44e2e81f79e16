// Constraints and logging of the schema itself, for any writer: other programs write to the file
// too.
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { CONTROL_MIGRATIONS } from '../../../src/store/sqlite/control-schema.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import type { Connection } from '../../../src/store/sqlite/sqlite-driver.js'
import { WORKSPACE_MIGRATIONS } from '../../../src/store/sqlite/workspace-schema.js'

function opened(t: Test, migrations: readonly string[]): Connection {
  const connection = openDatabase(join(t.testdir(), 'a.db'), migrations)
  t.teardown(() => connection.close())
  return connection
}

const ACCOUNT = { id: 1, currency: "'EUR'", created_at: 0, updated_at: 0 }
const CATEGORY = { id: 1, name: "'Miete'" }
const TRANSACTION = {
  id: 1,
  account_id: 1,
  amount_unscaled: -100,
  amount_scale: 2,
  currency: "'EUR'",
  created_at: 0,
  updated_at: 0,
  import_date: 0,
}

type Values = Readonly<Record<string, string | number>>

function insert(table: string, values: Values): string {
  return `INSERT INTO ${table} (${Object.keys(values)}) VALUES (${Object.values(values)})`
}

const REFUSED: readonly (readonly [table: string, values: Values])[] = [
  ['accounts', { ...ACCOUNT, id: 0 }],
  ['accounts', { ...ACCOUNT, id: '9007199254740992' }],
  ['accounts', { ...ACCOUNT, currency: "'eur'" }],
  ['accounts', { ...ACCOUNT, currency: "'EURO'" }],
  ['accounts', { ...ACCOUNT, currency: 'NULL' }],
  ['accounts', { ...ACCOUNT, created_at: 'NULL' }],
  ['accounts', { ...ACCOUNT, updated_at: '253402300800000' }],
  ['accounts', { ...ACCOUNT, balance_unscaled: 1 }],
  ['accounts', { ...ACCOUNT, balance_scale: 1 }],
  ['accounts', { ...ACCOUNT, balance_unscaled: 1.5, balance_scale: 0 }],
  ['accounts', { ...ACCOUNT, balance_unscaled: 1, balance_scale: 6 }],
  ['categories', { ...CATEGORY, name: "''" }],
  ['categories', { ...CATEGORY, parent_id: 99 }],
  ['transactions', { ...TRANSACTION, account_id: 99 }],
  ['transactions', { ...TRANSACTION, category_id: 99 }],
  ['transactions', { ...TRANSACTION, amount_unscaled: '1000000000000000' }],
  ['transactions', { ...TRANSACTION, amount_unscaled: 'NULL', amount_scale: 'NULL' }],
  ['transactions', { ...TRANSACTION, amount_unscaled: 0.5 }],
  ['transactions', { ...TRANSACTION, amount_scale: -1 }],
  ['transactions', { ...TRANSACTION, booking_date: '-62167219200001' }],
  ['transactions', { ...TRANSACTION, booking_date: "'2026-01-01'" }],
  ['transactions', { ...TRANSACTION, original_amount_unscaled: 5 }],
  ['transactions', { ...TRANSACTION, original_currency: "'€'" }],
  ['transactions', { ...TRANSACTION, purpose: "x'00'" }],
]

test('a row that could not be served is refused', async (t) => {
  const connection = opened(t, WORKSPACE_MIGRATIONS)
  for (const [table, values] of REFUSED) {
    if (table === 'transactions') {
      const setting = 'INSERT OR IGNORE INTO accounts (id, currency, created_at, updated_at)'
      connection.exec(`${setting} VALUES (1, 'EUR', 0, 0)`)
    }
    const sql = insert(table, values)
    t.throws(() => connection.exec(sql), { name: 'SqliteError', code: /^SQLITE_CONSTRAINT/ }, sql)
  }
  connection.exec(insert('categories', CATEGORY))
  connection.exec(insert('transactions', TRANSACTION))
  t.pass('and the valid ones are not')
})

test('each change is logged, cascades and new ids included', async (t) => {
  const connection = opened(t, WORKSPACE_MIGRATIONS)
  const logged = (sql: string): string[] => {
    const last = connection.prepare('SELECT coalesce(max(sequence), 0) AS n FROM changes').get()
    connection.exec(sql)
    const rows = connection
      .prepare('SELECT entity, entity_id AS id, kind FROM changes WHERE sequence > ?')
      .all((last as { n: number }).n)
    return (rows as { entity: string; id: number; kind: string }[]).map(
      ({ entity, id, kind }) => `${kind} ${entity} ${id}`,
    )
  }
  t.same(logged(insert('accounts', ACCOUNT)), ['insert account 1'])
  t.same(logged(insert('categories', CATEGORY)), ['insert category 1'])
  const filed = { ...TRANSACTION, category_id: 1 }
  t.same(logged(insert('transactions', filed)), ['insert transaction 1'])
  t.same(logged(insert('transactions', { ...filed, id: 7 })), ['insert transaction 7'])
  t.same(logged('UPDATE accounts SET name = 1'), ['update account 1'])
  t.same(logged('UPDATE transactions SET purpose = 1 WHERE id = 7'), ['update transaction 7'])
  t.same(logged('UPDATE transactions SET id = 9 WHERE id = 7'), [
    'delete transaction 7',
    'insert transaction 9',
  ])
  t.same(logged('DELETE FROM categories').toSorted(), [
    'delete category 1',
    'update transaction 1',
    'update transaction 9',
  ])
  t.same(logged('DELETE FROM accounts').toSorted(), [
    'delete account 1',
    'delete transaction 1',
    'delete transaction 9',
  ])
})

test('an id is never used again', async (t) => {
  const connection = opened(t, WORKSPACE_MIGRATIONS)
  connection.exec(insert('accounts', ACCOUNT))
  const { id: _, ...unnumbered } = TRANSACTION
  connection.exec(insert('transactions', { ...TRANSACTION, id: 41 }))
  connection.exec('DELETE FROM transactions')
  connection.exec(insert('transactions', unnumbered))
  t.same(connection.prepare('SELECT id FROM transactions').all(), [{ id: 42 }])
})

test('ids that were free before this table existed count as used', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const [first = ''] = WORKSPACE_MIGRATIONS
  const old = openDatabase(path, [first])
  for (const id of [2, 3, 6, 9]) old.exec(insert('accounts', { ...ACCOUNT, id }))
  old.exec('DELETE FROM accounts WHERE id = 9')
  old.close()
  const connection = openDatabase(path, WORKSPACE_MIGRATIONS)
  t.teardown(() => connection.close())
  t.strictSame(connection.prepare('SELECT * FROM deleted_ids').raw().all(), [
    ['account', 1, 1],
    ['account', 4, 5],
    ['account', 7, 9],
  ])
  const message = 'this id of accounts was deleted; ids are never used again'
  for (const id of [1, 4, 5, 9]) {
    t.throws(() => connection.exec(insert('accounts', { ...ACCOUNT, id })), { message })
  }
  const { id: _, ...unnumbered } = ACCOUNT
  connection.exec(insert('accounts', unnumbered))
  connection.exec(insert('accounts', { ...ACCOUNT, id: 12 }))
  connection.exec(insert('accounts', { ...ACCOUNT, id: 11 }))
  t.same(connection.prepare('SELECT id FROM accounts').pluck().all(), [2, 3, 6, 10, 11, 12])
  connection.exec('DELETE FROM sqlite_sequence; DELETE FROM accounts WHERE id > 6')
  t.throws(() => connection.exec(insert('accounts', unnumbered)), { message })
})

test('a file of before gets the table of entries, which go with their account', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const old = openDatabase(path, WORKSPACE_MIGRATIONS.slice(0, 2))
  old.exec(insert('accounts', ACCOUNT))
  old.exec(insert('transactions', TRANSACTION))
  old.close()
  const connection = openDatabase(path, WORKSPACE_MIGRATIONS)
  t.teardown(() => connection.close())
  const sixteen = `x'${'ab'.repeat(16)}'`
  const kept = { account_id: 1, entry: sixteen, identities: `x'${'cd'.repeat(32)}'` }
  connection.exec(insert('statement_entries', kept))
  const wrong = [
    { ...kept, entry: "x'ab'" },
    { ...kept, entry: `x'${'ef'.repeat(16)}'`, identities: "x'ab'" },
    { ...kept, entry: `x'${'ef'.repeat(16)}'`, account_id: 2 },
    kept,
  ]
  for (const values of wrong) {
    const sql = insert('statement_entries', values)
    t.throws(() => connection.exec(sql), { code: /^SQLITE_CONSTRAINT/ }, sql)
  }
  connection.exec('DELETE FROM accounts')
  t.same(connection.prepare('SELECT * FROM statement_entries').all(), [])
})

test('a file of before gets the table of statements, which go with their account', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const old = openDatabase(path, WORKSPACE_MIGRATIONS.slice(0, 4))
  old.exec(insert('accounts', ACCOUNT))
  old.close()
  const connection = openDatabase(path, WORKSPACE_MIGRATIONS)
  t.teardown(() => connection.close())
  const days = { first_day: 1, last_day: 2 }
  const balances = { currency: "'EUR'", opening: "'1'", closing: "'2'" }
  const entries = `x'${'cd'.repeat(25)}'`
  const kept = { account_id: 1, statement: `x'${'ab'.repeat(16)}'`, ...balances, ...days, entries }
  connection.exec(insert('statements', kept))
  const other = { ...kept, statement: `x'${'ef'.repeat(16)}'` }
  const wrong = [
    kept,
    { ...other, statement: "x'ab'" },
    { ...other, entries: "x'ab'" },
    { ...other, first_day: 3 },
    { ...other, currency: "'eur'" },
    { ...other, account_id: 2 },
  ]
  for (const values of wrong) {
    const sql = insert('statements', values)
    t.throws(() => connection.exec(sql), { code: /^SQLITE_CONSTRAINT/ }, sql)
  }
  connection.exec(insert('statements', other))
  connection.exec('DELETE FROM accounts')
  t.same(connection.prepare('SELECT * FROM statements').all(), [])
})

test('equal identities are refused within one account', async (t) => {
  const connection = opened(t, WORKSPACE_MIGRATIONS)
  connection.exec(insert('accounts', ACCOUNT))
  connection.exec(insert('accounts', { ...ACCOUNT, id: 2 }))
  const known = { ...TRANSACTION, identity: "x'aa'" }
  connection.exec(insert('transactions', known))
  const again = insert('transactions', { ...known, id: 2 })
  t.throws(() => connection.exec(again), { code: 'SQLITE_CONSTRAINT_UNIQUE' })
  connection.exec(insert('transactions', { ...known, id: 2, account_id: 2 }))
  connection.exec(insert('transactions', { ...TRANSACTION, id: 3 }))
  connection.exec(insert('transactions', { ...TRANSACTION, id: 4 }))
  t.pass('rows without an identity are never equal')
})

test('control.db accepts a hash once, of 32 bytes', async (t) => {
  const connection = opened(t, CONTROL_MIGRATIONS)
  const key = { workspace_id: "'w'", name: "'n'", scopes: "''", accounts: "'all'", created_at: 0 }
  const hash = `x'${'ab'.repeat(32)}'`
  connection.exec(insert('api_keys', { ...key, hash }))
  const again = insert('api_keys', { ...key, hash })
  t.throws(() => connection.exec(again), { code: 'SQLITE_CONSTRAINT_UNIQUE' })
  const short = insert('api_keys', { ...key, hash: "x'ab'" })
  t.throws(() => connection.exec(short), { code: 'SQLITE_CONSTRAINT_CHECK' })
  connection.exec('DELETE FROM api_keys')
  connection.exec(insert('api_keys', { ...key, hash }))
  t.same(connection.prepare('SELECT id FROM api_keys').all(), [{ id: 2 }], 'nor an id again')
})

test('a migration notes the rows that imports wrote before it', async (t) => {
  const connection = opened(t, WORKSPACE_MIGRATIONS.slice(0, 2))
  connection.exec(insert('accounts', ACCOUNT))
  connection.exec(insert('transactions', { ...TRANSACTION, id: 7, identity: "x'ab'" }))
  connection.exec(insert('transactions', { ...TRANSACTION, id: 9 }))
  connection.exec(WORKSPACE_MIGRATIONS[2] ?? '')
  const last = connection.prepare('SELECT earlier_rows_last FROM workspace').pluck()
  t.equal(last.get(), 7, 'not those of other writers')
  for (const [id, migration] of [
    [12, WORKSPACE_MIGRATIONS[3]],
    [13, WORKSPACE_MIGRATIONS[4]],
  ] as const) {
    connection.exec(insert('transactions', { ...TRANSACTION, id, identity: `x'${id}'` }))
    connection.exec(migration ?? '')
    t.equal(last.get(), id, 'those of the readers of the version in between too')
  }
  const empty = openDatabase(join(t.testdirName, 'b.db'), WORKSPACE_MIGRATIONS)
  t.equal(empty.prepare('SELECT earlier_rows_last FROM workspace').pluck().get(), 0)
  empty.close()
})
