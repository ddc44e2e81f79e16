// `kontor serve`, ended or killed and restarted: when its cache is valid, and that it serves the
// rows of the file whatever has happened meanwhile.
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { writePastTriggers } from '../fixtures/changes.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { ServedDirectory, type Serving } from '../fixtures/served-directory.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

const UPDATE = 'UPDATE transactions SET amount_unscaled = 4711 WHERE id = 7'
const DELETE = 'DELETE FROM transactions WHERE id > 300'
const INSERT = `INSERT INTO transactions (account_id, amount_unscaled, amount_scale, currency,
    created_at, updated_at, import_date) VALUES (1, 5, 0, 'EUR', 0, 0, 0)`

const END = ['SIGTERM', 'SIGKILL'] as const

async function end({ kontor }: Serving, signal: (typeof END)[number]): Promise<void> {
  kontor.child.kill(signal)
  await kontor.ended
}

/** The text in the server's log line about loading the workspace, after the duration. */
async function sourceOf(served: ServedDirectory, { kontor }: Serving): Promise<string> {
  const line = / workspace loaded workspaceId=w transactionCount=\d+ durationMs=[\d.]+ (.*)\n/
  await served.until(() => line.test(kontor.output.stderr))
  return line.exec(kontor.output.stderr)?.[1] ?? ''
}

/**
 * Starts a server, checks that it serves the workspace correctly, and waits for its cache if any.
 */
async function started(served: ServedDirectory): Promise<{ serving: Serving; source: string }> {
  const serving = await served.start()
  await served.assertServed(serving)
  const source = await sourceOf(served, serving)
  const { output } = serving.kontor
  if (!source.includes('source=cache')) {
    await served.until(() => output.stderr.includes('workspace cached workspaceId=w '))
  }
  return { serving, source }
}

/** Waits until the server's answers equal the file's rows. */
async function caughtUp(served: ServedDirectory, serving: Serving): Promise<void> {
  await served.until(async () => {
    const reply = await served.ask(serving, '/transactions?limit=1')
    return reply.headers.get('x-total-count') === `${served.rows().transactions.length}`
  })
  await served.assertServed(serving)
}

for (const signal of END) {
  test(`after a ${signal}, the cache is valid as long as nothing is written`, async (t) => {
    const served = await ServedDirectory.make(t, SAMPLE)
    for (const expected of ['source=file', 'source=cache', 'source=cache']) {
      const { serving, source } = await started(served)
      t.equal(source, expected)
      await end(serving, signal)
    }
  })

  test(`after a ${signal}, later writes are caught up with`, async (t) => {
    const served = await ServedDirectory.make(t, SAMPLE)
    const first = await started(served)
    served.write((connection) => connection.exec(INSERT))
    await caughtUp(served, first.serving)
    await end(first.serving, signal)
    const second = await started(served)
    t.equal(second.source, 'source=cache')
    await end(second.serving, signal)
    served.write((connection) => connection.exec(`${UPDATE}; ${DELETE}`))
    const third = await started(served)
    t.equal(third.source, 'source=cache')
    await end(third.serving, signal)
  })
}

test('a writer that stays connected, or is killed, does no harm', async (t) => {
  const served = await ServedDirectory.make(t, SAMPLE)
  const writer = new Database(served.file)
  writer.exec(INSERT)
  const first = await started(served)
  await end(first.serving, 'SIGTERM')
  writer.exec(UPDATE)
  const second = await started(served)
  t.equal(second.source, 'source=cache', 'with a connected writer')
  await end(second.serving, 'SIGKILL')
  writer.close()
  const { serving, source } = await started(served)
  t.equal(source, 'source=cache', 'whose last close checkpoints the WAL')
  await end(serving, 'SIGTERM')
})

const REFUSED: Readonly<
  Record<string, readonly [(served: ServedDirectory) => void | Promise<void>, RegExp]>
> = {
  'a write past the triggers': [
    (served) => served.write((connection) => writePastTriggers(connection, UPDATE)),
    /modified without logged changes/,
  ],
  'a VACUUM': [
    (served) => served.write((connection) => connection.exec('VACUUM')),
    /tables or triggers were changed/,
  ],
  'another workspace in its place': [
    async (served) => {
      rmSync(served.file)
      await writeWorkspace(served.file, { ...SAMPLE, transactions: [transactionRow(5, 2)] })
      await served.renewKey()
    },
    /another workspace file/,
  ],
  'a backup in its place': [
    ({ file }) => renameSync(`${file}.backup`, file),
    /workspace file is older/,
  ],
  'a backup in its place that was written to': [
    (served) => {
      renameSync(`${served.file}.backup`, served.file)
      const other = 'UPDATE transactions SET amount_unscaled = 1 WHERE id = 8'
      served.write((connection) => connection.exec(`${other}; ${other}; ${other}`))
    },
    /history of the workspace file/,
  ],
  'rubbish in the cache': [({ cachePath }) => writeFileSync(cachePath, 'x'), /truncated/],
}

for (const [what, [act, reason]] of Object.entries(REFUSED)) {
  test(`${what} is rejected, and the file is cached again`, async (t) => {
    const served = await ServedDirectory.make(t, SAMPLE)
    copyFileSync(served.file, `${served.file}.backup`)
    served.write((connection) => connection.exec(UPDATE))
    const first = await started(served)
    await end(first.serving, 'SIGTERM')
    await act(served)
    const second = await started(served)
    t.match(second.source, reason)
    await end(second.serving, 'SIGTERM')
    const third = await started(served)
    t.equal(third.source, 'source=cache')
    await end(third.serving, 'SIGTERM')
  })
}

test('the cache is deleted with its workspace, served or not', async (t) => {
  const served = await ServedDirectory.make(t, SAMPLE)
  const { serving } = await started(served)
  t.ok(existsSync(served.cachePath))
  t.equal(await served.command('workspaces', 'delete', 'w').ended, 0)
  t.notOk(existsSync(served.cachePath))
  await end(serving, 'SIGTERM')
  for (const name of ['w.frozen', 'w.frozen.0123456789abcdef.part', 'v.frozen', 'notes.txt']) {
    writeFileSync(join(served.path, 'cache', name), 'x')
  }
  await writeWorkspace(served.file.replace('w.db', 'v.db'), SAMPLE)
  await end(await served.start(), 'SIGTERM')
  const left = ['w.frozen', 'w.frozen.0123456789abcdef.part', 'v.frozen', 'notes.txt'].filter(
    (name) => existsSync(join(served.path, 'cache', name)),
  )
  t.same(left, ['v.frozen', 'notes.txt'], 'a start deletes orphaned caches, and nothing else')
})
