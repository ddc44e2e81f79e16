// Changes are numbered in the order of commits, whatever concurrent writers do.
import { strict as assert } from 'node:assert'
import { setTimeout as wait } from 'node:timers/promises'
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { isSerializationFailure } from '../../../src/store/postgres/faults.js'
import { connected, errorOf, migratedDatabase } from '../../fixtures/postgres.js'
import {
  insertAccount,
  insertTransactions,
  logLines,
  logOf,
  makeWorkspace,
} from '../../fixtures/postgres-workspace.js'

interface Scene {
  readonly url: string
  readonly one: PostgresConnection
  readonly workspace: number
}

async function scene(t: Test): Promise<Scene> {
  const url = await migratedDatabase(t)
  const one = await connected(t, url)
  const workspace = await makeWorkspace(one, 'acme')
  await one.query(insertAccount(workspace))
  return { url, one, workspace }
}

/** Resolves once the connection waits for a lock. */
async function untilWaiting(
  observer: PostgresConnection,
  writer: PostgresConnection,
): Promise<void> {
  const pid = await pidOf(writer)
  for (;;) {
    const [row] = await observer.query<{ waits: boolean }>(
      `SELECT wait_event_type = 'Lock' AS waits FROM pg_stat_activity WHERE pid = ${pid}`,
    )
    if (row?.waits === true) return
    await wait(2)
  }
}

const pids = new WeakMap<PostgresConnection, number>()

/** Asked once: later, the connection may be busy. */
async function pidOf(connection: PostgresConnection): Promise<number> {
  const known = pids.get(connection)
  if (known !== undefined) return known
  const [row] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  pids.set(connection, row?.pid ?? 0)
  return row?.pid ?? 0
}

async function connectedWriter(t: Test, url: string): Promise<PostgresConnection> {
  const connection = await connected(t, url)
  await pidOf(connection)
  return connection
}

test('a second writer waits for the first, and takes the numbers after it', async (t) => {
  const { url, one, workspace } = await scene(t)
  const two = await connectedWriter(t, url)
  const observer = await connected(t, url)
  for (const [end, expected] of [
    ['COMMIT', [2, 3]],
    ['ROLLBACK', [4]],
  ] as const) {
    const last = (await logOf(observer, workspace)).at(-1)?.sequence
    await one.query('BEGIN')
    await one.query(insertTransactions(workspace))
    await two.query('BEGIN')
    const second = two.query(insertTransactions(workspace))
    await untilWaiting(observer, two)
    t.same((await logOf(observer, workspace)).at(-1)?.sequence, last, 'nothing is seen yet')
    await one.query(end)
    await second
    await two.query('COMMIT')
    const log = await logOf(observer, workspace, last)
    t.same(
      log.map(({ sequence }) => sequence),
      expected,
    )
  }
  t.same(await logLines(observer, workspace), [
    'insert account 1',
    'insert transaction 1',
    'insert transaction 2',
    'insert transaction 3',
  ])
})

test('a number of a transaction that a dump has brought along holds nothing', async (t) => {
  const { url, one, workspace } = await scene(t)
  const two = await connectedWriter(t, url)
  const observer = await connected(t, url)
  await one.query('BEGIN')
  const [row] = await one.query<{ number: string }>('SELECT pg_current_xact_id()::text AS number')
  await observer.query(`UPDATE kontor.workspaces SET writer = '${row?.number}'`)
  await one.query(insertTransactions(workspace))
  const second = two.query(insertTransactions(workspace))
  await untilWaiting(observer, two)
  await one.query('COMMIT')
  await second
  t.same(
    (await logOf(observer, workspace)).map(({ sequence }) => sequence),
    [1, 2, 3],
  )
})

test('a writer with an outdated snapshot has to retry', async (t) => {
  const { url, one, workspace } = await scene(t)
  const two = await connected(t, url)
  for (const level of ['REPEATABLE READ', 'SERIALIZABLE']) {
    await two.query(`BEGIN ISOLATION LEVEL ${level}`)
    await two.query('SELECT FROM kontor.transactions')
    await one.query(insertTransactions(workspace))
    const late = two.query(insertTransactions(workspace))
    t.ok(isSerializationFailure(await errorOf(late)), level)
    await two.query('ROLLBACK')
  }
  t.equal((await logOf(one, workspace)).length, 3)
})

test('a reader never sees a gap or a late number', async (t) => {
  const { url, one: reader, workspace } = await scene(t)
  const other = await makeWorkspace(reader, 'other')
  await reader.query(insertAccount(other))
  const writers = await Promise.all([1, 2, 3, 4].map(() => connected(t, url)))
  let running = writers.length
  const writing = writers.map(async (writer, i) => {
    for (let turn = 0; turn < 15; turn++) {
      await writer.query('BEGIN')
      await writer.query(insertTransactions(turn % 5 === i ? other : workspace, ['NULL', 'NULL']))
      await writer.query(insertTransactions(workspace))
      await writer.query((turn + i) % 4 === 0 ? 'ROLLBACK' : 'COMMIT').catch(() => undefined)
    }
    running -= 1
  })
  const written = Promise.all(writing)
  const seen = new Map<number, number>()
  while (running > 0) {
    for (const { sequence, mark } of await logOf(reader, workspace)) {
      if (sequence > seen.size) {
        assert.equal(sequence, seen.size + 1, 'no gap')
        seen.set(sequence, mark)
      } else assert.equal(seen.get(sequence), mark, 'and no other change in its place')
    }
  }
  await written
  t.ok(seen.size > 50, `${seen.size} changes were seen`)
  const ids = await reader.query<{ count: number; last: number }>(
    `SELECT count(*) AS count, max(id) AS last FROM kontor.transactions
      WHERE workspace = ${workspace}`,
  )
  t.equal(ids[0]?.count, ids[0]?.last, 'ids have no gaps either')
})

test('a transaction numbers changes for each workspace, and notifies both', async (t) => {
  const { url, one, workspace } = await scene(t)
  const other = await makeWorkspace(one, 'other')
  const listener = await connected(t, url)
  const told: string[] = []
  listener.client.on('notification', ({ payload = '' }) => told.push(payload))
  await listener.query('LISTEN kontor')
  await one.atomically(async () => {
    await one.query(insertAccount(other))
    await one.query(insertTransactions(workspace, [1, 2]))
    await one.query(`${insertTransactions(workspace)}, (${other}, NULL, 1, 5, 0, 'EUR', 0, 0, 0)`)
    await one.query("UPDATE kontor.transactions SET purpose = 'x'")
  })
  t.same(await logLines(one, workspace, 1), [
    ...['insert transaction 1', 'insert transaction 2', 'insert transaction 3'],
    ...['update transaction 1', 'update transaction 2', 'update transaction 3'],
  ])
  t.same(await logLines(one, other), [
    ...['insert account 1', 'insert transaction 1', 'update transaction 1'],
  ])
  await listener.query('SELECT 1')
  t.same(told.toSorted(), [String(workspace), String(other)].toSorted(), 'once each')
})

test('a statement has one random mark within the range of a double', async (t) => {
  const { one, workspace } = await scene(t)
  for (let i = 0; i < 20; i++) await one.query(insertTransactions(workspace, ['NULL', 'NULL']))
  const log = await logOf(one, workspace, 1)
  const marks = new Set(log.map(({ mark }) => mark))
  t.equal(marks.size, 20)
  for (const [i, { mark }] of log.entries()) {
    t.ok(Number.isSafeInteger(mark) && mark > 0)
    if (i % 2 === 1) t.equal(mark, log[i - 1]?.mark)
  }
})

test('rewritten replaces all changes by one', async (t) => {
  const { one, workspace } = await scene(t)
  const other = await makeWorkspace(one, 'other')
  await one.query(insertAccount(other))
  await one.query(insertTransactions(workspace, [1, 2, 3]))
  const before = await logOf(one, workspace)
  await one.query("SELECT kontor.rewritten('acme')")
  const [change, ...others] = await logOf(one, workspace)
  t.match(change, { sequence: 5, entity: 'account', id: 0, kind: 'update' })
  t.same(others, [])
  t.notOk(before.some(({ mark }) => mark === change?.mark))
  t.equal((await logOf(one, other)).length, 1, 'of this workspace alone')
  await t.rejects(one.query("SELECT kontor.rewritten('none')"), {
    message: /there is no workspace none/,
  })
  await one.query(insertTransactions(workspace))
  t.equal((await logOf(one, workspace)).at(-1)?.sequence, 6)
})
