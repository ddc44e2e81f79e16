// Writers of one workspace that meet, and those that end half-way.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Test, test } from 'tap'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import { PostgresWriter } from '../../../src/store/postgres/postgres-writer.js'
import { StoreUnavailableError } from '../../../src/store/store-error.js'
import { connected, errorOf, migratedDatabase } from '../../fixtures/postgres.js'
import { logLines, makeWorkspace } from '../../fixtures/postgres-workspace.js'
import { accountRow, transactionRow } from '../../fixtures/sample-workspace.js'

const IMPORTER = new URL('../../fixtures/postgres-importer.js', import.meta.url)

/** A database with one workspace, whose number is 1. */
async function begun(t: Test): Promise<{ url: string; admin: PostgresConnection }> {
  const url = await migratedDatabase(t)
  const admin = await connected(t, url)
  await makeWorkspace(admin, 'acme')
  return { url, admin }
}

async function writerOf(t: Test, url: string): Promise<PostgresWriter> {
  const writer = await PostgresWriter.open(url, 1)
  t.teardown(() => writer.close())
  return writer
}

function importer(t: Test, url: string, kind: 'import' | 'stop'): ChildProcess {
  const child = fork(IMPORTER, [url, '1', kind])
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

async function messageOf(sender: ChildProcess | Worker): Promise<unknown> {
  const [message] = await once(sender, 'message')
  return message
}

/** Writes what an importer that was stopped has written, which must have left nothing. */
async function writesAll(t: Test, writer: PostgresWriter, admin: PostgresConnection) {
  const counts = await writer.atomically(async (open) => {
    const before = [
      open.accounts().length,
      open.transactionCount(),
      open.largestDeletedId('account'),
    ]
    open.insertAccount({ ...accountRow(1), id: null })
    const row = { ...transactionRow(1, 1), id: null }
    return [...before, open.addTransactions([{ row, identity: Buffer.alloc(16) }])]
  })
  t.same(counts, [0, 0, 0, [1]], 'there were no rows')
  t.same(await logLines(admin, 1), ['insert account 1', 'insert transaction 1'])
}

test('of two processes that import one file at once, one adds its rows', async (t) => {
  const { url, admin } = await begun(t)
  const importers = [importer(t, url, 'import'), importer(t, url, 'import')]
  t.same(await Promise.all(importers.map(messageOf)), ['ready', 'ready'])
  const reports = importers.map(messageOf)
  for (const child of importers) child.send('go')
  t.same((await Promise.all(reports)).sort(), ['0 added, 500 unchanged', '500 added, 0 unchanged'])
  t.same(await admin.query('SELECT max(id) AS max, count(*) AS count FROM kontor.transactions'), [
    { max: 500, count: 500 },
  ])
  const log = await admin.query('SELECT max(sequence) = count(*) AS gapless FROM kontor.changes')
  t.same(log, [{ gapless: true }])
})

test('a writer waits 5 s for another one, whose end by a signal leaves nothing', async (t) => {
  const { url, admin } = await begun(t)
  const other = importer(t, url, 'stop')
  t.equal(await messageOf(other), 'written 1')
  const writer = await writerOf(t, url)
  const refused = await errorOf(writer.atomically(async () => t.fail('it is held')))
  t.match(refused, {
    name: 'StoreError',
    message: /: the rows are locked by another program; try again later$/,
  })
  t.notOk(refused instanceof StoreUnavailableError)
  t.same(await logLines(admin, 1), [], 'others see nothing of it')
  other.kill('SIGKILL')
  await once(other, 'exit')
  await writesAll(t, writer, admin)
})

test('a terminated thread leaves nothing', async (t) => {
  const { url, admin } = await begun(t)
  const thread = new Worker(IMPORTER, { argv: [url, '1', 'stop'], execArgv: [] })
  t.equal(await messageOf(thread), 'written 1')
  await thread.terminate()
  await writesAll(t, await writerOf(t, url), admin)
})

test('a lost connection leaves nothing', async (t) => {
  const { url, admin } = await begun(t)
  const writer = await writerOf(t, url)
  const lost = writer.atomically(async (open) => {
    open.insertAccount(accountRow(1))
    open.addTransactions([{ row: transactionRow(1, 1), identity: null }])
    await admin.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE application_name = 'kontor writer' AND datname = current_database()`)
    open.transactionCount()
  })
  t.ok((await errorOf(lost)) instanceof StoreUnavailableError)
  t.ok((await errorOf(writer.atomically(async () => undefined))) instanceof StoreUnavailableError)
  await writesAll(t, await writerOf(t, url), admin)
})
