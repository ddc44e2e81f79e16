import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { type RestoreReport, restoreBackup } from '../../src/backup/restore-backup.js'
import { makeDataDirectory, openDataDirectory } from '../../src/store/data-directory.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { backedUpDirectory } from '../fixtures/backups.js'
import { rowsOfFile } from '../fixtures/changes.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'

function restore(from: string, to: string): Promise<RestoreReport> {
  return restoreBackup({ from, to, onProgress: () => undefined })
}

/** Changes one byte in the middle. */
function tamper(path: string): void {
  const bytes = readFileSync(path)
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

test('a restored directory equals the backup and is accessible to the owner only', async (t) => {
  const { directory, folder, backUp } = await backedUpDirectory(t)
  await backUp()
  const { path, manifest } = await backUp()
  for (const [name, from] of [
    ['one', path],
    ['newest', folder],
  ] as const) {
    const to = join(t.testdirName, name)
    const report = await restore(from, to)
    t.same(report, { backup: path, manifest, passedOver: [] })
    t.same(readdirSync(to).sort(), ['control.db', 'workspaces'])
    for (const below of ['', 'workspaces']) t.equal(statSync(join(to, below)).mode & 0o777, 0o700)
    for (const file of manifest.files) {
      t.ok(readFileSync(join(path, file.path)).equals(readFileSync(join(to, file.path))))
      t.equal(statSync(join(to, file.path)).mode & 0o777, 0o600)
    }
    const file = WorkspaceFile.openForReading(join(to, 'workspaces', 'w.db'))
    t.same(rowsOfFile(file), SAMPLE)
    file.close()
  }
  t.ok(existsSync(directory.controlPath))
})

test('a non-empty directory stays unchanged', async (t) => {
  const { directory, folder, backUp } = await backedUpDirectory(t)
  await backUp()
  const before = readdirSync(directory.path, { recursive: true })
  await t.rejects(restore(folder, directory.path), {
    name: 'CommandError',
    message: /data is not empty \(control\.db, workspaces\).*mv .*data .*data\.old.*--data-dir/,
  })
  t.same(readdirSync(directory.path, { recursive: true }), before)
  const file = join(t.testdirName, 'file')
  writeFileSync(file, '')
  await t.rejects(restore(folder, file), /is not a directory/)
  await t.rejects(restore(folder, join(file, 'below')), /cannot be written/)
  const mount = join(t.testdirName, 'mount')
  mkdirSync(join(mount, 'lost+found'), { recursive: true })
  await restore(folder, mount)
  t.same(readdirSync(mount).sort(), ['control.db', 'lost+found', 'workspaces'])
})

test('a changed byte is found, and the newest intact backup is restored', async (t) => {
  const { folder, backUp } = await backedUpDirectory(t)
  const [old, damaged] = [await backUp(), await backUp()]
  const to = join(t.testdirName, 'to')
  for (const { path } of damaged.manifest.files) {
    tamper(join(damaged.path, path))
    await t.rejects(restore(damaged.path, to), /was changed: its SHA-256 differs from the manifest/)
    t.notOk(existsSync(to))
    tamper(join(damaged.path, path))
  }
  tamper(join(damaged.path, 'control.db'))
  const report = await restore(folder, to)
  t.equal(report.backup, old.path)
  t.match(report.passedOver, [{ backup: damaged.path, reason: /control\.db was changed/ }])
  rmSync(join(old.path, 'control.db'))
  await t.rejects(restore(folder, join(t.testdirName, 'other')), {
    message: /there is no complete backup in .*was changed.*cannot be read.*use a folder/,
  })
  await t.rejects(restore(join(t.testdirName, 'none'), to), /is not empty/)
  await t.rejects(restore(join(t.testdirName, 'none'), `${to}2`), /none cannot be read: ENOENT/)
})

test('a manifest with wrong row counts is rejected', async (t) => {
  const { backUp } = await backedUpDirectory(t)
  const { path } = await backUp()
  const manifestPath = join(path, 'manifest.json')
  const text = readFileSync(manifestPath, 'utf8')
  writeFileSync(manifestPath, text.replace('"transactions": 302', '"transactions": 303'))
  const to = join(t.testdirName, 'to')
  await t.rejects(
    restore(path, to),
    /rows of the copy differ from the original; use another backup/,
  )
  t.notOk(existsSync(to), 'nothing remains')
  mkdirSync(to)
  await t.rejects(restore(path, to), /the rows of the copy differ/)
  t.same(readdirSync(to), [], 'an empty directory stays empty')
})

test('a killed restore leaves a directory that no command accepts', async (t) => {
  const { folder, backUp } = await backedUpDirectory(t)
  await backUp()
  const to = join(t.testdirName, 'to')
  await restore(folder, to)
  // The state between the renames and the end.
  mkdirSync(join(to, '.restoring'))
  const advice = /a restore into .* is incomplete: .*delete the content of .* restore again/
  t.throws(() => openDataDirectory(to), advice)
  t.throws(() => makeDataDirectory(to), advice)
  await t.rejects(restore(folder, to), /is not empty/)
})
