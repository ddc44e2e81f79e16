import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import {
  faultOfServer,
  MIGRATIONS,
  type MigrationStep,
  migrate,
} from '../../../src/store/postgres/migrations.js'
import { connected, emptyDatabase, migratedDatabase, PROGRAM } from '../../fixtures/postgres.js'

interface Step {
  readonly version: number
  readonly program: string
}

function stepsOf(connection: PostgresConnection): Promise<Step[]> {
  return connection.query<Step>(
    'SELECT version, program FROM kontor_control.migrations ORDER BY version',
  )
}

const ADDING: MigrationStep = {
  sql: 'CREATE TABLE kontor.added (id INTEGER)',
  leastProgram: '0.3.0',
}

async function opened(t: Test): Promise<PostgresConnection> {
  return connected(t, await emptyDatabase(t))
}

test('one of several starting programs creates the tables', async (t) => {
  const url = await emptyDatabase(t)
  const connections = await Promise.all([1, 2, 3].map(() => connected(t, url)))
  await Promise.all(connections.map((connection) => migrate(connection, PROGRAM)))
  for (const connection of connections) {
    t.same(await stepsOf(connection), [{ version: 1, program: PROGRAM }])
    t.same(await connection.query('SHOW lock_timeout'), [{ lock_timeout: '5s' }])
  }
  for (const connection of connections) await migrate(connection, PROGRAM)
})

test('a failing step rolls back all steps', async (t) => {
  const connection = await opened(t)
  const failing = { sql: 'SELECT 1/0', leastProgram: '0.3.0' }
  await t.rejects(migrate(connection, PROGRAM, [...MIGRATIONS, failing]), {
    message: /division by zero/,
  })
  const schemas = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'kontor%'"
  t.same(await connection.query(schemas), [])
  await migrate(connection, PROGRAM)
  t.equal((await stepsOf(connection)).length, 1)
})

test('a newer schema is refused, unless its steps are compatible', async (t) => {
  const connection = await connected(t, await migratedDatabase(t))
  await migrate(connection, '0.4.0', [...MIGRATIONS, ADDING])
  await migrate(connection, '0.3.0')
  await migrate(connection, '0.3.1-beta.2')
  const removing = { sql: 'DROP TABLE kontor.added', leastProgram: '0.10.0' }
  await migrate(connection, '0.11.0', [...MIGRATIONS, ADDING, removing])
  t.same(await stepsOf(connection), [
    { version: 1, program: PROGRAM },
    { version: 2, program: '0.4.0' },
    { version: 3, program: '0.11.0' },
  ])
  for (const program of ['0.3.0', '0.9.9', '0.9.10']) {
    await t.rejects(migrate(connection, program, [...MIGRATIONS, ADDING]), {
      name: 'StoreError',
      message: /: its schema version 3 is newer than the newest supported one \(2\); use kontor 0/,
    })
  }
  await migrate(connection, '0.10.0', [...MIGRATIONS, ADDING])
  await migrate(connection, '1.0.0')
})

test('an old server, or a database with another encoding than UTF8, is refused', async (t) => {
  const old = faultOfServer({ version: '14.9 (Debian)', encoding: 'UTF8', isStandby: false })
  t.equal(old, 'PostgreSQL 14.9 (Debian) is too old; use 15 or newer')
  for (const version of ['15.18 (Debian 15.18-0+deb12u1)', '18.4', '19beta1']) {
    t.equal(faultOfServer({ version, encoding: 'UTF8', isStandby: false }), undefined, version)
  }
  const connection = await opened(t)
  const { query } = connection
  connection.query = async <Row extends object>(
    ...words: Parameters<typeof query>
  ): Promise<Row[]> => {
    const rows = await query.apply(connection, words)
    return rows.map((row) => ('encoding' in row ? { ...row, encoding: 'LATIN1' } : row) as Row)
  }
  await t.rejects(migrate(connection, PROGRAM), {
    name: 'StoreError',
    message: /: the encoding of the database is LATIN1; create one with the encoding UTF8$/,
  })
})
