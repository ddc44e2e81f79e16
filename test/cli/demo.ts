import { test } from 'tap'
import { listApiKeys } from '../../src/store/api-key-rows.js'
import {
  deleteWorkspaceFile,
  makeDataDirectory,
  workspacePath,
} from '../../src/store/data-directory.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { runHere } from '../fixtures/terminal.js'

test('the demo prints a key and two example commands; a second run changes nothing', async (t) => {
  const path = t.testdir()
  const demo = (...words: string[]) =>
    runHere(['demo', '--data-dir', path, '--transactions', '40', ...words])
  const first = await demo()
  t.equal(first.code, 0)
  t.match(
    first.stdout,
    /^workspace demo: 40 transactions\nAPI key, shown only once: sk-[-\w]{43}\n/,
  )
  t.equal(first.stdout.match(/curl -H 'Authorization: Bearer sk-/g)?.length, 2)

  const directory = makeDataDirectory(path)
  const state = (): unknown => {
    const file = WorkspaceFile.openForReading(workspacePath(directory, 'demo'))
    const control = ControlFile.open(directory.controlPath)
    const rows = [
      file.version(),
      control.look(listApiKeys).map(({ id, revokedAt }) => [id, revokedAt]),
    ]
    control.close()
    file.close()
    return rows
  }
  const before = state()
  const second = await demo('--transactions=50', '--seed', '9').then(({ code }) => code)
  t.equal(second, 2, 'a flag given twice')
  t.match(await demo('--seed', '9'), {
    code: 0,
    stdout: /its API key was shown when it was created/,
  })
  t.strictSame(JSON.parse((await demo('--json')).stdout), {
    workspaceId: 'demo',
    apiKey: null,
    transactions: 40,
  })
  t.strictSame(state(), before)
})

test('a demo deleted by hand is created again, with a new key', async (t) => {
  const path = t.testdir()
  const words = ['demo', '--data-dir', path, '--transactions', '5', '--json']
  await runHere(words)
  deleteWorkspaceFile(makeDataDirectory(path), 'demo')
  const again = JSON.parse((await runHere(words)).stdout) as { apiKey: string }
  t.match(again, { apiKey: /^sk-/, transactions: 5 })
  const listed = await runHere(['keys', 'list', '--data-dir', path])
  t.match(listed.stdout, /^ID .*\n1 +demo +orphaned .*\n2 +demo +active .*\n$/)
})

test('--json prints the demo; a revoked key is replaced', async (t) => {
  const path = t.testdir()
  const words = ['demo', '--data-dir', path, '--transactions', '5', '--json']
  const made = JSON.parse((await runHere(words)).stdout) as object
  t.match(made, { workspaceId: 'demo', apiKey: /^sk-/, transactions: 5 })
  t.equal((await runHere(['keys', 'revoke', '1', '--data-dir', path])).code, 0)
  const again = JSON.parse((await runHere(words)).stdout) as { apiKey: string }
  t.match(again, { apiKey: /^sk-/, transactions: 5 })
  t.match(await runHere(['demo', '--transactions', '0']), { code: 2 })
})
