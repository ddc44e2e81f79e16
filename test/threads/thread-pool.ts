import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'tap'
import { ThreadPool } from '../../src/threads/thread-pool.js'

const run = promisify(execFile)
const MODULE = new URL('../../src/threads/thread-pool.js', import.meta.url).href

test('a pool that is closed while its threads start waits for them', async (t) => {
  const path = join(t.testdir(), 'absent.db')
  for (let round = 0; round < 20; round++) {
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
