// A backup of a running service, restored to another directory and served from there.
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { issueTokenPair } from '../../src/store/token-rows.js'
import { startKontor } from '../fixtures/child-process.js'
import { newPair, someClient, someGrant, someIntegration } from '../fixtures/control.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { ServedDirectory } from '../fixtures/served-directory.js'
import { runHere } from '../fixtures/terminal.js'

function removeAfter(t: Test, ...paths: readonly string[]): void {
  t.teardown(() => {
    for (const path of paths) rmSync(path, { recursive: true, force: true })
  })
}

const CENTURY_MS = 3_155_760_000_000

test('keys and tokens are valid in a restored directory', async (t) => {
  const served = await ServedDirectory.make(t, SAMPLE)
  const control = ControlFile.open(join(served.path, 'control.db'))
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const { grantId } = await someGrant(control, client)
  const { access, row } = newPair()
  await control.atomically(() =>
    issueTokenPair(grantId, { ...row, accessExpiresAt: Date.now() + CENTURY_MS }),
  )
  control.close()
  const serving = await served.start()
  await served.assertServed(serving)
  const folder = `${served.path}-backups`
  const to = `${served.path}-restored`
  removeAfter(t, folder, to)
  t.match(await runHere(['backup', folder, '--data-dir', served.path]), { code: 0 })
  const words = ['restore', folder, '--data-dir']
  t.match(await runHere([...words, served.path]), { code: 1, stderr: /is not empty/ })
  const restored = await runHere([...words, to, '--json'])
  t.match(restored, { code: 0, stderr: '' })
  t.match(JSON.parse(restored.stdout), { path: to, passedOver: [], format: 1 })
  t.match(await runHere([...words, to]), { code: 1, stderr: /is not empty/ })

  const second = startKontor(t, ['serve', '--port', '0', '--json', '--data-dir', to])
  const { url } = JSON.parse(await second.firstLine()) as { url: string }
  await served.assertServed({ kontor: second, url })
  const headers = { Authorization: `Bearer ${access}` }
  t.equal((await fetch(`${url}/v1/w/accounts`, { headers })).status, 200, 'an access token')
  t.equal((await fetch(`${url}/v1/w/accounts`)).status, 401)
  t.match(await runHere(['check', '--data-dir', to]), { code: 0 })
})

test('a running service serves a workspace file that is put back', async (t) => {
  const served = await ServedDirectory.make(t, SAMPLE)
  const folder = `${served.path}-backups`
  removeAfter(t, folder)
  const made = await runHere(['backup', folder, '--data-dir', served.path, '--json'])
  const { path } = JSON.parse(made.stdout) as { path: string }
  served.write((connection) => connection.exec('DELETE FROM transactions WHERE id > 100'))
  const serving = await served.start()
  await served.assertServed(serving)
  const total = async (): Promise<string | null> =>
    (await served.ask(serving, '/transactions?limit=1')).headers.get('x-total-count')
  t.equal(await total(), '100')
  copyFileSync(join(path, 'workspaces', 'w.db'), `${served.file}.new`)
  for (const suffix of ['-wal', '-shm']) rmSync(served.file + suffix, { force: true })
  renameSync(`${served.file}.new`, served.file)
  await served.until(async () => (await total()) === '302')
  await served.assertServed(serving)
})

test('the restored backup is named', async (t) => {
  const served = await ServedDirectory.make(t, SAMPLE)
  const folder = `${served.path}-backups`
  const to = `${served.path}-restored`
  removeAfter(t, folder, to)
  writeFileSync(join(served.path, 'workspaces', 'v.db'), 'x'.repeat(5_000))
  for (let i = 0; i < 2; i++) await runHere(['backup', folder, '--data-dir', served.path])
  const name = '2026-04-11T00-00-00-00'
  writeFileSync(join(folder, `${name}1Z`, 'control.db'), '')
  const { code, stdout, stderr } = await runHere(['restore', folder, '--data-dir', to])
  t.equal(code, 0)
  t.match(stdout, new RegExp(`^${to}: 2 files, .* MB, of ${folder}/${name}0Z\n$`))
  t.match(stderr, new RegExp(`skipped .*/${name}1Z, which is newer but not complete: .* 0 bytes`))
  t.match(
    stderr,
    /the backup does not contain workspaces\/v\.db \(.*damaged.*\); look for it in an older/,
  )
})
