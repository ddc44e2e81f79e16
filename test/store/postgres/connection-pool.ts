import { type Test, test } from 'tap'
import { ConnectionPool } from '../../../src/store/postgres/connection-pool.js'
import { StoreRefusedError, StoreUnavailableError } from '../../../src/store/store-error.js'
import { eventually } from '../../fixtures/cluster.js'
import { databaseOf, emptyDatabase, errorOf, urlFor } from '../../fixtures/postgres.js'
import { administer } from '../../fixtures/postgres-server.js'

const NODE = 'kontor'
const CONNECTIONS_MAX = 8

async function opened(t: Test): Promise<ConnectionPool> {
  const pool = ConnectionPool.of(await emptyDatabase(t), { applicationName: NODE })
  t.teardown(() => pool.close())
  return pool
}

/** A use under way, and what ends it. */
interface Use {
  readonly release: () => void
  readonly over: Promise<void>
}

function beginUse(pool: ConnectionPool): Promise<Use> {
  return new Promise((begin, fail) => {
    const over = pool.withConnection(() => new Promise<void>((release) => begin({ release, over })))
    over.catch(fail)
  })
}

/** Begins a use of each connection. */
function useAll(pool: ConnectionPool): Promise<Use[]> {
  return Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => beginUse(pool)))
}

test('there are at most eight connections, and callers wait in order', async (t) => {
  const pool = await opened(t)
  const uses = await useAll(pool)
  const order: number[] = []
  const counts = [0, 1, 2, 3].map((i) =>
    pool.withConnection(async (client) => {
      order.push(i)
      const sql = 'SELECT count(*) AS count FROM pg_stat_activity WHERE application_name = $1'
      return (await client.query<{ count: number }>(sql, [NODE])).rows[0]?.count
    }),
  )
  uses[3]?.release()
  t.same(await Promise.all(counts), [8, 8, 8, 8])
  t.same(order, [0, 1, 2, 3])
  for (const { release } of uses) release()
  await Promise.all(uses.map(({ over }) => over))
})

test('callers wait for a limited time', async (t) => {
  const pool = await opened(t)
  const uses = await useAll(pool)
  const error = await errorOf(pool.withConnection(async () => undefined))
  t.ok(error instanceof StoreUnavailableError)
  t.match(error, { message: /: all 8 connections are in use; try again later$/ })
  for (const { release } of uses) release()
  await Promise.all(uses.map(({ over }) => over))
  t.equal(await pool.withConnection(async () => 'free'), 'free')
})

test('closing waits for the callers that use a connection or wait for one', async (t) => {
  const pool = ConnectionPool.of(await emptyDatabase(t), { applicationName: NODE })
  const uses = await useAll(pool)
  const waiting = pool.withConnection(async (client) => (await client.query('SELECT 1 AS a')).rows)
  const closed = pool.close()
  for (const { release } of uses) release()
  t.same(await waiting, [{ a: 1 }])
  await closed
  await t.rejects(pool.withConnection(async () => undefined))
})

test('a connection is reused unless its server is unreachable', async (t) => {
  const pool = await opened(t)
  const idOf = () =>
    pool.withConnection(async (client) => {
      const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id')
      return rows[0]?.id
    })
  const id = await idOf()
  await t.rejects(
    pool.withConnection(() => Promise.reject(new Error('mine'))),
    { message: 'mine' },
  )
  t.equal(await idOf(), id)
  await t.rejects(
    pool.withConnection(() => Promise.reject(new StoreUnavailableError('unreachable'))),
  )
  t.not(await idOf(), id)
})

test('a refusal is an outage once the server has accepted the user', async (t) => {
  const url = await emptyDatabase(t)
  const role = `kontor_pool_${process.pid}`
  const asAdmin = (sql: string) => administer(url, (admin) => admin.query(sql))
  await asAdmin(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
  t.teardown(() => asAdmin(`DROP ROLE ${role}`))
  const pool = ConnectionPool.of(url.replace(/\/\/[^@]*@/, `//${role}:secret@`), {
    applicationName: NODE,
  })
  t.teardown(() => pool.close())
  const use = () => pool.withConnection((client) => client.query('SELECT pg_sleep(0)'))
  await asAdmin(`ALTER ROLE ${role} NOLOGIN`)
  const refused = await errorOf(use())
  t.match(refused, { name: 'StoreError', message: /refuses the user/ })
  t.notOk(refused instanceof StoreUnavailableError, 'the first time, it is a mistake')
  await asAdmin(`ALTER ROLE ${role} LOGIN`)
  await use()
  await asAdmin(`ALTER ROLE ${role} NOLOGIN`)
  await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`)
  await eventually(async () => {
    const later = await errorOf(use())
    return later instanceof StoreRefusedError && /refuses the user/.test(later.message)
  })
  await asAdmin(`ALTER ROLE ${role} LOGIN`)
  await use()

  const database = databaseOf(url)
  const elsewhere = (sql: string) =>
    administer(urlFor(url, 'postgres'), (admin) => admin.query(sql))
  await elsewhere(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
  await elsewhere(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`,
  )
  await eventually(async () => {
    const later = await errorOf(use())
    return later instanceof StoreRefusedError && /not currently accepting/.test(later.message)
  })
  await elsewhere(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
  await use()
})
