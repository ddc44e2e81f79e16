import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { PROGRESS_LENGTH } from '../../src/threads/import-task.js'
import { ThreadPool } from '../../src/threads/thread-pool.js'
import { entry, message } from '../fixtures/camt-text.js'

const run = promisify(execFile)
const MODULE = new URL('../../src/threads/thread-pool.js', import.meta.url).href
const DRIVER = new URL('../../src/store/sqlite/sqlite-driver.js', import.meta.url).href

test('a pool that is closed while its threads start waits for them', async (t) => {
  const path = join(t.testdir(), 'absent.db')
  for (let round = 0; round < 8; round++) {
    const pool = new ThreadPool('build-snapshot.js', 0, 2)
    const tasks = [1, 2, 3].map(() => pool.run('stamp', path))
    const settled = Promise.allSettled(tasks)
    // Before the threads exist, while they load their file, and afterwards.
    if (round % 4 > 0) await new Promise((resolve) => setTimeout(resolve, 20 * (round % 4)))
    await pool.end()
    for (const { status } of await settled) t.equal(status, 'rejected')
    t.same(pool.load, { threadCount: 0, queueCount: 0 })
  }
})

test('a pool without threads closes at once', async (t) => {
  const pool = new ThreadPool('build-snapshot.js', 0)
  await pool.end()
  t.same(pool.load, { threadCount: 0, queueCount: 0 })
})

test('a pool that was closed starts no thread', async (t) => {
  const pool = new ThreadPool('build-snapshot.js', 0)
  await pool.end()
  await t.rejects(pool.run('stamp', 'absent.db'), /the threads have been ended/)
  t.same(pool.load, { threadCount: 0, queueCount: 0 })
  await pool.end()
})

test('a thread ignores preloads that the process was started with', async (t) => {
  const script = `
    const { ThreadPool } = await import(${JSON.stringify(MODULE)})
    const pool = new ThreadPool('build-snapshot.js', 0)
    await pool.run('stamp', 'absent.db').catch(() => console.log('answered'))
    await pool.end()`
  const shown = ['--import', 'data:text/javascript,console.log("loaded")']
  const words = [...shown, '--input-type=module', '--eval', script]
  const { stdout } = await run(process.execPath, words, { env: {} })
  t.equal(stdout, 'loaded\nanswered\n')
})

test('threads that wait for a lock are ended, and the process goes on', async (t) => {
  const folder = t.testdir({ 'a.xml': message(entry()) })
  for (const name of ['a.db', 'b.db']) WorkspaceFile.open(join(folder, name)).close()
  // The calls that wait for the locks fail some seconds later, with errors of SQLite.
  const script = `
    const { setTimeout: pause } = await import('node:timers/promises')
    const { ThreadPool } = await import(${JSON.stringify(MODULE)})
    const { Database } = await import(${JSON.stringify(DRIVER)})
    const pools = [1, 2].map(() => new ThreadPool('import-file.js', 0))
    const end = new AbortController()
    const length = ${PROGRESS_LENGTH * Float64Array.BYTES_PER_ELEMENT}
    const progress = pools.map(() => new Float64Array(new SharedArrayBuffer(length)))
    const paths = ['a.db', 'b.db']
    const locks = paths.map((path) => new Database(path).exec('BEGIN IMMEDIATE'))
    const tasks = paths.map((path, i) => {
      const stage = new Int32Array(new SharedArrayBuffer(4))
      const [address, file] = [{ engine: 'sqlite', path }, { path: 'a.xml', name: 'a.xml' }]
      const task = { address, ...file, nowMs: 0, progress: progress[i], stage }
      return pools[i].run('importFile', task, i === 0 ? undefined : end.signal)
    })
    const settled = Promise.allSettled(tasks)
    while (progress.some(([byteCount]) => byteCount === 0)) await pause(10)
    await pause(300)
    end.abort()
    await pools[0].end()
    const [ended, aborted] = await settled
    console.log(ended.reason.message, aborted.reason.name)
    await pools[1].end()
    for (const lock of locks) lock.close()
    console.log('goes on')`
  const words = ['--input-type=module', '--eval', script]
  const { stdout } = await run(process.execPath, words, { cwd: folder })
  t.match(stdout, /^Terminating worker thread AbortError\ngoes on\n$/)
})
