import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { AGED_MS } from '../../src/inbox/stability.js'
import { workspaceExists } from '../../src/store/data-directory.js'
import { addressText } from '../../src/store/workspace.js'
import type { ImportOutcome, ImportTask } from '../../src/threads/import-task.js'
import { importFile } from '../../src/threads/workers/import-file.js'
import { entry, message } from '../fixtures/camt-text.js'
import { DONE, InboxFixture, ndjson, SETTLE_MS } from '../fixtures/inbox-fixture.js'

const CAMT = message(entry() + entry({ amount: '7.5' }))

test('a complete file is imported, and moved to done', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/statement.xml', CAMT)
  await fixture.inbox.scan()
  await fixture.inbox.idle()
  t.same(fixture.files(), ['a/statement.xml'], 'it may still be written')
  t.ok(fixture.inbox.isUnsettled)
  t.same(fixture.inbox.stateOf('a').folder, { waitingCount: 1, faults: [] })
  fixture.ticks += SETTLE_MS
  await fixture.inbox.scan()
  await fixture.inbox.idle()
  t.same(fixture.files(), [`a/${DONE}/statement.xml`])
  t.equal(fixture.rows('a'), 2)
  t.equal(fixture.rows('b'), 0)
  t.match(fixture.events, [
    {
      ...{ kind: 'result', workspaceId: 'a', name: 'statement.xml' },
      path: `a/${DONE}/statement.xml`,
      result: { kind: 'done', added: 2, format: 'camt053' },
    },
  ])
  t.match(fixture.audit(), [{ actor: 'inbox', workspaceId: 'a', outcome: 'ok' }])
  await fixture.inbox.scan()
  t.notOk(fixture.inbox.isUnsettled)
  t.equal(fixture.inbox.stateOf('a').folder?.waitingCount, 0)
})

test('a file that is written between two scans is left alone', async (t) => {
  const fixture = InboxFixture.open(t)
  const path = fixture.put('a/rows.ndjson', ndjson('x', 1))
  await fixture.inbox.scan()
  fixture.ticks += SETTLE_MS
  appendFileSync(path, ndjson('y', 1))
  await fixture.inbox.scan()
  await fixture.inbox.idle()
  t.same(fixture.files(), ['a/rows.ndjson'])
  await fixture.pass()
  t.same(fixture.files(), [`a/${DONE}/rows.ndjson`])
  t.equal(fixture.rows('a'), 2)
})

test('a file unchanged for a minute needs one scan, an empty file needs the minute', async (t) => {
  const fixture = InboxFixture.open(t)
  const path = fixture.put('a/old.xml', CAMT)
  fixture.put('a/empty.xml', '')
  await fixture.pass()
  t.same(fixture.files(), [`a/${DONE}/old.xml`, 'a/empty.xml'])
  fixture.put('a/old.xml', CAMT)
  fixture.nowMs = Math.ceil(statSync(path).ctimeMs) + AGED_MS
  await fixture.inbox.scan()
  await fixture.inbox.idle()
  t.match(fixture.events.at(-2), { name: 'empty.xml', result: { cause: 'empty' } })
  t.notOk(existsSync(path))
})

test('hidden and partial files, and those of other programs, are left alone', async (t) => {
  const fixture = InboxFixture.open(t)
  const names = ['.hidden.xml', 'a.part', 'a.xml.filepart', 'B.TMP', 'c.crdownload', 'd.xml~']
  for (const name of names) fixture.put(`a/${name}`, CAMT)
  await fixture.pass()
  t.same(fixture.files(), names.map((name) => `a/${name}`).sort())
  t.same(fixture.notices(), [])
  renameSync(join(fixture.path, 'a/a.part'), join(fixture.path, 'a/a.xml'))
  await fixture.pass()
  t.equal(fixture.rows('a'), 2)
})

test('a file that a process writes is left alone', async (t) => {
  const writing = new Set<string>()
  const fixture = InboxFixture.open(t, { openPaths: async () => writing })
  writing.add(realpathSync(fixture.put('a/open.xml', CAMT)))
  fixture.put('a/closed.xml', CAMT)
  await fixture.pass()
  t.same(fixture.files(), [`a/${DONE}/closed.xml`, 'a/open.xml'])
  t.ok(fixture.inbox.isUnsettled)
  writing.clear()
  await fixture.inbox.scan()
  await fixture.inbox.idle()
  t.same(fixture.files(), [`a/${DONE}/closed.xml`, `a/${DONE}/open.xml`])
})

test('a file that fails is moved to failed, with a text that gives the reason', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.put('a/bad.xml', message(entry() + entry({ amount: '12..3' })))
  fixture.put('a/table.csv', 'Day;Sum\n2026-07-01;1\n')
  await fixture.pass()
  const names = ['bad.xml', 'bad.xml.txt', 'table.csv', 'table.csv.txt']
  t.same(
    fixture.files(),
    names.map((name) => `a/failed/${name}`),
  )
  t.match(fixture.text('a/failed/bad.xml.txt'), /bad\.xml was not imported.*entry 2.*12\.\.3/s)
  t.match(fixture.text('a/failed/bad.xml.txt'), 'move the\nfile back to the folder a')
  t.match(fixture.text('a/failed/table.csv.txt'), '"columns" in import.json')
  t.notMatch(fixture.text('a/failed/table.csv.txt'), '--')
  t.equal(fixture.rows('a'), 0)
  t.match(fixture.audit(), [
    { outcome: 'refused', detail: '{"reason":"entry 2 (line 6), Amt"}' },
    { outcome: 'refused' },
  ])
  fixture.put('a/bad.xml', 'what is this')
  await fixture.pass()
  t.ok(fixture.files().includes('a/failed/bad (2).xml'))
  t.match(fixture.text('a/failed/bad (2).xml.txt'), 'bad.xml was not imported')
})

test('a folder without a workspace is reported once, and no workspace is created', async (t) => {
  const fixture = InboxFixture.open(t)
  fixture.makeWorkspace('acme')
  fixture.put('acmee/x.xml', CAMT)
  fixture.put('zzzzzz/x.xml', CAMT)
  fixture.put('loose.xml', CAMT)
  await fixture.pass()
  await fixture.pass()
  t.same(fixture.files(), ['acmee/x.xml', 'loose.xml', 'zzzzzz/x.xml'])
  t.match(fixture.notices(), [
    /acmee: there is no workspace of this name.*did you mean acme\?/,
    /zzzzzz: there is no workspace of this name.*kontor workspaces list shows all/,
    /"loose\.xml": files belong in the folder of a workspace/,
  ])
  t.equal(fixture.notices().length, 3)
  t.same(fixture.inbox.stateOf('acme'), { path: join(fixture.path, 'acme') })
  fixture.makeWorkspace('zzzzzz')
  await fixture.pass()
  t.equal(fixture.rows('zzzzzz'), 2, 'it is fed once there is such a workspace')
})

test('a workspace that is deleted before the turn of its file is not created again', async (t) => {
  const fixture = InboxFixture.open(t, {
    run: async ({ address }) => {
      rmSync(addressText(address))
      return { kind: 'failed', reason: 'it was deleted', cause: 'a test' }
    },
  })
  fixture.put('a/x.xml', CAMT)
  fixture.put('a/y.xml', CAMT)
  await fixture.pass()
  t.same(fixture.files(), ['a/failed/x.xml', 'a/failed/x.xml.txt', 'a/y.xml'])
  t.match(fixture.notices(), [/there is no workspace a any more/])
  t.notOk(workspaceExists(fixture.directory, 'a'))
})

test('links, folders and devices are reported and never followed', async (t) => {
  const fixture = InboxFixture.open(t)
  const outside = fixture.put('b/secret.xml.part', CAMT)
  symlinkSync(outside, join(fixture.path, 'a/link.xml'))
  mkdirSync(join(fixture.path, 'a/folder'))
  symlinkSync(join(fixture.path, 'b'), join(fixture.path, 'linked'))
  fixture.makeWorkspace('linked')
  fixture.put('a/x\n\u202Ey.part/z', '')
  await fixture.pass()
  t.match(fixture.notices(), [
    /"linked": files belong in the folder of a workspace, and links are not followed/,
    /"folder", "link\.xml": only regular files|"link\.xml", "folder": only regular files/,
  ])
  t.equal(fixture.rows('a') + fixture.rows('b') + fixture.rows('linked'), 0)
})

test('a link in place of done moves no file out of the folder', async (t) => {
  const fixture = InboxFixture.open(t)
  symlinkSync(join(fixture.path, 'b'), join(fixture.path, 'a/done'))
  fixture.put('a/x.xml', CAMT)
  await fixture.pass()
  t.same(fixture.files(), ['a/done', 'a/x.xml'])
  t.equal(fixture.rows('a'), 0)
  t.match(fixture.notices(), [
    /"done"/,
    /its folder done cannot be used: it is not a folder; kontor tries again every minute/,
  ])
  rmSync(join(fixture.path, 'a/done'))
  await fixture.pass()
  t.equal(fixture.rows('a'), 0, 'after a minute')
  fixture.ticks += 60_000
  await fixture.pass()
  t.equal(fixture.rows('a'), 2)
})

test('names in other encodings, with control characters, and long ones are kept', async (t) => {
  const fixture = InboxFixture.open(t)
  const latin = Buffer.concat([
    Buffer.from(`${join(fixture.path, 'a')}/`),
    Buffer.from('Ums\xe4tze.xml', 'latin1'),
  ])
  renameSync(fixture.put('a/x', CAMT), latin)
  const hostile = 'a\n2026 forged\u001b[2J\u202E.xml'
  fixture.put(`a/${hostile}`, 'what is this')
  const long = `${'ü'.repeat(124)}.xml`
  fixture.put(`b/${long}`, CAMT)
  await fixture.pass()
  const short = `${'ü'.repeat(115)}.xml`
  t.same(fixture.files(), [
    `a/${DONE}/Umsätze.xml`,
    `a/failed/${hostile}`,
    `a/failed/${hostile}.txt`,
    `b/${DONE}/${short}`,
  ])
  t.match(fixture.text(`a/failed/${hostile}.txt`), /^a�2026 forged�\[2J�\.xml was not imported/)
})

test('files of one name are all kept', async (t) => {
  const fixture = InboxFixture.open(t)
  for (const name of ['one', 'two', 'three']) {
    fixture.put('a/rows.ndjson', ndjson(name, 1))
    await fixture.pass()
  }
  t.same(fixture.files(), [
    `a/${DONE}/rows (2).ndjson`,
    `a/${DONE}/rows (3).ndjson`,
    `a/${DONE}/rows.ndjson`,
  ])
  t.match(fixture.text(`a/${DONE}/rows.ndjson`), 'one')
  t.equal(fixture.rows('a'), 3)
})

test('a file that is too large is not read', async (t) => {
  const fixture = InboxFixture.open(t, { bytesMax: 2_000_000 })
  fixture.put('a/large.xml', 'x'.repeat(2_000_001))
  await fixture.pass()
  t.match(fixture.events, [
    { result: { cause: 'too large', reason: /larger than 2 MB; split it, or import it with/ } },
  ])
  t.ok(existsSync(join(fixture.path, 'a/failed/large.xml')))
})

test('files are imported in the order in which they were written', async (t) => {
  const fixture = InboxFixture.open(t)
  for (const [name, second] of [
    ['c', 1],
    ['a', 3],
    ['b', 2],
  ] as const) {
    utimesSync(fixture.put(`a/${name}.ndjson`, ndjson(name, 1)), second, second)
  }
  await fixture.pass()
  const names = fixture.events.map((each) => (each.kind === 'notice' ? '' : each.name))
  t.same(names, ['c.ndjson', 'b.ndjson', 'a.ndjson'])
})

/** Imports that wait until the test lets them go on. */
function held() {
  const waiting = new Map<string, () => void>()
  const run = async (task: ImportTask): Promise<ImportOutcome> => {
    await new Promise<void>((resolve) => waiting.set(task.name, resolve))
    return importFile(task)
  }
  const reach = async (name: string): Promise<() => void> => {
    for (;;) {
      const go = waiting.get(name)
      waiting.delete(name)
      if (go !== undefined) return go
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { run, reach }
}

test('a file that takes long delays no other workspace', async (t) => {
  const { run, reach } = held()
  const fixture = InboxFixture.open(t, {
    run: (task) => (task.name === 'slow.xml' ? run(task) : importFile(task)),
  })
  fixture.put('a/slow.xml', CAMT)
  fixture.put('a/z.xml', CAMT)
  fixture.put('b/x.xml', CAMT)
  await fixture.inbox.scan()
  fixture.ticks += SETTLE_MS
  await fixture.inbox.scan()
  const go = await reach('slow.xml')
  while (fixture.rows('b') === 0) await new Promise((resolve) => setImmediate(resolve))
  t.equal(fixture.rows('a'), 0)
  t.ok(existsSync(join(fixture.path, 'a/z.xml')), 'its own workspace waits')
  go()
  await fixture.inbox.idle()
  t.equal(fixture.rows('a'), 2)
  t.equal(fixture.audit().length, 3)
})

test('a file that is written while it is imported is imported again', async (t) => {
  const { run, reach } = held()
  const fixture = InboxFixture.open(t, { run })
  const path = fixture.put('a/rows.ndjson', ndjson('x', 2))
  await fixture.inbox.scan()
  fixture.ticks += SETTLE_MS
  const { ino } = statSync(path)
  await fixture.inbox.scan()
  const go = await reach('rows.ndjson')
  t.notOk(existsSync(path))
  const claimed = fixture.files().find((name) => name.endsWith('rows.ndjson')) ?? ''
  t.equal(statSync(join(fixture.path, claimed)).ino, ino)
  appendFileSync(join(fixture.path, claimed), ndjson('y', 1))
  go()
  await fixture.inbox.idle()
  t.same(fixture.files(), ['a/rows.ndjson'])
  t.match(fixture.events, [{ kind: 'later', reason: 'it was written to while it was imported' }])
  t.equal(fixture.rows('a'), 0, 'nothing is committed')
  t.same(fixture.audit(), [])
  const passed = fixture.pass()
  const again = await reach('rows.ndjson')
  again()
  await passed
  t.equal(fixture.rows('a'), 3)
})

test('a row that is being written when its file is imported is not stored', async (t) => {
  const { run, reach } = held()
  const fixture = InboxFixture.open(t, { run })
  const columns = 'bookingDate=Day,amount=Sum,purpose=Text'
  fixture.put('a/import.json', JSON.stringify({ account: '4711', currency: 'EUR', columns }))
  fixture.put('a/rows.csv', 'Text;Day;Sum\nCoffee;2026-07-01;-3.20\n')
  await fixture.inbox.scan()
  fixture.ticks += SETTLE_MS
  await fixture.inbox.scan()
  const go = await reach('rows.csv')
  const claimed = fixture.files().find((name) => name.endsWith('rows.csv')) ?? ''
  appendFileSync(join(fixture.path, claimed), 'Rent;2026-07-02;-12')
  go()
  await fixture.inbox.idle()
  t.equal(fixture.rows('a'), 0)
  appendFileSync(join(fixture.path, 'a/rows.csv'), '34.50\n')
  const passed = fixture.pass()
  const again = await reach('rows.csv')
  again()
  await passed
  t.equal(fixture.rows('a'), 2)
  t.match(fixture.events.at(-1), { result: { kind: 'done', added: 2 } })
})

test('the end of a process puts its file back', async (t) => {
  const { run, reach } = held()
  const fixture = InboxFixture.open(t, { run })
  fixture.put('a/x.xml', CAMT)
  fixture.put('a/y.xml', CAMT)
  await fixture.inbox.scan()
  fixture.ticks += SETTLE_MS
  await fixture.inbox.scan()
  const go = await reach('x.xml')
  const closed = fixture.inbox.close()
  go()
  await closed
  t.same(fixture.files(), ['a/x.xml', 'a/y.xml'])
  t.equal(fixture.rows('a'), 0)
  t.same(fixture.audit(), [])
  t.same(fixture.events, [])
  await fixture.pass()
  t.same(fixture.files(), ['a/x.xml', 'a/y.xml'], 'a closed inbox takes none')
})

test('a workspace that is locked delays its files, without a record', async (t) => {
  let isLocked = true
  const fixture = InboxFixture.open(t, {
    run: async (task) => {
      if (!isLocked || addressText(task.address).endsWith('b.db')) return importFile(task)
      const reason = 'a.db: the file is locked by another program; try again later'
      return { kind: 'failed', reason, cause: 'workspace file' }
    },
  })
  fixture.put('a/x.xml', CAMT)
  fixture.put('b/x.xml', CAMT)
  await fixture.pass()
  t.same(fixture.files(), ['a/x.xml', `b/${DONE}/x.xml`])
  t.match(fixture.notices(), [/the file is locked by another program.*tries again every minute/])
  t.equal(fixture.audit().length, 1)
  isLocked = false
  await fixture.pass()
  t.equal(fixture.rows('a'), 0)
  fixture.ticks += 60_000
  await fixture.pass()
  t.equal(fixture.rows('a'), 2)
  t.equal(fixture.notices().length, 1, 'the same fault is reported once')
})

test('a file that an operator cancels is moved to failed', async (t) => {
  const { run, reach } = held()
  const fixture = InboxFixture.open(t, { run })
  fixture.put('a/x.xml', CAMT)
  await fixture.inbox.scan()
  fixture.ticks += SETTLE_MS
  await fixture.inbox.scan()
  const go = await reach('x.xml')
  const actor = { who: 'operator:ada', address: null, requestId: null }
  const [file] = fixture.imports.of('a')
  t.match(file, { name: 'x.xml', who: 'inbox', state: 'running' })
  t.ok(await fixture.imports.cancel('a', file?.id ?? '', actor))
  go()
  await fixture.inbox.idle()
  t.same(fixture.files(), ['a/failed/x.xml', 'a/failed/x.xml.txt'])
  t.match(fixture.text('a/failed/x.xml.txt'), 'the import was cancelled by operator:ada')
})

test('a missing folder, and a file in its place, are reported', async (t) => {
  const fixture = InboxFixture.open(t)
  renameSync(fixture.path, `${fixture.path}-away`)
  await fixture.pass()
  await fixture.pass()
  t.match(fixture.notices(), [/the import folder .* cannot be read: it does not exist/])
  t.equal(fixture.notices().length, 1)
  renameSync(`${fixture.path}-away`, fixture.path)
  fixture.put('a/x.xml', CAMT)
  await fixture.pass()
  t.equal(fixture.rows('a'), 2)
})

test('a folder that cannot be written is reported', async (t) => {
  if (process.getuid?.() === 0) {
    t.comment('root may write to any folder')
    return
  }
  const fixture = InboxFixture.open(t)
  fixture.put('a/x.xml', CAMT)
  chmodSync(join(fixture.path, 'a'), 0o500)
  await fixture.pass()
  chmodSync(join(fixture.path, 'a'), 0o700)
  t.match(fixture.notices(), [/a cannot be used: permission denied; kontor has to read and write/])
})

test('a file that may not be read fails with the reason', async (t) => {
  if (process.getuid?.() === 0) {
    t.comment('root may read any file')
    return
  }
  const fixture = InboxFixture.open(t)
  chmodSync(fixture.put('a/x.xml', CAMT), 0o200)
  await fixture.pass()
  t.match(fixture.events, [{ result: { reason: 'it cannot be read: permission denied' } }])
})
