// Real files, real processes: SQLite's handling of a file without writers is its own, and the
// stamps depend on it.
import { once } from 'node:events'
import { copyFileSync, existsSync, renameSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { ChangeWatch } from '../../../src/store/sqlite/change-watch.js'
import { fileStamp, sealedVersion } from '../../../src/store/sqlite/file-stamp.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { spawnNode } from '../../fixtures/child-process.js'

function pathOf(t: Test): string {
  const path = join(t.testdir(), 'a.db')
  WorkspaceFile.open(path).close()
  return path
}

function addCategory(file: WorkspaceFile): void {
  file.insertCategory({ id: null, name: 'c', parentId: null })
}

const WORKSPACE_FILE = new URL('../../../src/store/sqlite/workspace-file.js', import.meta.url).href

/** A child process that commits one row and then ends in the given way. */
async function writerProcess(path: string, end: 'exits' | 'is killed'): Promise<void> {
  const script = `
    const { WorkspaceFile } = await import(${JSON.stringify(WORKSPACE_FILE)})
    const file = WorkspaceFile.open(${JSON.stringify(path)})
    file.insertCategory({ id: null, name: 'of the writer', parentId: null })
    ${end === 'exits' ? 'file.close()' : "process.kill(process.pid, 'SIGKILL')"}`
  const child = spawnNode(['--input-type=module', '-e', script], { stdio: 'ignore' })
  const [code, signal] = await once(child, 'close')
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the writer ended with ${code}`)
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

test('opening, reading and closing without a WAL changes nothing', async (t) => {
  const path = pathOf(t)
  const stamp = fileStamp(path)
  const reader = WorkspaceFile.openForReading(path)
  reader.version()
  t.ok(existsSync(`${path}-wal`), 'there is an empty WAL')
  t.equal(fileStamp(path), stamp, 'which counts as none')
  const writer = WorkspaceFile.open(path)
  writer.version()
  t.equal(fileStamp(path), stamp)
  writer.close()
  const watch = new ChangeWatch(path)
  watch.poll()
  reader.close()
  t.equal(fileStamp(path), stamp)
  watch.close()
  t.notOk(existsSync(`${path}-wal`))
  t.equal(fileStamp(path), stamp)
  const readOnly = new Database(path, { readonly: true })
  readOnly.prepare('SELECT uid FROM workspace').get()
  readOnly.close()
  t.ok(existsSync(`${path}-wal`), 'a read-only connection leaves its empty WAL')
  t.equal(fileStamp(path), stamp)
})

test('a commit changes the stamp, and so does the close that checkpoints the WAL', async (t) => {
  const path = pathOf(t)
  const before = fileStamp(path)
  const file = WorkspaceFile.open(path)
  addCategory(file)
  const committed = fileStamp(path)
  t.not(committed, before)
  addCategory(file)
  const again = fileStamp(path)
  t.not(again, committed)
  file.close()
  t.not(fileStamp(path), again)
})

test("the stamp covers the file's content, inode, size and time", async (t) => {
  const path = pathOf(t)
  const stamp = fileStamp(path)
  const { atimeMs, mtimeMs, size } = statSync(path)
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  utimesSync(path, atimeMs / 1_000, mtimeMs / 1_000)
  const copied = fileStamp(path)
  t.not(copied, stamp, 'a copy in its place')
  utimesSync(path, atimeMs / 1_000, mtimeMs / 1_000 + 1)
  const later = fileStamp(path)
  t.not(later, copied, 'another time')
  truncateSync(path, size - 4_096)
  utimesSync(path, atimeMs / 1_000, mtimeMs / 1_000 + 1)
  t.not(fileStamp(path), later, 'another size')
  t.throws(() => fileStamp(`${path}.gone`), /there is no such file/)
})

test('a writer that connected and disconnected during our reads', async (t) => {
  const path = pathOf(t)
  const watch = new ChangeWatch(path)
  await writerProcess(path, 'exits')
  t.equal(watch.poll(), 'changed')
  t.ok(logBytes(path) > 0, 'the WAL stays as long as the watch is open')
  const whileOpen = fileStamp(path)
  const reader = WorkspaceFile.openForReading(path)
  reader.version()
  reader.close()
  t.equal(fileStamp(path), whileOpen, 'a writer that is not the last to close changes nothing')
  watch.close()
  t.equal(logBytes(path), 0, 'the watch checkpointed the WAL, though it only reads')
  t.not(fileStamp(path), whileOpen, 'so a stamp is taken after the close')
  const stamped = await sealedVersion(path)
  t.equal(stamped?.seal.content, fileStamp(path))
  t.equal(stamped?.version.sequence, 1)
  const next = new ChangeWatch(path)
  t.equal(fileStamp(path), stamped?.seal.content, 'and is valid at the next start')
  next.close()
  t.equal(fileStamp(path), stamped?.seal.content)
})

test('a killed writer', async (t) => {
  const path = pathOf(t)
  await writerProcess(path, 'is killed')
  t.ok(logBytes(path) > 0)
  const left = fileStamp(path)
  const watch = new ChangeWatch(path)
  const reader = WorkspaceFile.openForReading(path)
  t.equal(reader.version().sequence, 1, 'its commit is read from the WAL')
  t.equal(fileStamp(path), left, 'which opening and reading do not change')
  reader.close()
  watch.close()
  t.not(fileStamp(path), left, 'but the last close does')
  t.equal(logBytes(path), 0)
  const during = new ChangeWatch(path)
  await writerProcess(path, 'is killed')
  t.equal(during.poll(), 'changed')
  during.close()
  t.equal(logBytes(path), 0, 'the same when it was killed next to the watch')
  const stamped = await sealedVersion(path)
  t.equal(stamped?.version.sequence, 2)
  const next = new ChangeWatch(path)
  t.equal(fileStamp(path), stamped?.seal.content, 'a stamp taken then is valid at the next start')
  next.close()
})

test('a stamped version waits until the file is at rest', async (t) => {
  const path = pathOf(t)
  await writerProcess(path, 'is killed')
  const stamped = await sealedVersion(path)
  t.match(stamped, { version: { sequence: 1 } })
  t.equal(stamped?.seal.content, fileStamp(path))
  const file = WorkspaceFile.open(path)
  addCategory(file)
  const whileOpen = await sealedVersion(path)
  t.equal(whileOpen?.version.sequence, 2, 'another connection may be open')
  t.not(whileOpen?.seal.content, stamped?.seal.content)
  t.equal(whileOpen?.seal.content, fileStamp(path))
  file.close()
})

test('a file with a time in the future has no stamp', async (t) => {
  const path = pathOf(t)
  const { atimeMs, mtimeMs } = statSync(path)
  utimesSync(path, atimeMs / 1_000, mtimeMs / 1_000 + 3_600)
  t.equal(await sealedVersion(path), undefined)
  await t.rejects(sealedVersion(`${path}.gone`), /there is no such file/)
})
