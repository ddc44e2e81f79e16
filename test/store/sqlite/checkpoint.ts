import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { checkpointControl } from '../../../src/store/sqlite/checkpoint.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { StoreError } from '../../../src/store/store-error.js'
import { run, type Work } from '../../../src/store/work.js'
import { execute, rowOf, rowsOf } from '../../fixtures/control-sql.js'

const PAGE_BYTES = 4_096

/** Some rows, each on a page of its own. */
function* insertPages(count: number): Work<void> {
  const text = 'x'.repeat(PAGE_BYTES - 200)
  for (let i = 0; i < count; i++) yield* run('INSERT INTO pages (text) VALUES (@text)', { text })
}

async function write(control: ControlFile, count: number): Promise<void> {
  await control.atomically(() => insertPages(count))
}

function newPages(path: string, use: 'command' | 'service'): ControlFile {
  const control = ControlFile.open(path, use)
  execute(control, 'CREATE TABLE IF NOT EXISTS pages (text TEXT)')
  return control
}

test('a service leaves its WAL to the scheduler; a command checkpoints its own', async (t) => {
  for (const use of ['service', 'command'] as const) {
    const path = join(t.testdir(), 'control.db')
    const control = newPages(path, use)
    const before = statSync(path).size
    await write(control, 1_200)
    await write(control, 1)
    t.equal(statSync(path).size > before, use === 'command', use)
    const waits = rowOf<{ synchronous: number }>(control, 'PRAGMA synchronous')?.synchronous
    t.equal(waits, use === 'command' ? 2 : 1, 'FULL, or NORMAL')
    control.close()
  }
})

test('written pages are checkpointed, and the WAL restarts from its beginning', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const control = newPages(path, 'service')
  t.teardown(() => control.close())
  await write(control, 500)
  const generation = control.dataVersion()
  const { pageCount, checkpointedCount } = checkpointControl(path)
  t.ok(pageCount > 500)
  t.equal(checkpointedCount, pageCount)
  t.ok(statSync(path).size > 500 * PAGE_BYTES)
  t.equal(control.dataVersion(), generation, 'which is no change for readers')
  const logBytes = statSync(`${path}-wal`).size
  for (let i = 0; i < 20; i++) {
    await write(control, 100)
    checkpointControl(path)
  }
  t.equal(statSync(`${path}-wal`).size, logBytes)
})

test('a short WAL is only fsynced, a longer one is checkpointed', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const control = newPages(path, 'service')
  t.teardown(() => control.close())
  checkpointControl(path)
  const size = statSync(path).size
  await write(control, 20)
  const left = checkpointControl(path, 99)
  t.ok(left.pageCount > 20)
  t.match(left, { checkpointedCount: 0, isCheckpoint: false })
  t.equal(statSync(path).size, size)
  await write(control, 20)
  const before = checkpointControl(path, 99)
  t.ok(before.pageCount > left.pageCount, 'it continues where it was')
  const moved = checkpointControl(path, before.pageCount - 1)
  const { pageCount } = before
  t.same(moved, { pageCount, checkpointedCount: pageCount, isCheckpoint: true })
  const nothing = { ...moved, isCheckpoint: false }
  t.same(checkpointControl(path, 99), nothing, 'nothing is left to do')
  await write(control, 1)
  t.ok(checkpointControl(path, 99).pageCount < 20, 'and it was reset')
  const [copy, name] = [t.testdirName, 'copy.db']
  for (const end of ['', '-wal']) copyFileSync(path + end, join(copy, name + end))
  const other = ControlFile.open(join(copy, name))
  t.teardown(() => other.close())
  t.match(rowOf(other, 'SELECT count(*) AS n FROM pages'), { n: 41 }, 'file and WAL only')
})

/** Starts to read the current state of the file. @returns function that ends the read */
function readingNow(path: string): () => void {
  const control = ControlFile.open(path)
  execute(control, 'BEGIN')
  rowsOf(control, 'SELECT count(*) FROM pages')
  return () => {
    execute(control, 'COMMIT')
    control.close()
  }
}

test('next to a writer or reader as much as possible is checkpointed, without error', async (t) => {
  const path = join(t.testdir(), 'control.db')
  const control = newPages(path, 'service')
  t.teardown(() => control.close())
  await write(control, 10)
  await control.atomically(function* () {
    yield* insertPages(10)
    const { pageCount, checkpointedCount } = checkpointControl(path)
    t.equal(checkpointedCount, pageCount, 'all committed rows')
  })
  const endReading = readingNow(path)
  await write(control, 20)
  const held = checkpointControl(path)
  t.ok(held.checkpointedCount < held.pageCount)
  endReading()
  const { pageCount, checkpointedCount } = checkpointControl(path)
  t.equal(checkpointedCount, pageCount)
})

test('a missing file is reported', async (t) => {
  t.throws(() => checkpointControl(join(t.testdir(), 'control.db')), StoreError)
})
