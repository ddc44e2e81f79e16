import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { makeBackup } from '../../src/backup/make-backup.js'
import { deleteWorkspaceFile, workspacePath } from '../../src/store/data-directory.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { CONTROL_MIGRATIONS } from '../../src/store/sqlite/control-schema.js'
import { openDatabase } from '../../src/store/sqlite/database.js'
import { lockByFile } from '../../src/store/sqlite/folder-lock.js'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { addKey, backedUpDirectory, soundBackups } from '../fixtures/backups.js'
import { NOW_MS } from '../fixtures/control.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { runHere } from '../fixtures/terminal.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

const NAME = '2026-07-01T00-00-00-000Z'

test('a backup holds every workspace and control.db, accessible to the owner only', async (t) => {
  const { directory, folder, backUp } = await backedUpDirectory(t)
  mkdirSync(directory.cachePath)
  writeFileSync(join(directory.cachePath, 'w.frozen'), 'cache')
  mkdirSync(directory.uploadsPath)
  const { path, manifest, deleted, dangling } = await backUp()
  t.equal(path, join(folder, NAME))
  t.match(manifest, { format: 1, kontor: '1.2.3', createdAt: '2026-07-01T00:00:00.000Z' })
  t.match(manifest.files, [
    { path: 'workspaces/v.db', rows: { accounts: 3, transactions: 302 }, sequence: 308 },
    { path: 'workspaces/w.db', rows: { categories: 3, changes: 308 }, uid: /^[0-9a-f]{32}$/ },
    { path: 'control.db', rows: { api_keys: 1, audit: 1 }, schemaVersion: 8 },
  ])
  t.same([manifest.missing, deleted, dangling], [[], [], []])
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  t.same(found, ['control.db', 'manifest.json', 'workspaces', 'workspaces/v.db', 'workspaces/w.db'])
  for (const name of found) {
    const mode = statSync(join(path, name)).mode & 0o777
    t.equal(mode, name === 'workspaces' ? 0o700 : 0o600, name)
  }
  t.equal(statSync(path).mode & 0o777, 0o700)
  t.same(await soundBackups(folder), [NAME])
  t.same(readdirSync(folder).sort(), ['.lock', NAME])
})

test('--keep keeps exactly that many, and deletes after the new one is complete', async (t) => {
  const { directory, folder, backUp } = await backedUpDirectory(t)
  for (let i = 0; i < 4; i++) await backUp()
  const { deleted, path } = await backUp(2)
  t.equal(deleted.length, 3)
  t.equal((await soundBackups(folder)).length, 2)
  t.ok(existsSync(path))
  // The backup cannot be completed: nothing is deleted, and nothing of it remains.
  writeFileSync(directory.controlPath, 'x'.repeat(5_000))
  const before = readdirSync(folder)
  await t.rejects(backUp(1), { name: 'StoreError', message: /control\.db: the file is damaged/ })
  t.same(readdirSync(folder), before)
})

test('a workspace that cannot be copied is named, and the others are backed up', async (t) => {
  const { directory, folder, backUp } = await backedUpDirectory(t)
  await backUp()
  writeFileSync(workspacePath(directory, 'v'), 'x'.repeat(5_000))
  const damaged = await backUp(1)
  t.match(damaged.manifest.missing, [
    { path: 'workspaces/v.db', reason: /v\.db: the file is damaged/, isDeleted: false },
  ])
  t.same(
    damaged.manifest.files.map(({ path }) => path),
    ['workspaces/w.db', 'control.db'],
  )
  t.same(damaged.deleted, [], 'the older backup has the damaged file as it was')
  t.equal((await soundBackups(folder)).length, 2)
  const connection = new Database(workspacePath(directory, 'w'))
  connection.pragma('ignore_check_constraints = ON')
  connection.exec('UPDATE transactions SET amount_scale = 9 WHERE id = 5')
  connection.close()
  const [, w] = (await backUp()).manifest.missing
  t.match(w, { path: 'workspaces/w.db', reason: /data\/workspaces\/w\.db: .*CHECK constraint/ })
})

test('no backup is deleted while the data directory seems to have lost a file', async (t) => {
  const { directory, folder, backUp } = await backedUpDirectory(t)
  const whole = await backUp()
  t.same(whole.losses, [])
  const path = workspacePath(directory, 'w')
  rmSync(path)
  const without = await backUp(1)
  t.match(without.losses, [/^workspaces\/w\.db, to which key 1 gives access, is missing$/])
  await writeWorkspace(path, SAMPLE)
  const other = await backUp(1)
  rmSync(path)
  symlinkSync(join(folder, 'unmounted'), path)
  const unmounted = await backUp(1)
  t.match(unmounted.losses, [/^workspaces\/w\.db, to which key 1 gives access, is missing$/])
  t.match(other.losses, [/^workspaces\/w\.db is not the file to which key 1 gives access$/])
  for (const name of readdirSync(directory.path)) {
    if (name.startsWith('control.db')) rmSync(join(directory.path, name))
  }
  const keyless = await backUp(1)
  t.match(keyless.losses, [/^control\.db, which an older backup has, is missing$/])
  ControlFile.open(directory.controlPath).close()
  const renewed = await backUp(1)
  t.match(renewed.losses, [/^control\.db has no audit log, and that of an older backup has$/])
  t.same(
    [without, other, unmounted, keyless, renewed].flatMap(({ deleted }) => deleted),
    [],
  )
  t.ok((await soundBackups(folder)).includes(NAME))
  rmSync(folder, { recursive: true })
  t.same((await backUp(1)).losses, [], 'a directory that never had keys')
})

test('a workspace that kontor deleted, with its only keys, is no loss', async (t) => {
  const { directory, backUp } = await backedUpDirectory(t)
  const name = (await backUp()).path.split('/').at(-1)
  const ended = await runHere(['workspaces', 'delete', 'w', '--data-dir', directory.path])
  t.equal(ended.code, 0)
  const { losses, deleted } = await backUp(1)
  t.same([losses, deleted], [[], [name]])
})

test('control.db of an earlier version is copied, and its credentials are not read', async (t) => {
  const { directory, backUp } = await backedUpDirectory(t)
  rmSync(directory.controlPath)
  openDatabase(directory.controlPath, CONTROL_MIGRATIONS.slice(0, 3)).close()
  const { losses, manifest } = await backUp(1)
  t.same(losses, [])
  t.match(manifest.files.at(-1), { path: 'control.db', schemaVersion: 3 })
})

test('a dangling reference is copied unchanged', async (t) => {
  const { directory, backUp } = await backedUpDirectory(t)
  const connection = new Database(workspacePath(directory, 'w'))
  connection.pragma('foreign_keys = OFF')
  connection.exec('UPDATE transactions SET account_id = 77 WHERE id <= 2')
  connection.close()
  const { manifest, dangling } = await backUp()
  t.same(dangling, [{ path: 'workspaces/w.db', count: 2 }])
  t.same(manifest.missing, [])
})

test('workspaces created and deleted during the backup', async (t) => {
  const { directory, folder } = await backedUpDirectory(t)
  await writeWorkspace(workspacePath(directory, 'x'), SAMPLE)
  const seen: string[] = []
  const onProgress = async ({ path, step }: { path: string; step: string }): Promise<void> => {
    seen.push(`${step} ${path}`)
    if (step !== 'checking') return
    if (path === 'workspaces/v.db') {
      // x is deleted before its turn; w is deleted while control.db is copied after it.
      deleteWorkspaceFile(directory, 'x')
    } else if (path === 'workspaces/w.db') {
      deleteWorkspaceFile(directory, 'w')
      const made = new Database(workspacePath(directory, 'v'))
      made.exec(`VACUUM INTO '${workspacePath(directory, 'n')}'`)
      made.close()
      await addKey(directory, 'n')
    }
  }
  const options = { directory, folder, keep: undefined, version: '1', now: NOW_MS, onProgress }
  const { manifest } = await makeBackup(options)
  t.same(
    manifest.files.map(({ path }) => path),
    ['workspaces/n.db', 'workspaces/v.db', 'workspaces/w.db', 'control.db'],
  )
  t.match(manifest.missing, [{ path: 'workspaces/x.db', isDeleted: true }])
  t.equal(seen.at(-1), 'checking workspaces/n.db', 'created before control.db was copied')
  t.equal(manifest.files.at(-1)?.rows['api_keys'], 2, 'so its key has a workspace')
  t.equal((await soundBackups(folder)).length, 1)
})

test('concurrent backups and unusable folders are refused', async (t) => {
  const { directory, folder, backUp } = await backedUpDirectory(t)
  await backUp()
  const lock = lockByFile(join(folder, '.lock'))
  await t.rejects(backUp(), { message: /another kontor backup is writing to .*; try again/ })
  lock?.release()
  const into = (path: string): Promise<unknown> => {
    const options = { directory, keep: undefined, version: '1', now: 0 }
    return makeBackup({ ...options, folder: path, onProgress: () => undefined })
  }
  for (const path of ['', 'backups/deep', 'workspaces']) {
    await t.rejects(into(join(directory.path, path)), { message: /is inside the data directory/ })
  }
  writeFileSync(join(t.testdirName, 'file'), '')
  await t.rejects(into(join(t.testdirName, 'file')), { name: 'CommandError', message: /cannot be/ })
  await into(join(t.testdirName, 'data.backup', 'deep'))
  rmSync(directory.controlPath)
  t.equal((await backUp()).manifest.files.length, 2, 'a directory without keys is backed up')
  ControlFile.open(directory.controlPath).close()
})
