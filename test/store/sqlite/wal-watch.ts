import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import { WalWatch } from '../../../src/store/sqlite/wal-watch.js'
import { assertProperty } from '../../fixtures/assert-property.js'

/** A database in WAL mode with a table, two connections to it, and a watch of the first. */
function openWatched(t: Test, name: string) {
  const path = join(t.testdirName, name)
  const own = new Database(path)
  own.pragma('journal_mode = WAL')
  own.exec('CREATE TABLE numbers (n INTEGER)')
  const other = new Database(path)
  const dataVersion = own.prepare('PRAGMA data_version').pluck()
  return { path, own, other, dataVersion, watch: new WalWatch(path) }
}

/** Elsewhere every call returns that the file may have changed. */
const IS_EXACT = process.platform === 'linux'

const STEPS = ['nothing', 'insert', 'read', 'PASSIVE', 'RESTART', 'TRUNCATE'] as const

test('no commit that SQLite reports is missed, whatever else happens', async (t) => {
  t.testdir()
  let fileCount = 0
  assertProperty(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 30 }), (steps) => {
      fileCount += 1
      const { own, other, dataVersion, watch } = openWatched(t, `p${fileCount}.db`)
      assert(watch.mayHaveChanged(), 'the first call')
      let version = dataVersion.get()
      for (const step of steps) {
        if (step === 'insert') other.exec('INSERT INTO numbers VALUES (1)')
        else if (step === 'read') other.prepare('SELECT count(*) FROM numbers').get()
        else if (step !== 'nothing') other.pragma(`wal_checkpoint(${step})`)
        const mayHaveChanged = watch.mayHaveChanged()
        const now = dataVersion.get()
        if (now !== version) assert(mayHaveChanged, step)
        if (IS_EXACT && (step === 'nothing' || step === 'read')) assert(!mayHaveChanged, step)
        version = now
      }
      other.close()
      own.close()
    }),
    { numRuns: 40 },
  )
})

test('a commit of another process is noticed', {
  skip: process.platform !== 'linux',
}, async (t) => {
  t.testdir()
  const { path, own, other, watch } = openWatched(t, 'a.db')
  t.ok(watch.mayHaveChanged())
  t.notOk(watch.mayHaveChanged())
  const driver = new URL('../../../src/store/sqlite/sqlite-driver.js', import.meta.url).href
  const program = `import { Database } from '${driver}'
    const file = new Database(process.argv[1])
    file.exec('INSERT INTO numbers VALUES (1)')
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module', '-e', program, path])
  t.ok(watch.mayHaveChanged())
  t.equal(own.prepare('SELECT count(*) FROM numbers').pluck().get(), 1)
  t.notOk(watch.mayHaveChanged())
  for (const connection of [own, other]) connection.close()
})

test('a file without a WAL may always have changed', async (t) => {
  const path = join(t.testdir(), 'a.db')
  const file = new Database(path)
  file.exec('CREATE TABLE numbers (n INTEGER)')
  const watch = new WalWatch(path)
  t.ok(watch.mayHaveChanged())
  t.ok(watch.mayHaveChanged())
  file.close()
})
