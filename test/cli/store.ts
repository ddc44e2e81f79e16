import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { Credentials } from '../../src/auth/credentials.js'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { runHere } from '../fixtures/terminal.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

test('a copy has the workspaces, and its keys and passwords work', async (t) => {
  const folder = t.testdir()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const directory = makeDataDirectory(from)
  await writeWorkspace(workspacePath(directory, 'a'), SAMPLE)
  await writeWorkspace(workspacePath(directory, 'b'), { ...SAMPLE, transactions: [] })
  const made = await runHere(['keys', 'create', '--workspace', 'a', '--data-dir', from, '--json'])
  const { key } = JSON.parse(made.stdout) as { key: string }
  const copied = await runHere(['store', 'copy', '--from', from, '--to', to])
  t.strictSame(copied, {
    code: 0,
    stdout:
      'WORKSPACE  ACCOUNTS  TRANSACTIONS\n' +
      'a          3         302\n' +
      'b          3         0\n',
    stderr: '',
  })
  const list = (path: string) => runHere(['workspaces', 'list', '--data-dir', path, '--json'])
  t.strictSame(await list(to), await list(from))
  const exported = (path: string) => runHere(['export', '--workspace', 'a', '--data-dir', path])
  t.equal((await exported(to)).stdout, (await exported(from)).stdout)
  const control = ControlFile.open(join(to, 'control.db'))
  t.teardown(() => control.close())
  const credentials = new Credentials(control, { clock: Date.now, ticks: () => 0 })
  t.match(await credentials.forRest(key, { remoteAddress: '127.0.0.1' }), { workspaceId: 'a' })
  const again = await runHere(['store', 'copy', '--from', from, '--to', to])
  t.match(again, {
    code: 1,
    stdout: '',
    stderr: /is already a data directory; a copy needs a new/,
  })
})

test('a refused copy says why, and creates nothing', async (t) => {
  const folder = t.testdir()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const copy = (...words: string[]) => runHere(['store', 'copy', ...words])
  t.match(await copy('--from', from, '--to', to), { code: 1, stderr: /there is no data directory/ })
  t.notOk(existsSync(to))
  t.match(await copy('--from', from, '--to', from), { code: 2, stderr: /another store/ })
  t.match(await copy('--from', from), { code: 2, stderr: /--to/ })
  mkdirSync(join(from, 'workspaces'), { recursive: true })
  const wrong = await copy('--from', from, '--to', 'postgres://u:secret@[/x')
  t.match(wrong, { code: 1, stderr: /the URL of the PostgreSQL database is not of the form/ })
  t.notMatch(wrong.stderr, /secret/)
})
