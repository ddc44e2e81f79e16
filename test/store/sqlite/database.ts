import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import {
  explainFaults,
  faultOf,
  openDatabase,
  openDatabaseForReading,
} from '../../../src/store/sqlite/database.js'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { isBusy, StoreError } from '../../../src/store/store-error.js'

const FIRST = 'CREATE TABLE t (x INTEGER NOT NULL) STRICT; INSERT INTO t VALUES (1);'
const SECOND = 'ALTER TABLE t ADD COLUMN y TEXT;'

test('a file is created, migrated, and then left alone', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const versionOf = (migrations: readonly string[]): unknown => {
    const connection = openDatabase(path, migrations)
    const rows = connection.prepare('SELECT * FROM t').all()
    const version = connection.pragma('user_version', { simple: true })
    connection.close()
    return [version, rows]
  }
  t.same(versionOf([FIRST]), [1, [{ x: 1 }]])
  t.same(versionOf([FIRST]), [1, [{ x: 1 }]], 'a migration runs once')
  t.same(versionOf([FIRST, SECOND]), [2, [{ x: 1, y: null }]])
  t.throws(() => openDatabase(path, [FIRST]), {
    name: 'StoreError',
    message:
      /a\.db: its schema version 2 is newer than the newest supported one \(1\); use a newer/,
  })
  t.throws(() => openDatabaseForReading(path, [FIRST]), /newer than the newest supported/)
})

test('an empty file is not read as one without rows', async (t) => {
  const path = join(t.testdir({ 'a.db': '' }), 'a.db')
  try {
    openDatabaseForReading(path, [FIRST]).close()
    t.fail('it was opened')
  } catch (error) {
    t.match(error, { name: 'StoreError', message: /a\.db: the file is empty: .* from a backup$/ })
    t.ok(isBusy(error), 'the next attempt may find what another program writes')
  }
  t.equal(statSync(path).size, 0, 'unchanged')
})

test('a failed migration leaves the file unchanged', async (t) => {
  const path = join(t.testdir(), 'a.db')
  openDatabase(path, [FIRST]).close()
  t.throws(() => openDatabase(path, [FIRST, `${SECOND} NONSENSE;`]), StoreError)
  const connection = openDatabase(path, [FIRST])
  t.same(connection.prepare('SELECT * FROM t').all(), [{ x: 1 }])
  connection.close()
})

test('a file opened for reading is not written', async (t) => {
  const path = join(t.testdir(), 'a.db')
  t.throws(() => openDatabaseForReading(path, [FIRST]), /a\.db: there is no such file/)
  openDatabase(path, [FIRST]).close()
  const connection = openDatabaseForReading(path, [FIRST])
  t.throws(() => connection.exec('DELETE FROM t'), /readonly/)
  t.equal(faultOf(connection), undefined)
  connection.close()
})

test("SQLite's operating errors name the file; everything else is rethrown", async (t) => {
  const path = join(t.testdir({ 'bad.db': 'x'.repeat(5_000) }), 'bad.db')
  const words = 'the file is damaged or is not a SQLite database; restore it from a backup'
  const damaged = `${path}: ${words}`
  t.throws(() => openDatabase(path, [FIRST]), { name: 'StoreError', message: damaged })
  const missing = join(t.testdirName, 'no', 'such', 'folder.db')
  t.throws(() => openDatabase(missing, []), TypeError, 'better-sqlite3 checks the folder itself')
  const full = (): never => {
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
  }
  t.throws(() => explainFaults('a.db', full), {
    name: 'StoreError',
    message: 'a.db: the disk is full',
  })
  const bug = new RangeError('ours')
  t.throws(
    () =>
      explainFaults('a.db', () => {
        throw bug
      }),
    bug,
  )
})

test('a lock of another connection is a separate error', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const writer = openDatabase(path, [FIRST])
  writer.pragma('locking_mode = EXCLUSIVE')
  writer.exec('BEGIN EXCLUSIVE')
  try {
    openDatabaseForReading(path, [FIRST], 0)
    t.fail('the file is locked')
  } catch (error) {
    t.ok(isBusy(error))
    t.match(error, { message: /the file is locked by another program; try again/ })
  }
  writer.exec('COMMIT')
  writer.close()
  t.notOk(isBusy(new StoreError('x')))
  t.notOk(isBusy(new Error('SQLITE_BUSY')))
  openDatabaseForReading(path, [FIRST], 0).close()
})
