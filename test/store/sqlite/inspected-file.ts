import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'tap'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { InspectedFile } from '../../../src/store/sqlite/inspected-file.js'
import { lastSequence } from '../../../src/store/sqlite/sequence.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { rowsOfFile } from '../../fixtures/changes.js'
import { spawnNode } from '../../fixtures/child-process.js'
import { execute } from '../../fixtures/control-sql.js'
import { withDirectory } from '../../fixtures/files.js'
import { writeLargeWorkspace } from '../../fixtures/large-workspace.js'
import { numberedWriter } from '../../fixtures/numbered-writer.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import { workspaceRows, writeWorkspace } from '../../fixtures/workspaces.js'

const WRITER = new URL('../../fixtures/numbered-writer.js', import.meta.url).pathname

function inspected<T>(path: string, use: (file: InspectedFile) => T): T {
  const file = InspectedFile.open(path, 'workspace')
  try {
    return use(file)
  } finally {
    file.close()
  }
}

function rowsIn(path: string): unknown {
  const file = WorkspaceFile.openForReading(path)
  try {
    return rowsOfFile(file)
  } finally {
    file.close()
  }
}

test('a copy made next to a permanent writer is a state that existed', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'a.db')
  writeLargeWorkspace(path, 12)
  const base = join(folder, 'base.db')
  copyFileSync(path, base)
  const writer = spawnNode([WRITER, path])
  const ended = once(writer, 'close')
  await once(writer.stdout, 'data')
  const replayed = new Database(base)
  replayed.pragma('synchronous = OFF')
  const step = numberedWriter(replayed)
  let number = 0
  try {
    for (let i = 0; i < 3; i++) {
      const copy = join(folder, `copy-${i}.db`)
      const original = InspectedFile.open(path, 'workspace')
      let steps = 0
      const state = await original.copyTo(copy, () => {
        steps += 1
      })
      t.ok(original.state().sequence! > state.sequence!, 'it was written during the copy')
      original.close()
      t.ok(steps > 1, 'in several steps')
      t.same(
        inspected(copy, (file) => file.state()),
        state,
      )
      t.same(
        inspected(copy, (file) => file.integrityFaults()),
        [],
      )
      while (lastSequence(replayed) < state.sequence!) step(++number)
      t.ok(isDeepStrictEqual(rowsIn(copy), rowsIn(base)), 'the rows are those of its sequence')
    }
  } finally {
    replayed.close()
    writer.kill('SIGKILL')
    await ended
  }
})

test('a copy has the rows of the original', async () => {
  await assertProperty(
    fc.asyncProperty(workspaceRows(), (rows) =>
      withDirectory(async (folder) => {
        const [path, copy] = [join(folder, 'a.db'), join(folder, 'b.db')]
        await writeWorkspace(path, rows)
        const original = InspectedFile.open(path, 'workspace')
        const state = await original.copyTo(copy, () => undefined)
        original.close()
        assert.deepEqual(rowsIn(copy), rowsIn(path))
        assert.equal(state.rows['transactions'], rows.transactions.length)
        assert.equal(state.rows['accounts'], rows.accounts.length)
        assert.equal(statSync(copy).mode & 0o777, 0o600)
        assert.deepEqual(readdirSync(folder), ['a.db', 'b.db'])
      }),
    ),
    { numRuns: 20 },
  )
})

test('a file is opened read-only, and left unchanged', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'a.db')
  await writeWorkspace(path, SAMPLE)
  const before = readFileSync(path)
  inspected(path, (file) => {
    t.same(file.missingObjects(), [])
    t.same(file.danglingRows(), [])
    t.ok(file.isChangeLogWhole())
    t.equal(file.state().rows['transactions'], 302)
  })
  t.same(readdirSync(folder), ['a.db'])
  t.ok(before.equals(readFileSync(path)))

  // The WAL of a killed process: a copy of both files between two commits.
  const writer = new Database(path)
  writer.exec("UPDATE accounts SET name = 'logged'")
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, join(folder, `left.db${suffix}`))
  writer.close()
  const left = join(folder, 'left.db')
  const log = readFileSync(`${left}-wal`)
  t.ok(log.length > 0)
  inspected(left, (file) => t.equal(file.state().sequence, 311, 'the WAL counts'))
  t.ok(before.equals(readFileSync(left)), 'the WAL is not checkpointed')
  t.ok(log.equals(readFileSync(`${left}-wal`)))
})

test('a foreign or newer file is refused', async (t) => {
  const folder = t.testdir({ 'rubbish.db': 'x'.repeat(5_000), 'empty.db': '' })
  const open = (name: string) => () => InspectedFile.open(join(folder, name), 'workspace')
  t.throws(open('missing.db'), /there is no such file/)
  t.throws(open('rubbish.db'), /damaged or is not a SQLite database/)
  t.throws(open('empty.db'), /no tables of kontor/)
  await writeWorkspace(join(folder, 'newer.db'), SAMPLE)
  const connection = new Database(join(folder, 'newer.db'))
  connection.pragma('user_version = 99')
  connection.close()
  t.throws(open('newer.db'), /schema version 99 is newer than the newest supported one \(6\)/)
  writeFileSync(join(folder, 'there.db'), '')
  await writeWorkspace(join(folder, 'a.db'), SAMPLE)
  const file = InspectedFile.open(join(folder, 'a.db'), 'workspace')
  await t.rejects(
    file.copyTo(join(folder, 'there.db'), () => undefined),
    { code: 'EEXIST' },
  )
  await t.rejects(
    file.copyTo(join(folder, 'no', 'b.db'), () => undefined),
    { code: 'ENOENT' },
  )
  t.equal(file.state().rows['transactions'], 302, 'it is usable afterwards')
  file.close()
})

test('content errors are found', async (t) => {
  const path = join(t.testdir(), 'a.db')
  await writeWorkspace(path, SAMPLE)
  const connection = new Database(path)
  connection.pragma('foreign_keys = OFF')
  connection.exec(`DROP TRIGGER transactions_updated;
    DROP INDEX accounts_iban;
    UPDATE transactions SET account_id = 77 WHERE id <= 2;
    DELETE FROM changes WHERE sequence = 10`)
  connection.pragma('ignore_check_constraints = ON')
  connection.exec('UPDATE transactions SET amount_scale = 9 WHERE id = 5')
  connection.close()
  inspected(path, (file) => {
    t.same(file.missingObjects(), ['index accounts_iban', 'trigger transactions_updated'])
    t.same(file.danglingRows(), [{ table: 'transactions', parent: 'accounts', count: 2 }])
    t.notOk(file.isChangeLogWhole())
    t.match(file.integrityFaults(), [/CHECK constraint failed/])
  })
})

test('valid credentials, with the file of each', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const control = ControlFile.open(path)
  const insert = `INSERT INTO api_keys (workspace_id, workspace_uid, hash, name, scopes, accounts,
    created_at, revoked_at) VALUES ('w', @uid, randomblob(32), @name, '', 'all', 0, @at)`
  execute(control, insert, { uid: 'u', name: 'bound', at: null })
  execute(control, insert, { uid: null, name: 'loose', at: null })
  execute(control, insert, { uid: 'u', name: 'revoked', at: 1 })
  const file = InspectedFile.open(path, 'control')
  t.same(file.credentialsInForce(), [
    { kind: 'key', id: '1', name: 'bound', workspaceId: 'w', workspaceUid: 'u' },
    { kind: 'key', id: '2', name: 'loose', workspaceId: 'w', workspaceUid: null },
  ])
  t.same(file.missingObjects(), [])
  t.equal(file.state().uid, undefined)
  file.close()
  control.close()
})
