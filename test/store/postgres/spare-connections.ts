import { type Test, test } from 'tap'
import { SpareConnections } from '../../../src/store/postgres/spare-connections.js'
import { StoreAwayError } from '../../../src/store/store-error.js'
import { emptyDatabase, errorOf } from '../../fixtures/postgres.js'

const NODE = 'kontor spare'
const CONNECTIONS_MAX = 8

async function opened(t: Test): Promise<SpareConnections> {
  const spare = SpareConnections.of(await emptyDatabase(t), { applicationName: NODE })
  t.teardown(() => spare.close())
  return spare
}

/** A loan under way, and what ends it. */
interface Loan {
  readonly release: () => void
  readonly over: Promise<void>
}

function beginLoan(spare: SpareConnections): Promise<Loan> {
  return new Promise((begin, fail) => {
    const over = spare.lend(() => new Promise<void>((release) => begin({ release, over })))
    over.catch(fail)
  })
}

/** Loans of all connections. */
function lendAll(spare: SpareConnections): Promise<Loan[]> {
  return Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => beginLoan(spare)))
}

test('there are at most eight connections, and callers wait in order', async (t) => {
  const spare = await opened(t)
  const loans = await lendAll(spare)
  const order: number[] = []
  const counts = [0, 1, 2, 3].map((i) =>
    spare.lend(async (client) => {
      order.push(i)
      const sql = 'SELECT count(*) AS count FROM pg_stat_activity WHERE application_name = $1'
      return (await client.query<{ count: number }>(sql, [NODE])).rows[0]?.count
    }),
  )
  loans[3]?.release()
  t.same(await Promise.all(counts), [8, 8, 8, 8])
  t.same(order, [0, 1, 2, 3])
  for (const { release } of loans) release()
  await Promise.all(loans.map(({ over }) => over))
})

test('callers wait for a limited time', async (t) => {
  const spare = await opened(t)
  const loans = await lendAll(spare)
  const error = await errorOf(spare.lend(async () => undefined))
  t.ok(error instanceof StoreAwayError)
  t.match(error, { message: /: all 8 connections are in use; try again later$/ })
  for (const { release } of loans) release()
  await Promise.all(loans.map(({ over }) => over))
  t.equal(await spare.lend(async () => 'free'), 'free')
})

test('closing waits for the callers that use a connection or wait for one', async (t) => {
  const spare = SpareConnections.of(await emptyDatabase(t), { applicationName: NODE })
  const loans = await lendAll(spare)
  const waiting = spare.lend(async (client) => (await client.query('SELECT 1 AS a')).rows)
  const closed = spare.close()
  for (const { release } of loans) release()
  t.same(await waiting, [{ a: 1 }])
  await closed
  await t.rejects(spare.lend(async () => undefined))
})

test('a connection is reused unless its server is unreachable', async (t) => {
  const spare = await opened(t)
  const idOf = () =>
    spare.lend(async (client) => {
      const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id')
      return rows[0]?.id
    })
  const id = await idOf()
  await t.rejects(
    spare.lend(() => Promise.reject(new Error('mine'))),
    { message: 'mine' },
  )
  t.equal(await idOf(), id)
  await t.rejects(spare.lend(() => Promise.reject(new StoreAwayError('away'))))
  t.not(await idOf(), id)
})
