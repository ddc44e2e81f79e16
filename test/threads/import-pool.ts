import { closeSync, fstatSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { ImportPool } from '../../src/threads/import-pool.js'
import {
  type ImportTask,
  IS_CANCELLED,
  IS_KEPT,
  PROGRESS_BYTES,
  PROGRESS_LENGTH,
  PROGRESS_ROWS,
} from '../../src/threads/import-task.js'
import { entry, message } from '../fixtures/camt-text.js'
import { NOW_MS } from '../fixtures/control.js'
import { addressOf } from '../fixtures/stored-workspace.js'

function newStage(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4))
}

/** The options of a form in which nothing is checked. */
const PLAIN = { update: false, includesNotifications: false }

test('a thread imports a file, reports its progress, and the error of a bad file', async (t) => {
  const folder = t.testdir()
  const workspacePath = join(folder, 'w.db')
  WorkspaceFile.open(workspacePath).close()
  const pool = new ImportPool()
  t.teardown(() => pool.close())
  const taskOf = (text: string | Buffer, more: Partial<ImportTask> = {}): ImportTask => {
    const path = join(folder, 'file')
    writeFileSync(path, text)
    const shared = new SharedArrayBuffer(PROGRESS_LENGTH * Float64Array.BYTES_PER_ELEMENT)
    const progress = new Float64Array(shared)
    return {
      address: addressOf(workspacePath),
      path,
      name: 'file',
      nowMs: NOW_MS,
      ...PLAIN,
      progress,
      stage: newStage(),
      ...more,
    }
  }
  const text = message(entry() + entry({ amount: '7.5' }))
  const task = taskOf(text)
  const done = { kind: 'done', format: 'camt053', accounts: 1, added: 2, unchanged: 0 }
  t.match(await pool.run(task), done)
  t.equal(task.progress[PROGRESS_BYTES], Buffer.byteLength(text))
  t.equal(task.stage[0], IS_KEPT, 'it can no longer be cancelled')
  t.match(await pool.run(taskOf(text)), { kind: 'done', added: 0, unchanged: 2 })
  const refused = await pool.run(taskOf(message(entry() + entry({ amount: 'x' }))))
  t.match(refused, { kind: 'failed', reason: /entry 2/ })
  t.match(await pool.run(taskOf('what is this')), { kind: 'failed', reason: /./ })
  const table = 'Buchungstag;Betrag;Verwendungszweck\n01.02.2026;-1,50;Brot\n'
  const named = { account: 'DE02120300000000202051', currency: 'EUR', name: 'a.csv' }
  const unknown = await pool.run(taskOf(table, named))
  t.match(unknown, { kind: 'failed', reason: /column/ })
  const wrong = await pool.run(taskOf(table, { ...named, columns: 'sum=Betrag' }))
  t.match(wrong, { kind: 'failed', reason: /sum/ })
  const columns = 'amount=Betrag,bookingDate=Buchungstag,purpose=Verwendungszweck'
  t.match(await pool.run(taskOf(table, { ...named, columns })), {
    kind: 'done',
    format: 'csv',
    added: 1,
  })
  const old = Buffer.from(table.replace('Brot', 'Br\x94tchen M\x81ller'), 'latin1')
  const guessed = await pool.run(taskOf(old, { ...named, columns }))
  t.match(guessed, { kind: 'done', added: 1, warnings: [/^the encoding is guessed: CP850/] })
  const coded = await pool.run(taskOf(old, { ...named, columns, encoding: 'cp437' }))
  t.match(coded, { kind: 'done', unchanged: 1, warnings: [] })
  const file = WorkspaceFile.openForReading(workspacePath)
  t.equal(file.transactionCount(), 4)
  file.close()
  const torn = join(folder, 'torn.db')
  writeFileSync(torn, 'x'.repeat(5_000))
  const reason = /torn.db/
  t.match(await pool.run(taskOf(text, { address: addressOf(torn) })), { kind: 'failed', reason })
})

test('a file is read by a descriptor, which the thread leaves open', async (t) => {
  const folder = t.testdir({
    'a.xml': message(entry()),
    'bad.xml': message(entry({ amount: 'x' })),
  })
  const workspacePath = join(folder, 'w.db')
  WorkspaceFile.open(workspacePath).close()
  const pool = new ImportPool()
  t.teardown(() => pool.close())
  for (const [name, kind] of [
    ['a.xml', 'done'],
    ['bad.xml', 'failed'],
  ] as const) {
    const descriptor = openSync(join(folder, name), 'r')
    const progress = new Float64Array(new SharedArrayBuffer(8 * PROGRESS_LENGTH))
    const task = {
      address: addressOf(workspacePath),
      path: join(folder, 'gone'),
      name,
      descriptor,
      nowMs: NOW_MS,
    }
    t.match(await pool.run({ ...task, progress, stage: newStage() }), { kind })
    t.ok(fstatSync(descriptor).isFile())
    closeSync(descriptor)
  }
})

/** Some seconds of work: far more than the time to cancel an import. */
const MANY_LINES = `{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n${Array.from(
  { length: 150_000 },
  (_, i) => `{"accountId":1,"amount":${i},"currency":"EUR","purpose":"Invoice ${i}"}\n`,
).join('')}`

test('an import is cancelled between entries, or with its thread; nothing is stored', async (t) => {
  const folder = t.testdir({
    'many.ndjson': MANY_LINES,
    'one.ndjson': `${MANY_LINES.split('\n', 2).join('\n')}\n`,
  })
  const workspacePath = join(folder, 'w.db')
  WorkspaceFile.open(workspacePath).close()
  const pool = new ImportPool()
  t.teardown(() => pool.close())
  const taskOf = (name: string): ImportTask => {
    const progress = new Float64Array(new SharedArrayBuffer(8 * PROGRESS_LENGTH))
    const where = { address: addressOf(workspacePath), path: join(folder, name), name }
    return { ...where, nowMs: NOW_MS, ...PLAIN, progress, stage: newStage() }
  }
  const untilItWrites = async ({ progress }: ImportTask): Promise<void> => {
    while ((progress[PROGRESS_ROWS] ?? 0) === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  const asked = taskOf('many.ndjson')
  const outcome = pool.run(asked)
  await untilItWrites(asked)
  Atomics.store(asked.stage, 0, IS_CANCELLED)
  t.strictSame(await outcome, { kind: 'cancelled' })

  const ended = taskOf('many.ndjson')
  const end = new AbortController()
  const broken = pool.run(ended, end.signal)
  await untilItWrites(ended)
  end.abort()
  await t.rejects(broken, { name: 'AbortError' })

  const file = WorkspaceFile.openForReading(workspacePath)
  t.equal(file.transactionCount(), 0)
  t.same(file.accounts(), [])
  file.close()
  const one = { kind: 'done', added: 1 }
  t.match(await pool.run({ ...taskOf('one.ndjson') }), one, 'the file is not locked')
})

test('a file that needs more memory than a thread has fails alone, without a row', async (t) => {
  const folder = t.testdir()
  const workspacePaths = ['a.db', 'b.db'].map((name) => join(folder, name))
  for (const path of workspacePaths) WorkspaceFile.open(path).close()
  const pool = new ImportPool(24)
  t.teardown(() => pool.close())
  const taskOf = (name: string, text: string, workspacePath = ''): ImportTask => {
    const path = join(folder, name)
    writeFileSync(path, text)
    const shared = new SharedArrayBuffer(PROGRESS_LENGTH * Float64Array.BYTES_PER_ELEMENT)
    const progress = new Float64Array(shared)
    const address = addressOf(workspacePath)
    return { address, path, name, nowMs: NOW_MS, progress, stage: newStage() }
  }
  // Rows of a table are read one by one; an account in each takes memory until the end.
  const rows = Array.from(
    { length: 60_000 },
    (_, i) => `{"kind":"account","accountNumber":"${'7'.repeat(300)}${i}","currency":"EUR"}\n`,
  )
  const large = taskOf('a.ndjson', rows.join(''), workspacePaths[0])
  const small = taskOf('b.xml', message(entry()), workspacePaths[1])
  const [failed, done] = await Promise.all([
    pool.run({ ...large, allowsManyAccounts: true }),
    pool.run(small),
  ])
  t.match(failed, { kind: 'failed', cause: 'out of memory', reason: /more than 24 MB of memory/ })
  t.match(done, { kind: 'done', added: 1 }, 'a neighbour goes on')
  t.match(await pool.run({ ...small, stage: newStage() }), { kind: 'done', unchanged: 1 })
  const file = WorkspaceFile.openForReading(workspacePaths[0] ?? '')
  t.teardown(() => file.close())
  t.same(file.accounts(), [])
})
