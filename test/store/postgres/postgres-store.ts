import { join } from 'node:path'
import { type Test, test } from 'tap'
import { listOperators } from '../../../src/store/operator-rows.js'
import { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { PostgresStore } from '../../../src/store/postgres/postgres-store.js'
import { connected, emptyDatabase, PROGRAM, urlFor } from '../../fixtures/postgres.js'

/** Opens a store, closed at the end of the test. */
async function opened(t: Test, url: string, program = PROGRAM): Promise<PostgresStore> {
  const dataDir = join(t.testdirName, 'none')
  const store = await PostgresStore.open(url, { dataDir, program, clock: Date.now })
  t.teardown(() => store.close())
  return store
}

/** The message of the error of opening. */
async function sentenceOf(t: Test, url: string): Promise<string> {
  try {
    await opened(t, url)
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError') {
      t.notMatch(JSON.stringify([error.message, error.stack, error.cause]), /secret/)
      return error.message
    }
  }
  return t.fail(`${url} is refused`) ? '' : 'none'
}

test('an empty database is migrated, and its rows survive a restart', async (t) => {
  const url = await emptyDatabase(t)
  const store = await opened(t, url)
  t.match(store.place, /^postgres:.*kontor_test_/)
  t.notMatch(store.place, /@/)
  t.same(await store.catalog.list(), [])
  t.same(await store.control.look(listOperators), [])
  await store.catalog.make('w')
  const again = await opened(t, url)
  t.same(await again.catalog.find('w'), { engine: 'postgres', url, no: 1 })
})

test('time is that of the server', async (t) => {
  const url = await emptyDatabase(t)
  const options = { dataDir: t.testdirName, program: PROGRAM }
  const store = await PostgresStore.open(url, { ...options, clock: () => 7 })
  t.teardown(() => store.close())
  t.equal(store.clock(), 7, 'the clocks of one machine agree')
})

test('each error has a remedy', async (t) => {
  const url = await emptyDatabase(t)
  for (const [faulty, sentence] of [
    ['postgres://u:secret@127.0.0.1:1/db', /ECONNREFUSED.*; start it, or correct host and port/],
    [url.replace(/:[^:@/]+@/, ':secret@'), /user or the password; correct them in the URL, or/],
    [urlFor(url, 'none'), /there is no such database; create it with createdb$/],
    ['mysql://u:secret@db/x', /has the form postgres:\/\/USER/],
    [`${url}&password=secret`, /has no password, only/],
  ] as const) {
    t.match(await sentenceOf(t, faulty), sentence)
  }
  const admin = await connected(t, url)
  const [row] = await admin.query<{ name: string }>('SELECT current_database() AS name')
  await admin.query(`ALTER DATABASE ${row?.name} SET default_transaction_read_only = on`)
  t.match(
    await sentenceOf(t, url),
    /a standby \(select the primary\), or default_transaction_read_only is on$/,
  )
  await admin.query(`ALTER DATABASE ${row?.name} RESET default_transaction_read_only`)
  const role = `${row?.name}_role`
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
  t.teardown(() => dropRole(url, role))
  const other = url.replace(/\/\/[^@]*@/, `//${role}:secret@`)
  t.match(await sentenceOf(t, other), /permission denied.*; make the user the owner of the data/)
})

async function dropRole(url: string, role: string): Promise<void> {
  const admin = await PostgresConnection.open(url, { applicationName: 'kontor test' })
  await admin.query(`DROP ROLE ${role}`)
  await admin.close()
}

test('a schema of a newer program is refused', async (t) => {
  const url = await emptyDatabase(t)
  await opened(t, url)
  const admin = await connected(t, url)
  await admin.query(`INSERT INTO kontor_control.migrations (version, least_program, program)
    VALUES (99, '9.0.0', '9.0.0')`)
  t.match(await sentenceOf(t, url), /use kontor 9.0.0 or newer$/)
})
