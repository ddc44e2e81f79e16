import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Test, test } from 'tap'
import { BlockingConnection } from '../../../src/store/postgres/blocking-connection.js'
import { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { isSerializationFailure } from '../../../src/store/postgres/faults.js'
import { StoreError, StoreUnavailableError } from '../../../src/store/store-error.js'
import { connected, emptyDatabase, errorOf } from '../../fixtures/postgres.js'

const OPTIONS = { applicationName: 'kontor blocking' }

async function opened(t: Test, url: string): Promise<BlockingConnection> {
  const connection = await BlockingConnection.open(url, OPTIONS)
  t.teardown(() => connection.close())
  return connection
}

/** The error that a call throws; undefined = it does not. */
function thrownBy(call: () => unknown): unknown {
  try {
    call()
    return undefined
  } catch (error) {
    return error
  }
}

/** A message without the driver's own, in parentheses, about a lost connection. */
function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/ \(.*\)$/, '') : ''
}

const ANSWERED: readonly (readonly [sql: string, values?: readonly (string | number | null)[]])[] =
  [
    ['SELECT 1 AS a, NULL AS b UNION ALL SELECT 2, NULL'],
    ['SELECT $1::BIGINT AS a, $2::TEXT AS b', [-9_007_199_254_740_991, 'Grüße 🙈\u2028']],
    ['SELECT 1 WHERE $1::INTEGER IS NOT NULL', [null]],
    ['SELECT id, unnest(ARRAY[id]) AS same FROM generate_series(1, 2000) AS id'],
  ]

const REFUSED = [
  'SELECT 9007199254740992::BIGINT',
  'SELECT 1 / 0',
  'DO $$ BEGIN RAISE serialization_failure; END $$',
  'DO $$ BEGIN RAISE lock_not_available; END $$',
  'DO $$ BEGIN RAISE query_canceled; END $$',
  'SELECT pg_terminate_backend(pg_backend_pid())',
  'SELECT 1',
]

test('rows and errors are those of an asynchronous connection', async (t) => {
  const url = await emptyDatabase(t)
  const [blocking, awaited] = [await opened(t, url), await connected(t, url)]
  t.equal(blocking.place, awaited.place)
  for (const [sql, values] of ANSWERED) {
    t.strictSame(blocking.query(sql, values), await awaited.query(sql, values), sql)
  }
  const areUnavailable: boolean[] = []
  for (const sql of REFUSED) {
    const [found, expected] = [
      thrownBy(() => blocking.query(sql)),
      await errorOf(awaited.query(sql)),
    ]
    t.ok(found instanceof StoreError && expected instanceof StoreError, sql)
    for (const error of [found, expected])
      areUnavailable.push(error instanceof StoreUnavailableError)
    t.equal(sentenceOf(found), sentenceOf(expected))
    t.equal(isSerializationFailure(found), isSerializationFailure(expected), sql)
  }
  t.same(
    areUnavailable,
    [0, 0, 0, 0, 1, 1, 1].flatMap((isUnavailable) => [isUnavailable === 1, isUnavailable === 1]),
  )
})

test('bytes are sent and received', async (t) => {
  const connection = await opened(t, await emptyDatabase(t))
  const bytes = Buffer.from([0, 1, 255])
  const [row] = connection.query<{ one: Uint8Array; two: Uint8Array[] }>(
    'SELECT $1::BYTEA AS one, $2::BYTEA[] AS two',
    [bytes, [bytes, null, Buffer.alloc(0)]],
  )
  t.same(row?.one, new Uint8Array(bytes))
  t.same(row?.two, [new Uint8Array(bytes), null, new Uint8Array()])
})

test('rows are copied in, or refused', async (t) => {
  const connection = await opened(t, await emptyDatabase(t))
  connection.query('CREATE TABLE public.t (a INTEGER PRIMARY KEY)')
  const copy = 'COPY public.t FROM STDIN'
  const lines = (from: number): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(Array.from({ length: 50_000 }, (_, i) => `${from + i}\n`).join(''))
  connection.beginCopy(copy, lines(0))
  connection.beginCopy(copy, lines(49_999))
  const count = 'SELECT count(*) AS count FROM public.t'
  const refusal = thrownBy(() => connection.query(count))
  t.match(refusal, { name: 'StoreError', message: /duplicate key/, cause: { code: '23505' } })
  connection.beginCopy('COPY none FROM STDIN', lines(0))
  t.match(connection.endCopy(), { cause: { code: '42P01' } })
  t.equal(connection.endCopy(), undefined)
  t.same(connection.query(count), [{ count: 50_000 }])
})

test('a connection that cannot be made rejects', async (t) => {
  for (const url of ['mysql://u:secret@h/db', 'postgres://u:secret@127.0.0.1:1/db']) {
    const [found, expected] = [
      await errorOf(BlockingConnection.open(url, OPTIONS)),
      await errorOf(PostgresConnection.open(url, OPTIONS)),
    ]
    t.ok(found instanceof StoreError && expected instanceof StoreError, url)
    t.match(found, { message: (expected as StoreError).message })
    t.equal(found instanceof StoreUnavailableError, expected instanceof StoreUnavailableError)
    t.notMatch(JSON.stringify([found, (found as StoreError).stack]), /secret/)
  }
})

test('a closed connection ends, and later requests are errors', async (t) => {
  const url = await emptyDatabase(t)
  const admin = await connected(t, url)
  const connection = await opened(t, url)
  connection.close()
  const error = thrownBy(() => connection.query('SELECT 1'))
  t.ok(error instanceof StoreUnavailableError)
  t.match(error, { message: /: the connection is closed$/ })
  const sql = 'SELECT FROM pg_stat_activity WHERE application_name = $1 AND datname = $2'
  const values = [OPTIONS.applicationName, url.match(/kontor_test_\w+/)?.[0] ?? '']
  while ((await admin.query(sql, values)).length > 0) {
    // The server ends it soon.
  }
  t.pass('no connection is left')
})

/** Accepts any password, and answers a statement with a row that has no bytes. */
const BROKEN_SERVER = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]))
      socket.once('data', () => socket.write(Buffer.from([68, 0, 0, 0, 6, 0, 1])))
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

test('an error of the driver reaches the caller', async (t) => {
  const server = new Worker(BROKEN_SERVER, { eval: true, execArgv: [] })
  t.teardown(() => server.terminate())
  const [port] = await once(server, 'message')
  const connection = await opened(t, `postgres://u@127.0.0.1:${port}/db`)
  const error = thrownBy(() => connection.query('SELECT 1'))
  t.notOk(error instanceof StoreError)
  t.match(error, { message: /range|bounds/i, cause: { code: /^ERR_/ } })
})
