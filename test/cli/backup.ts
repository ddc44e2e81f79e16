import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { workspacePath } from '../../src/store/data-directory.js'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { backedUpDirectory } from '../fixtures/backups.js'
import { runHere } from '../fixtures/terminal.js'

const START_MS = 1_782_864_000_000

test('the backup is printed; progress goes to a terminal only', async (t) => {
  const { directory, folder } = await backedUpDirectory(t)
  const words = ['backup', folder, '--keep', '1', '--data-dir', directory.path]
  const clock = (): number => START_MS
  const plain = await runHere(words, { clock })
  const path = join(folder, '2026-07-01T00-00-00-000Z')
  t.match(plain, { code: 0, stderr: '', stdout: /^.*Z: 3 files, 0\.\d MB\n$/ })
  t.ok(plain.stdout.startsWith(`${path}: `))
  const again = await runHere(words, { clock, isTerminal: true })
  t.match(again.stdout, /-001Z: 3 files.*\ndeleted: 2026-07-01T00-00-00-000Z\n$/)
  t.match(
    again.stderr,
    /\rbackup: checking workspaces\/v\.db *\rbackup: checking workspaces\/w\.db/,
  )
  t.match(again.stderr, /\r *\r$/, 'the progress line is erased')
  const json = await runHere([...words, '--json'], { clock })
  const { path: madePath, bytes, files, deleted } = JSON.parse(json.stdout)
  t.equal(madePath, path, 'the name is free again')
  t.ok(bytes > 100_000)
  t.equal(files.length, 3)
  t.same(deleted, ['2026-07-01T00-00-00-001Z'])
})

test('a missing workspace is named, with exit code 1 unless it was deleted', async (t) => {
  const { directory, folder } = await backedUpDirectory(t)
  const words = ['backup', folder, '--data-dir', directory.path]
  const connection = new Database(workspacePath(directory, 'w'))
  connection.pragma('foreign_keys = OFF')
  connection.exec('UPDATE transactions SET account_id = 77 WHERE id <= 2')
  connection.close()
  const dangling = /^kontor: 2 rows in workspaces\/w\.db refer to rows .* kontor check lists/
  t.match(await runHere(words), { code: 0, stderr: dangling })
  writeFileSync(workspacePath(directory, 'w'), 'x'.repeat(5_000))
  t.match(await runHere([...words, '--keep', '1']), {
    code: 1,
    stdout: /2 files/,
    stderr: /^kontor: not in the backup: .*w\.db: the file is damaged.*no older backup was deleted/,
  })
  t.equal(readdirSync(folder).filter((name) => name.endsWith('Z')).length, 2)
})

test('an error says what to do', async (t) => {
  const { directory, folder } = await backedUpDirectory(t)
  const data = ['--data-dir', directory.path]
  t.match(await runHere(['backup', ...data]), { code: 2, stderr: /DIR/ })
  t.match(await runHere(['backup', folder, '--keep', '0', ...data]), { code: 2, stderr: /keep/ })
  t.match(await runHere(['backup', join(directory.path, 'b'), ...data]), {
    code: 1,
    stderr: /inside the data directory; use a folder outside of it/,
  })
  const missing = join(t.testdirName, 'none')
  t.match(await runHere(['backup', folder, '--data-dir', missing]), {
    code: 1,
    stderr: /there is no data directory/,
  })
  t.notOk(existsSync(missing))
  rmSync(folder, { recursive: true, force: true })
})
