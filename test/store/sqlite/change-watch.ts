import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { ChangeWatch } from '../../../src/store/sqlite/change-watch.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { isBusy } from '../../../src/store/store-error.js'
import { accountRow } from '../../fixtures/sample-workspace.js'

test('all commits since the last poll are one change', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const file = WorkspaceFile.open(path)
  const watch = new ChangeWatch(path)
  t.equal(watch.poll(), 'unchanged')
  file.insertAccount(accountRow(1))
  file.insertAccount(accountRow(2))
  t.equal(watch.poll(), 'changed')
  t.equal(watch.poll(), 'unchanged')
  await file.atomically(async () => {
    file.insertAccount(accountRow(3))
    t.equal(watch.poll(), 'unchanged', 'not before it is committed')
  })
  t.equal(watch.poll(), 'changed')
  const other = new Database(path)
  other.exec('DELETE FROM accounts')
  other.close()
  t.equal(watch.poll(), 'changed', 'by any program')
  watch.close()
  file.close()
})

test('the sequence is that of the last change', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const file = WorkspaceFile.open(path)
  file.insertAccount(accountRow(1))
  const watch = new ChangeWatch(path)
  t.equal(watch.sequence, 1)
  file.insertAccount(accountRow(2))
  t.equal(watch.sequence, 1)
  t.equal(watch.poll(), 'changed')
  t.equal(watch.sequence, 2)
  watch.close()
  file.close()
})

test('a commit outside the sequence is a change', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const file = WorkspaceFile.open(path)
  file.insertAccount(accountRow(1))
  const watch = new ChangeWatch(path)
  const writer = new Database(path)
  writer.exec('DELETE FROM changes')
  t.equal(watch.poll(), 'unlogged')
  t.equal(watch.poll(), 'unchanged')
  writer.exec('DROP TRIGGER accounts_deleted; DELETE FROM accounts')
  t.equal(watch.poll(), 'unlogged')
  writer.exec("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'changes'")
  t.equal(watch.poll(), 'unlogged')
  t.equal(watch.sequence, 0)
  file.insertAccount(accountRow(2))
  t.equal(watch.poll(), 'changed')
  watch.close()
  writer.close()
  file.close()
})

test('a WAL reset during a long transaction is no commit', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const file = WorkspaceFile.open(path)
  file.insertAccount(accountRow(1))
  const watch = new ChangeWatch(path)
  const writer = new Database(path)
  const insert = writer.prepare('INSERT INTO categories (name) VALUES (?)')
  // A cache of ten pages: writes reach the WAL long before their commit.
  writer.pragma('cache_size = 10')
  for (const end of ['COMMIT', 'ROLLBACK']) {
    writer.pragma('wal_checkpoint(PASSIVE)')
    writer.exec('BEGIN IMMEDIATE')
    for (let i = 0; i < 5_000; i++) {
      insert.run(`category ${i}`)
      if (i % 500 === 0) t.equal(watch.poll(), 'unchanged')
    }
    writer.exec(end)
    // A rollback leaves no trace except a changed WAL.
    t.equal(watch.poll(), end === 'COMMIT' ? 'changed' : 'unlogged')
    t.equal(watch.poll(), 'unchanged')
  }
  watch.close()
  writer.close()
  file.close()
})

test('a replaced or missing file is a change', async (t) => {
  const path = join(t.testdir(), 'a.db')
  WorkspaceFile.open(path).close()
  const replaced = new ChangeWatch(path)
  copyFileSync(path, `${path}.new`)
  renameSync(`${path}.new`, path)
  t.equal(replaced.poll(), 'replaced')
  replaced.close()
  const gone = new ChangeWatch(path)
  rmSync(path)
  t.equal(gone.poll(), 'gone')
  gone.close()
  t.throws(() => new ChangeWatch(path), /there is no such file/)
})

test('a lock is never awaited', async (t) => {
  const path = join(t.testdir(), 'a.db')
  WorkspaceFile.open(path).close()
  // Without a WAL a writer locks readers out for the duration of its commit.
  const writer = new Database(path)
  writer.pragma('journal_mode = DELETE')
  const watch = new ChangeWatch(path)
  writer.exec("BEGIN EXCLUSIVE; INSERT INTO categories (name) VALUES ('c')")
  t.equal(watch.poll(), 'unchanged')
  try {
    new ChangeWatch(path)
    t.fail('the file is locked')
  } catch (error) {
    t.ok(isBusy(error))
  }
  writer.exec('COMMIT')
  t.equal(watch.poll(), 'changed')
  watch.close()
  writer.close()
})
