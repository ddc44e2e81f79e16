import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'tap'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { outcomeOf, overEngines } from '../fixtures/service.js'
import { runHere } from '../fixtures/terminal.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

test('the list shows the content of each workspace, and why one cannot be read', async (t) => {
  const path = t.testdir()
  const list = (...words: string[]) => runHere(['workspaces', 'list', '--data-dir', path, ...words])
  t.match(await list(), { code: 1, stdout: '', stderr: /there is no data directory .*--data-dir/ })
  const directory = makeDataDirectory(path)
  const headings = 'WORKSPACE  STATE  ACCOUNTS  TRANSACTIONS  REASON\n'
  t.same(await list(), { code: 0, stdout: headings, stderr: '' })
  t.equal((await list('--json')).stdout, '[]\n')
  await writeWorkspace(workspacePath(directory, 'b'), SAMPLE)
  await writeWorkspace(workspacePath(directory, 'a'), { ...SAMPLE, transactions: [] })
  writeFileSync(workspacePath(directory, 'c'), 'x'.repeat(5_000))
  writeFileSync(`${path}/workspaces/not a workspace.db`, '')
  const { code, stdout } = await list()
  t.equal(code, 0)
  const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '))
  t.same(lines.slice(0, 3), [headings.trim(), 'a  ok  3  0  -', 'b  ok  3  302  -'])
  t.match(
    lines[3],
    /^c {2}unavailable {2}- {2}- {2}.*c\.db: the file is damaged or is not a SQLite database/,
  )
  t.match(JSON.parse((await list('--json')).stdout), [
    { workspaceId: 'a', state: 'ok', accounts: 3, transactions: 0 },
    { workspaceId: 'b', state: 'ok', accounts: 3, transactions: 302 },
    { workspaceId: 'c', state: 'unavailable', reason: /damaged/ },
  ])
})

test(
  'deletion removes the file and the keys, also while it is served',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('v', SAMPLE)
    const [gone, stays] = [(await service.newKey('w')).key, (await service.newKey('v')).key]
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: gone })), '200')
    const words = ['workspaces', 'delete', 'w', '--data-dir', service.directory.path]
    const ended = await runHere([...words, '--json'])
    t.same(ended, { code: 0, stdout: '{"workspaceId":"w","keys":1}\n', stderr: '' })
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: gone })), '401 unauthorized')
    t.equal(outcomeOf(await service.ask('/v1/v/accounts', { key: stays })), '200')
    for (const suffix of ['', '-wal', '-shm']) t.notOk(existsSync(service.pathOf('w') + suffix))
    t.match(await runHere(words), { code: 1, stderr: /there is no workspace "w"/ })
    // A new workspace of the same name is served from its own file, to its own keys.
    await service.write('w', { ...SAMPLE, transactions: [] })
    const { key } = await service.newKey('w')
    await service.until(async () => {
      const reply = await service.ask('/v1/w/transactions', { key })
      return reply.fields['x-total-count'] === '0'
    })
    t.equal(outcomeOf(await service.ask('/v1/w/accounts', { key: gone })), '401 unauthorized')
  }),
)

test('only an existing workspace can be deleted', async (t) => {
  const path = t.testdir({ 'secret.db': 'x' })
  makeDataDirectory(path)
  for (const id of ['nobody', '../secret', '']) {
    const ended = await runHere(['workspaces', 'delete', id, '--data-dir', path])
    t.match(ended, { code: 1, stdout: '', stderr: /there is no workspace/ })
  }
  t.ok(existsSync(`${path}/secret.db`))
  const ended = await runHere(['workspaces', 'delete', '--data-dir', path])
  t.match(ended, { code: 2, stderr: /ID is missing/ })
})
