// `kontor inbox` in this process and as one of its own.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Test, test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { entry, message } from '../fixtures/camt-text.js'
import { startKontor } from '../fixtures/child-process.js'
import { ndjson } from '../fixtures/inbox-fixture.js'
import { type Ended, runHere, type Surroundings } from '../fixtures/terminal.js'

const CAMT = message(entry() + entry({ amount: '7.5' }))

/** A data directory with the workspace `a`, and an import folder for it. */
function made(t: Test) {
  const folder = t.testdir({ inbox: { a: {} }, data: { workspaces: {} } })
  const workspace = join(folder, 'data/workspaces/a.db')
  WorkspaceFile.open(workspace).close()
  const inbox = join(folder, 'inbox')
  const words = ['inbox', inbox, '--data-dir', join(folder, 'data'), '--settle', '0']
  const run = (more: readonly string[], around?: Surroundings): Promise<Ended> =>
    runHere([...words, ...more], around)
  const rowCount = (): number => {
    const file = WorkspaceFile.openForReading(workspace)
    try {
      return file.transactionCount()
    } finally {
      file.close()
    }
  }
  return { inbox, words, run, rowCount, workspace }
}

test('kontor inbox --once imports what is there, a line a file', async (t) => {
  const { inbox, run, rowCount } = made(t)
  t.same(await run(['--once']), { code: 0, stdout: '', stderr: '' }, 'an empty folder is silent')
  writeFileSync(join(inbox, 'a/statement.xml'), CAMT)
  t.same(await run(['--once']), {
    code: 0,
    stdout: 'a/statement.xml: 2 added, 0 already there; moved to a/done/2026-04/statement.xml\n',
    stderr: '',
  })
  t.equal(rowCount(), 2)
  writeFileSync(join(inbox, 'a/again.xml'), CAMT)
  const again = await run(['--once', '--json'])
  t.equal(again.code, 0, again.stderr)
  t.match(JSON.parse(again.stdout), {
    ...{ workspaceId: 'a', file: 'again.xml', path: 'a/done/2026-04/again.xml', state: 'done' },
    ...{ format: 'camt053', accounts: 1, added: 0, unchanged: 2, skipped: 0, warnings: [] },
  })
})

test('kontor inbox --once fails when a file or a folder does', async (t) => {
  const { inbox, run } = made(t)
  const forged = 'b\nwarning: forged.xml'
  writeFileSync(join(inbox, 'a', forged), 'what is this')
  const failed = await run(['--once'])
  t.equal(failed.code, 1)
  t.match(failed.stdout, /^a\/b�warning: forged\.xml: not imported: .*; moved to a\/failed\/b�/)
  t.equal(failed.stdout.split('\n').length, 2, 'one line')
  t.match(failed.stderr, 'kontor: 1 file was not imported; the reason is next to it in failed/')
  mkdirSync(join(inbox, 'none'))
  const left = await run(['--once', '--json'])
  t.equal(left.code, 1)
  t.match(left.stderr, /^warning: .*none: there is no workspace of this name/)
  t.match(left.stderr, 'kontor: some files were left where they are; see the warnings')
})

test('several lines of a reason, an unknown table, and what import.json may say', async (t) => {
  const { inbox, run } = made(t)
  writeFileSync(join(inbox, 'a/\u009b31m.csv'), 'Day;Sum;Text\n2026-07-01;-1;\u009b31m\n')
  const { stdout, stderr } = await run(['--once'])
  const text = readFileSync(join(inbox, 'a/failed/\u009b31m.csv.txt'), 'utf8')
  for (const shown of [stdout, text]) {
    t.notMatch(shown, '\\u000a')
    t.notMatch(shown, '\u009b')
    t.match(shown, /\n.*2026-07-01 .*\n/, 'a row of the file is a line')
    t.match(shown, /for example "columns": "bookingDate=Day,amount=Sum.*" in import\.json/)
  }
  t.notMatch(stderr, '\u009b')
  writeFileSync(join(inbox, 'a/two.csv'), 'Day;Sum\n2026-07-01;1\n')
  t.notMatch((await run(['--once', '--json'])).stdout, /not imported|--columns/)
  const { stdout: help } = await run(['--help'])
  for (const name of ['account', 'currency', 'columns', 'encoding', 'include', 'lenient']) {
    t.match(help, `"${name}": `)
  }
})

test('kontor inbox says what is wrong with its words', async (t) => {
  const { inbox, run } = made(t)
  const file = join(inbox, 'file')
  writeFileSync(file, '')
  const cases: [words: string[], code: number, said: RegExp][] = [
    [['inbox'], 2, /DIR is missing: folder that contains a folder for each workspace/],
    [['inbox', file], 1, /is a file; specify the folder that contains the workspace folders/],
    [['inbox', `${inbox}/x`], 1, /there is no folder .*mkdir -p .*x\/acme/],
    [['inbox', inbox, '--settle', '2h'], 2, /--settle "2h": a time from 0 to 1h/],
    [['inbox', inbox, '--upload-max', '5'], 2, /--upload-max "5": a whole number of MB or GB/],
    [['inbox', inbox, '--data-dir', `${inbox}/x`], 1, /there is no data directory/],
    [['serve', '--inbox', `${inbox}/x`, '--data-dir', `${inbox}/y`], 1, /there is no folder/],
  ]
  for (const [words, code, said] of cases) {
    const ended = await runHere(words)
    t.equal(ended.code, code, words.join(' '))
    t.match(ended.stderr, said, words.join(' '))
  }
  const shown = await run(['--once'], { isTerminal: true })
  t.match(shown.stderr, /files belong in the folder of a workspace/)
})

test('kontor inbox imports until SIGTERM, and then exits with 0', async (t) => {
  const { inbox, words, rowCount } = made(t)
  const kontor = startKontor(t, words)
  writeFileSync(join(inbox, 'a/.x'), CAMT)
  renameSync(join(inbox, 'a/.x'), join(inbox, 'a/x.xml'))
  t.match(await kontor.firstLine(), 'a/x.xml: 2 added')
  t.equal(rowCount(), 2)
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0, kontor.output.stderr)
  t.equal(kontor.output.stderr, '')
})

test('SIGTERM during an import puts its file back, and nothing is stored', async (t) => {
  const { inbox, words, rowCount, workspace } = made(t)
  const path = join(inbox, 'a/rows.ndjson')
  writeFileSync(path, ndjson('x', 200_000))
  const kontor = startKontor(t, words)
  const isWriting = (): boolean => existsSync(`${workspace}-wal`) && !existsSync(path)
  while (!isWriting() && kontor.child.exitCode === null) await pause(5)
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0, kontor.output.stderr)
  t.same(readdirSync(join(inbox, 'a')).sort(), ['done', 'failed', 'rows.ndjson'])
  t.equal(rowCount(), 0)
  t.match(readFileSync(path, 'utf8').slice(0, 10), '{"kind"')
})
