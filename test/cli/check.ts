import { chmodSync, writeFileSync } from 'node:fs'
import { test } from 'tap'
import { workspacePath } from '../../src/store/data-directory.js'
import { backedUpDirectory } from '../fixtures/backups.js'
import { runHere } from '../fixtures/terminal.js'

test('each finding is a line, and only a fault gives exit code 1', async (t) => {
  const { directory } = await backedUpDirectory(t)
  const words = ['check', '--data-dir', directory.path]
  t.match(await runHere(words), {
    code: 0,
    stderr: '',
    stdout: /^ok {4}workspaces\/v\.db: .*\nok {4}workspaces\/w\.db: .*\nok {4}control\.db: /,
  })
  t.match(JSON.parse((await runHere([...words, '--json'])).stdout), {
    ok: true,
    findings: [{ level: 'ok', subject: 'workspaces/v.db', what: /302 transactions/ }],
  })
  chmodSync(directory.path, 0o755)
  const warned = await runHere(words)
  t.match(warned, { code: 0, stdout: /\nwarn {2}permissions: .*755\)\n {6}chmod -R go= '.*'\n$/ })
  writeFileSync(workspacePath(directory, 'w'), 'x'.repeat(5_000))
  const failed = await runHere(words)
  t.match(failed, {
    code: 1,
    stdout: /\nfail {2}workspaces\/w\.db: .*damaged.*\n {6}stop the service, move/,
    stderr: /^kontor: 1 fault in .*data: workspaces\/w\.db the file is damaged/,
  })
  const json = await runHere([...words, '--json'])
  t.equal(json.code, 1)
  t.equal(JSON.parse(json.stdout).ok, false)
  t.match(await runHere(['check', '--data-dir', `${directory.path}-none`]), { code: 1, stdout: '' })
})
