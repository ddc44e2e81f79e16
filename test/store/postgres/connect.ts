import { type Test, test } from 'tap'
import { type ConnectionOptions, PostgresConnection } from '../../../src/store/postgres/connect.js'
import { StoreUnavailableError } from '../../../src/store/store-error.js'
import { connected, emptyDatabase, errorOf, migratedDatabase } from '../../fixtures/postgres.js'

const OPTIONS: ConnectionOptions = { applicationName: 'kontor pulse' }

async function setting(connection: PostgresConnection, name: string): Promise<string | undefined> {
  const [row] = await connection.query<{ value: string }>('SELECT current_setting($1) AS value', [
    name,
  ])
  return row?.value
}

test('a connection has its own limits', async (t) => {
  const url = await emptyDatabase(t)
  const pulse = await PostgresConnection.open(url, { ...OPTIONS, statementMsMax: 1_000 })
  t.teardown(() => pulse.close())
  for (const [name, value] of [
    ['application_name', 'kontor pulse'],
    ['lock_timeout', '5s'],
    ['idle_in_transaction_session_timeout', '10s'],
    ['statement_timeout', '1s'],
    ['search_path', 'kontor_control'],
    ['client_encoding', 'UTF8'],
  ] as const) {
    t.equal(await setting(pulse, name), value, name)
  }
  t.equal(await setting(await connected(t, url), 'statement_timeout'), '0')
})

test('an int8 is a number, or an error', async (t) => {
  const connection = await connected(t, await emptyDatabase(t))
  const rows = await connection.query(
    'SELECT $1::BIGINT AS a, -9007199254740991::BIGINT AS b, 5::SMALLINT AS c, NULL::BIGINT AS d',
    [9_007_199_254_740_991],
  )
  t.same(rows, [{ a: 9_007_199_254_740_991, b: -9_007_199_254_740_991, c: 5, d: null }])
  await t.rejects(connection.query('SELECT 9007199254740992::BIGINT'), {
    name: 'StoreError',
    message: '9007199254740992 is too large: kontor supports integers up to 2^53 - 1',
  })
  t.same(await connection.query('SELECT 1 AS a'), [{ a: 1 }], 'and the connection goes on')
  t.same(await connection.query('SELECT $1::BYTEA AS a', [Buffer.from([0, 255])]), [
    { a: Buffer.from([0, 255]) },
  ])
})

test('a transaction is kept as a whole, or not at all', async (t) => {
  const url = await migratedDatabase(t)
  const connection = await connected(t, url)
  const insert = "INSERT INTO kontor.workspaces (id) VALUES ('acme')"
  const failure = connection.atomically(async () => {
    await connection.query(insert)
    throw new Error('mine')
  })
  await t.rejects(failure, { message: 'mine' })
  const failedTwice = connection.atomically(async () => {
    await connection.query(insert)
    await connection.query(insert)
  })
  await t.rejects(failedTwice, { cause: { code: '23505' } })
  t.same(await connection.query('SELECT FROM kontor.workspaces'), [])
  t.equal(await connection.atomically(async () => (await connection.query(insert)).length), 0)
  t.equal((await connection.query('SELECT FROM kontor.workspaces')).length, 1)
})

test('a lost connection rejects, and does not end the process', async (t) => {
  const url = await emptyDatabase(t)
  const admin = await connected(t, url)
  const connection = await connected(t, url)
  const [row] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const lost = connection.atomically(async () => {
    const statement = connection.query('SELECT pg_sleep(60)')
    // Awaited together: the statement may be refused before the other one is answered.
    await Promise.all([statement, admin.query('SELECT pg_terminate_backend($1)', [row?.pid ?? 0])])
  })
  t.ok((await errorOf(lost)) instanceof StoreUnavailableError)
  t.ok((await errorOf(connection.query('SELECT 1'))) instanceof StoreUnavailableError)
})

const FORM = /form postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/

const REFUSED: readonly (readonly [url: string, message: RegExp])[] = [
  ['mysql://u:secret@h/db', FORM],
  ['/var/lib/kontor', FORM],
  ['postgres://u:secret#x@h/db', FORM],
  ['postgres://u:secret@h:99999/db', FORM],
  ['postgres://u:12/secret@h/db', FORM],
  ['postgres://u:12?secret@h/db', FORM],
  ['postgres://u:12#secret@h/db', FORM],
  ['postgres://u:secret@h/db?sslmod=require', /has no sslmod, only host, sslmode, /],
  ['postgres://u:secret@h/db?sslmode=prefer', /sslmode is disable, require, verify-ca, verify-f/],
  ['postgres://u:secret@h/db?sslmode=verify-full&sslrootcert=/none/ca.pem', /\/none\/ca.pem/],
  ['postgres://u:secret@h/db?sslmode=verify-ca', FORM],
]

test('a wrong URL is refused with a sentence, without its password', async (t) => {
  for (const [url, message] of REFUSED) {
    const error = await refusalOf(t, url)
    t.match(error, { name: 'StoreError', message }, url)
    t.notMatch(JSON.stringify([error, error.stack, error.cause]), /secret/)
  }
})

async function refusalOf(t: Test, url: string): Promise<Error> {
  try {
    const connection = await PostgresConnection.open(url, OPTIONS)
    await connection.close()
    t.fail(`${url} was accepted`)
  } catch (error) {
    if (error instanceof Error) return error
  }
  return new Error('none')
}

test('an unreachable server is a StoreUnavailableError', async (t) => {
  for (const [url, message] of [
    ['postgres://u:secret@127.0.0.1:1/db', /^postgres:\/\/127.0.0.1:1\/db: the server does not an/],
    ['postgresql://u:secret@[::1]:1/db', /^postgres:\/\/\[::1\]:1\/db: the server does not answer/],
    ['postgres://u:secret@localhost:1/db', /^postgres:\/\/localhost:1\/db: .*ECONNREFUSED/],
    ['postgres://u:secret@/db?host=/nonexistent', /^postgres:\/\/\/db\?host=\/none.*ENOENT/],
    ['postgres://u:secret@none.invalid/db', /^postgres:\/\/none.invalid:5432\/db: /],
  ] as const) {
    const error = await refusalOf(t, url)
    t.ok(error instanceof StoreUnavailableError, url)
    t.match(error.message, message)
    t.notMatch(JSON.stringify([error, error.stack, error.cause]), /secret/)
  }
})

test('a refused password or a missing database is no StoreUnavailableError', async (t) => {
  const url = await emptyDatabase(t)
  const wrong = await refusalOf(t, url.replace(/:[^:@/]+@/, ':wrong-secret@'))
  t.match(wrong.message, /: the server refuses the user or the password$/)
  t.notMatch(JSON.stringify([wrong, wrong.stack]), /wrong-secret/)
  const missing = await refusalOf(t, url.replace(/kontor_test_\w+/, 'none'))
  t.match(missing.message, /\/none.*: there is no such database; create it with createdb$/)
  t.notOk(wrong instanceof StoreUnavailableError || missing instanceof StoreUnavailableError)
  const plain = await refusalOf(t, `${url}${url.includes('?') ? '&' : '?'}sslmode=require`)
  t.match(plain, { name: 'StoreError' })
})
