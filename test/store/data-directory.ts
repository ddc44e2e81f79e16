import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import {
  deleteWorkspaceFile,
  isWorkspaceId,
  makeDataDirectory,
  openDataDirectory,
  workspaceExists,
  workspaceIds,
  workspacePath,
} from '../../src/store/data-directory.js'

test('a workspace id is letters, digits, hyphen and underscore, and a file name', async (t) => {
  for (const id of ['w', 'A-b_9', '-', 'x'.repeat(128)]) t.ok(isWorkspaceId(id), id)
  for (const id of ['', '.', '..', 'a/b', 'a.b', 'a b', 'ä', 'a\n', 'x'.repeat(129)]) {
    t.notOk(isWorkspaceId(id), JSON.stringify(id))
  }
})

test('the directory is created, and lists its workspaces', async (t) => {
  const path = join(t.testdir(), 'deep', 'data')
  const directory = makeDataDirectory(path)
  const [controlPath, cachePath] = [join(path, 'control.db'), join(path, 'cache')]
  const uploadsPath = join(path, 'uploads')
  t.same(directory, { path, controlPath, cachePath, uploadsPath })
  t.same(makeDataDirectory(path), directory, 'again')
  t.same(openDataDirectory(path), directory)
  for (const made of [path, join(path, 'workspaces')]) {
    t.equal(statSync(made).mode & 0o777, 0o700, 'bank data is accessible to the owner only')
  }
  t.same(workspaceIds(directory), [])
  for (const name of ['b.db', 'a.db', 'a.db-wal', 'a.db-shm', 'not one.db', 'c.txt', '.db']) {
    writeFileSync(join(path, 'workspaces', name), '')
  }
  t.same(workspaceIds(directory), ['a', 'b'])
  t.ok(workspaceExists(directory, 'a'))
  t.notOk(workspaceExists(directory, 'c'))
  t.notOk(workspaceExists(directory, '../control'))
  t.throws(() => workspacePath(directory, '../control'), /is not a valid workspace id/)
  deleteWorkspaceFile(directory, 'a')
  t.same(workspaceIds(directory), ['b'])
  t.notOk(existsSync(join(path, 'workspaces', 'a.db-wal')))
  deleteWorkspaceFile(directory, 'a')
})

test('an unusable directory is named', async (t) => {
  const path = join(t.testdir({ file: '' }), 'file')
  const nothingCanBeMade = existsSync('/proc') ? ['/proc/kontor', '/proc/kontor/deep'] : []
  for (const unfit of [path, join(path, 'deeper'), ...nothingCanBeMade]) {
    t.throws(() => makeDataDirectory(unfit), {
      name: 'StoreError',
      message: new RegExp(`^the data directory ${unfit} cannot be used .*--data-dir$`),
    })
  }
})

test('a missing one is not created by a reader', async (t) => {
  const path = join(t.testdir(), 'mistyped')
  t.throws(() => openDataDirectory(path), {
    name: 'StoreError',
    message: new RegExp(`^there is no data directory ${path}; .*--data-dir selects another$`),
  })
  t.notOk(existsSync(path))
})
