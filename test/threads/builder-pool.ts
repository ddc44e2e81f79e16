import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { load } from '../../src/snapshot/snapshot-tasks.js'
import { BuilderPool } from '../../src/threads/builder-pool.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { addressOf } from '../fixtures/stored-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

/** Rounds after which the threads of a pool have started, however busy the machine is. */
const ROUNDS_MAX = 20

test('a thread builds the same snapshot as this one, in shared memory', async (t) => {
  const path = join(t.testdir(), 'w.db')
  await writeWorkspace(path, SAMPLE)
  const pool = new BuilderPool()
  t.teardown(() => pool.close())
  const task = { workspaceId: 'w', address: addressOf(path), cache: undefined }
  const { snapshot: built } = await pool.load(task)
  const { snapshot: here } = await load(task)
  // The account and category bytes are copies, which return as plain arrays.
  assert.deepEqual(built.segments, here.segments)
  assert.deepEqual(built.version, here.version)
  t.same(
    built.accounts.map(({ bytes, ...rest }) => [Buffer.from(bytes).toString(), rest]),
    here.accounts.map(({ bytes, ...rest }) => [Buffer.from(bytes).toString(), rest]),
  )
  t.ok(built.segments[0]?.segment.rowBytes.buffer instanceof SharedArrayBuffer)
})

test('an unreadable file rejects with the reason', async (t) => {
  const path = join(t.testdir(), 'bad.db')
  writeFileSync(path, 'x'.repeat(5_000))
  const pool = new BuilderPool()
  const task = { workspaceId: 'w', address: addressOf(path), cache: undefined }
  await t.rejects(pool.load(task), /bad\.db: the file is damaged/)
  await t.rejects(pool.load({ ...task, address: addressOf(`${path}x`) }), /there is no such file/)
  await pool.close()
})

test('running work is rejected when all threads end, at any moment', async (t) => {
  const path = join(t.testdir(), 'w.db')
  await writeWorkspace(path, { ...SAMPLE, transactions: [] })
  for (let round = 0; round < 5; round++) {
    const pool = new BuilderPool()
    const task = { workspaceId: 'w', address: addressOf(path), cache: undefined }
    await pool.load(task)
    const tasks = Array.from({ length: 400 }, () => pool.load(task))
    const ended = Promise.allSettled(tasks)
    // The first answers are on their way by then.
    await tasks[round]
    await pool.close()
    const states = (await ended).map(({ status }) => status)
    t.ok(states.includes('fulfilled') && states.includes('rejected'))
  }
})

test('a long load delays no other', async (t) => {
  const directory = t.testdir()
  const [long, short] = ['long.db', 'short.db'].map((name) => join(directory, name))
  assert(long !== undefined && short !== undefined)
  const transactions = Array.from({ length: 100_000 }, (_, i) => transactionRow(i + 1, 1))
  await writeWorkspace(long, { ...SAMPLE, transactions })
  await writeWorkspace(short, SAMPLE)
  const pool = new BuilderPool()
  t.teardown(() => pool.close())
  const task = { workspaceId: 'w', cache: undefined }
  // A second thread that is still starting takes no load: from some round on both have started.
  let last: string | undefined
  for (let round = 0; round < ROUNDS_MAX && last !== 'long'; round++) {
    const note = (name: string) => (): void => {
      last = name
    }
    const slow = pool.load({ ...task, address: addressOf(long) }).then(note('long'))
    const quick = [1, 2, 3].map(() =>
      pool.load({ ...task, address: addressOf(short) }).then(note('short')),
    )
    await Promise.all([slow, ...quick])
  }
  t.equal(last, 'long', 'later loads were done before it')
})
