// Constraints of the schema `kontor_control` itself, its counters and its audit log.
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { CONTROL_MIGRATIONS } from '../../../src/store/sqlite/control-schema.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'

async function opened(t: Test): Promise<PostgresConnection> {
  return connected(t, await migratedDatabase(t))
}

const HASH = `'\\x${'ab'.repeat(32)}'`
const OTHER_HASH = `'\\x${'cd'.repeat(32)}'`

const KEY = `INSERT INTO api_keys (workspace_id, hash, name, scopes, accounts, created_at)
  VALUES ('w', ${HASH}, 'n', '', 'all', 0)`
const INTEGRATION = `INSERT INTO integrations (id, workspace_id, kind, name, active, accounts,
  tools, scopes, dcr, code_ms, access_ms, refresh_ms, mask_ibans, mask_names, created_at,
  updated_at) VALUES ('i', 'w', 'mcp', 'n', 1, 'all', 'all', '', 0, 1, 1, 1, 0, 0, 0, 0)`
const MCP_KEY = `INSERT INTO mcp_keys (integration_id, hash, name, scopes, created_at)
  VALUES ('i', ${HASH}, 'n', '', 0)`
const CLIENT = `INSERT INTO clients (id, integration_id, name, type, secret_hash, redirect_uris,
  scopes, active, registered, created_at)
  VALUES ('c', 'i', 'n', 'public', NULL, '[]', '', 1, 'dynamic', 0)`
const OPERATOR = `INSERT INTO operators (name, password, created_at)
  VALUES ('anna', '$scrypt$', 0)`
const GRANT = `INSERT INTO grants (id, client_id, integration_id, operator_id, scope, created_at,
  expires_at) VALUES (1, 'c', 'i', NULL, '', 0, 253402300799999)`
const TOKEN = `INSERT INTO tokens (grant_id, generation, access_hash, refresh_hash, access_scope,
  refresh_scope, created_at, access_expires_at, refresh_expires_at)
  VALUES (1, 1, ${HASH}, ${OTHER_HASH}, '', '', 0, 5, 9)`
const AUDIT = "INSERT INTO audit (at, actor, action, outcome) VALUES (0, 'cli', 'x', 'ok')"

const REFUSED: readonly string[] = [
  KEY.replace(HASH, "'\\xab'"),
  INTEGRATION.replace("'i'", "'a b'"),
  INTEGRATION.replace("'i'", "''"),
  INTEGRATION.replace("'i'", "'é'"),
  INTEGRATION.replace("'mcp'", "'saml'"),
  INTEGRATION.replace('1, 1, 1', '1, 0, 1'),
  INTEGRATION.replace("'n', 1", "'n', 2"),
  INTEGRATION.replace("'mcp'", "'oauth2'").replace("'', 0", "'', 1"),
  MCP_KEY.replace("'i'", "'none'"),
  CLIENT.replace("'i'", "'none'"),
  CLIENT.replace("'public'", "'confidential'"),
  CLIENT.replace('NULL', HASH),
  CLIENT.replace("'public', NULL", "'confidential', '\\xab'"),
  CLIENT.replace("'[]'", "'{}'"),
  CLIENT.replace("'[]'", "'x'"),
  OPERATOR.replace('$scrypt$', 'plain text'),
  `INSERT INTO sessions VALUES (${HASH}, 99, 0, 0)`,
  TOKEN.replace('(1, 1', '(99, 1'),
  TOKEN.replace(HASH, 'NULL').replace(OTHER_HASH, 'NULL'),
  TOKEN.replace(HASH, "'\\xab'"),
  AUDIT.replace("'ok'", "'perhaps'"),
  `INSERT INTO audit (at, actor, action, outcome, detail) VALUES (0, 'cli', 'x', 'ok', '{')`,
  "INSERT INTO refusals VALUES (1, '{', 1)",
  "INSERT INTO refusals VALUES (1, '{}', 0)",
  `INSERT INTO attempts VALUES ('session', ${HASH}, 1, 0)`,
  "INSERT INTO attempts VALUES ('name', 'anna', 1, 0)",
  "INSERT INTO nodes VALUES ('n', 0, 1, -1, 0, '0.3.0', 0)",
]

const ACCEPTED = [KEY, INTEGRATION, MCP_KEY, CLIENT, OPERATOR, GRANT, TOKEN, AUDIT]

test('an invalid row is refused', async (t) => {
  const connection = await opened(t)
  for (const sql of REFUSED) {
    await connection.query('BEGIN')
    if (!/INTO (api_keys|integrations)/.test(sql)) await connection.query(INTEGRATION)
    if (/INTO (grants|tokens)/.test(sql)) await connection.query(`${CLIENT}; ${GRANT}`)
    await t.rejects(connection.query(sql), { name: 'StoreError' }, sql)
    await connection.query('ROLLBACK')
  }
  for (const sql of ACCEPTED) await connection.query(sql)
  await t.rejects(connection.query(KEY), { cause: { code: '23505' } }, 'a hash is there once')
  t.same(await connection.query('SELECT expires_at FROM tokens'), [{ expires_at: 9 }])
  await connection.query('DELETE FROM integrations')
  t.same(await connection.query('SELECT FROM tokens'), [], 'and go with their integration')
})

/** Columns that only one of the engines has. */
const ONLY_POSTGRES = [
  ...['integrations.number', 'clients.number', 'api_keys.version', 'integrations.version'],
  ...['mcp_keys.version', 'migrations', 'versions', 'nodes'],
]
const ONLY_SQLITE = ['key_version']

test('the tables have the columns of control.db', async (t) => {
  const connection = await opened(t)
  const sqlite = openDatabase(':memory:', CONTROL_MIGRATIONS)
  t.teardown(() => sqlite.close())
  const columns = (found: unknown, left: readonly string[]): string[] =>
    (found as { table: string; column: string }[])
      .filter(({ table, column }) => !left.includes(table) && !left.includes(`${table}.${column}`))
      .map(({ table, column }) => `${table}.${column}`)
      .sort()
  const inSqlite = sqlite.prepare(`SELECT t.name AS "table", c.name AS "column"
    FROM sqlite_schema t, pragma_table_xinfo(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'`)
  const inPostgres = await connection.query(`SELECT table_name AS "table",
    column_name AS "column" FROM information_schema.columns WHERE table_schema = 'kontor_control'`)
  t.same(columns(inPostgres, ONLY_POSTGRES), columns(inSqlite.all(), ONLY_SQLITE))
})

interface Versions {
  readonly control: number
  readonly mark: number
  readonly keys: number
  readonly keysRemoved: number
}

async function versionsOf(connection: PostgresConnection): Promise<Versions> {
  const [row] = await connection.query<Versions>(
    'SELECT control, mark, keys, keys_removed AS "keysRemoved" FROM versions',
  )
  return row ?? { control: 0, mark: 0, keys: 0, keysRemoved: 0 }
}

/** Which counters a statement moves; none moves without \`control\`. */
const COUNTED: readonly (readonly [
  sql: string,
  moved: 'nothing' | 'control' | 'keys' | 'removed',
])[] = [
  [KEY, 'keys'],
  ["UPDATE api_keys SET scopes = 'x'", 'keys'],
  ["UPDATE api_keys SET workspace_uid = 'x'", 'keys'],
  ["UPDATE api_keys SET last_used_at = 1, last_used_operation = 'x'", 'nothing'],
  [INTEGRATION, 'keys'],
  ['UPDATE integrations SET active = 0', 'keys'],
  [MCP_KEY, 'keys'],
  ['UPDATE mcp_keys SET revoked_at = 1', 'keys'],
  ['UPDATE mcp_keys SET last_used_at = 1', 'nothing'],
  [CLIENT, 'nothing'],
  ['UPDATE clients SET active = 1', 'control'],
  [OPERATOR, 'nothing'],
  ["UPDATE operators SET password = '$scrypt$x'", 'control'],
  [GRANT, 'nothing'],
  [TOKEN, 'nothing'],
  ['UPDATE tokens SET used_at = 1', 'nothing'],
  ['UPDATE grants SET expires_at = 253402300799998', 'nothing'],
  [GRANT.replace('(1,', '(2,'), 'nothing'],
  ['UPDATE grants SET revoked_at = 1 WHERE id = 1', 'control'],
  ['UPDATE grants SET revoked_at = 1 WHERE id = 1', 'nothing'],
  ['DELETE FROM grants WHERE id = 1', 'nothing'],
  ['DELETE FROM grants WHERE id = 2', 'control'],
  [GRANT.replace('253402300799999', '1'), 'nothing'],
  ['DELETE FROM grants', 'nothing'],
  [AUDIT, 'nothing'],
  ['DELETE FROM operators', 'control'],
  ['DELETE FROM clients', 'control'],
  ['DELETE FROM clients', 'nothing'],
  ['DELETE FROM mcp_keys', 'removed'],
  ['DELETE FROM integrations', 'removed'],
  ['DELETE FROM api_keys', 'removed'],
  ['DELETE FROM api_keys', 'nothing'],
]

test('counters grow with changes of access, and listeners are notified', async (t) => {
  const url = await migratedDatabase(t)
  const connection = await connected(t, url)
  const listener = await connected(t, url)
  let told = 0
  listener.client.on('notification', () => {
    told += 1
  })
  await listener.query('LISTEN kontor_control')
  for (const [sql, moved] of COUNTED) {
    const before = await versionsOf(connection)
    told = 0
    await connection.query(sql)
    await listener.query('SELECT 1')
    const after = await versionsOf(connection)
    t.equal(after.control > before.control, moved !== 'nothing', sql)
    t.equal(after.mark !== before.mark, moved !== 'nothing', sql)
    t.equal(after.keys > before.keys, moved === 'keys' || moved === 'removed', sql)
    t.equal(after.keysRemoved > before.keysRemoved, moved === 'removed', sql)
    t.equal(told, moved === 'nothing' ? 0 : 1, sql)
    const written = /(?:INTO|UPDATE) (api_keys|mcp_keys|integrations)/.exec(sql)?.[1]
    if (moved !== 'keys') continue
    const rows = await connection.query(`SELECT version FROM ${written} WHERE version > $1`, [
      before.control,
    ])
    t.same(rows, [{ version: after.keys }], 'and the row has the version')
  }
})

test('a transaction is counted once, with all that it changes', async (t) => {
  const connection = await connected(t, await migratedDatabase(t))
  for (const sql of [KEY, INTEGRATION, CLIENT, OPERATOR]) await connection.query(sql)
  for (const id of [1, 2, 3]) await connection.query(GRANT.replace('(1,', `(${id},`))
  const before = await versionsOf(connection)
  await connection.query('UPDATE grants SET revoked_at = 1')
  const ended = await versionsOf(connection)
  t.match(ended, { control: before.control + 1, keys: before.keys })
  await connection.query("BEGIN; DELETE FROM clients; UPDATE api_keys SET scopes = 'x'")
  await connection.query('DELETE FROM integrations; COMMIT')
  const control = ended.control + 1
  t.match(await versionsOf(connection), { control, keys: control, keysRemoved: control })
  t.match(await connection.query('SELECT version FROM api_keys'), [{ version: control }])
})

test('versions are in the order of commits', async (t) => {
  const url = await migratedDatabase(t)
  const [one, two] = [await connected(t, url), await connected(t, url)]
  await one.query('BEGIN')
  await one.query(KEY)
  let isWritten = false
  const second = two.query(KEY.replace(HASH, OTHER_HASH)).then(() => {
    isWritten = true
  })
  await one.query('SELECT 1')
  t.notOk(isWritten)
  await one.query('COMMIT')
  await second
  const rows = await one.query('SELECT id, version FROM api_keys ORDER BY id')
  t.same(rows.length, 2)
  t.same(rows.at(-1), { id: 2, version: (await versionsOf(one)).keys })
})

test('the audit log accepts inserts, and deletes that a trim records', async (t) => {
  const connection = await opened(t)
  for (let i = 0; i < 5; i++) await connection.query(AUDIT)
  const refused = { message: /the audit log is append-only/ }
  const all = 'DELETE FROM audit'
  const upsert = `${AUDIT.replace('(at', '(sequence, at').replace('(0', '(1, 0')}
    ON CONFLICT (sequence) DO UPDATE SET actor = 'x'`
  for (const sql of ["UPDATE audit SET actor = 'x'", 'TRUNCATE audit', all, upsert]) {
    await t.rejects(connection.query(sql), refused, sql)
  }
  const trim = (last: number): string => `INSERT INTO audit (at, actor, action, outcome, detail)
    VALUES (0, 'cli', 'audit.trim', 'ok', '{"last":${last}}')`
  const trimmed = "DELETE FROM audit WHERE sequence <= 3 AND action <> 'audit.trim'"
  await connection.query(trim(3))
  await t.rejects(connection.query(trimmed), refused, 'in another transaction than its record')
  await t.rejects(connection.query(`BEGIN; ${trim(2)}; ${trimmed}`), refused, 'more than recorded')
  await connection.query('ROLLBACK')
  await connection.query(`BEGIN; ${trim(3)}; ${AUDIT}; ${trimmed}; COMMIT`)
  await t.rejects(connection.query(`BEGIN; ${trim(99)}; ${all}`), refused, 'not records of trims')
  await connection.query('ROLLBACK')
  const rows = await connection.query<{ action: string }>('SELECT action FROM audit ORDER BY 1')
  t.same(
    rows.map(({ action }) => action),
    ['audit.trim', 'audit.trim', 'x', 'x', 'x'],
  )
  const [key] = await connection.query<{ key: Buffer }>('SELECT key FROM audit_key')
  t.equal(key?.key.length, 32)
})
