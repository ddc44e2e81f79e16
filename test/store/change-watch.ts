import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'tap'
import { ChangeWatch } from '../../src/store/change-watch.js'
import { isBusy } from '../../src/store/database.js'
import { WorkspaceFile } from '../../src/store/workspace-file.js'
import { accountRow } from '../fixtures/sample-workspace.js'

test('news are told once for all that was committed since', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const file = WorkspaceFile.open(path)
  const watch = new ChangeWatch(path)
  t.equal(watch.news(), 'unchanged')
  file.insertAccount(accountRow(1))
  file.insertAccount(accountRow(2))
  t.equal(watch.news(), 'changed')
  t.equal(watch.news(), 'unchanged')
  await file.atomically(async () => {
    file.insertAccount(accountRow(3))
    t.equal(watch.news(), 'unchanged', 'not before it is committed')
  })
  t.equal(watch.news(), 'changed')
  const other = new Database(path)
  other.exec('DELETE FROM accounts')
  other.close()
  t.equal(watch.news(), 'changed', 'by whatever program')
  watch.close()
  file.close()
})

test('a file that is replaced or gone is news', async (t) => {
  const path = join(t.testdir(), 'a.db')
  WorkspaceFile.open(path).close()
  const replaced = new ChangeWatch(path)
  copyFileSync(path, `${path}.new`)
  renameSync(`${path}.new`, path)
  t.equal(replaced.news(), 'replaced')
  replaced.close()
  const gone = new ChangeWatch(path)
  rmSync(path)
  t.equal(gone.news(), 'gone')
  gone.close()
  t.throws(() => new ChangeWatch(path), /there is no such file/)
})

test('a lock is never waited for', async (t) => {
  const path = join(t.testdir(), 'a.db')
  WorkspaceFile.open(path).close()
  // Without a write-ahead log a writer shuts readers out for as long as it commits.
  const writer = new Database(path)
  writer.pragma('journal_mode = DELETE')
  const watch = new ChangeWatch(path)
  writer.exec("BEGIN EXCLUSIVE; INSERT INTO categories (name) VALUES ('c')")
  t.equal(watch.news(), 'unchanged')
  try {
    new ChangeWatch(path)
    t.fail('the file is locked')
  } catch (error) {
    t.ok(isBusy(error))
  }
  writer.exec('COMMIT')
  t.equal(watch.news(), 'changed')
  watch.close()
  writer.close()
})
