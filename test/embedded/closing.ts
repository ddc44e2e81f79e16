// Closing, and programs that fail: calls end, threads end, memory is freed.
import { execFile } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Test, test } from 'tap'
import { type Kontor, type KontorWorkspace, openKontor } from '../../src/embedded/kontor.js'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { ServedDirectory, withMore } from '../fixtures/served-directory.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

const run = promisify(execFile)
const ENTRY = new URL('../../src/embedded/kontor.js', import.meta.url).href
const CLOSED = { name: 'KontorError', code: 'workspace_unavailable', message: /is closed/ }
const COUNT = SAMPLE.transactions.length
/** Less than a page of changes waits. */
const WAIT_MS_MAX = 20_000

interface Opened {
  readonly served: ServedDirectory
  readonly kontor: Kontor
  readonly acme: KontorWorkspace
}

async function opened(t: Test): Promise<Opened> {
  const served = await ServedDirectory.make(t, SAMPLE)
  const kontor = await openKontor({ dataDir: served.path })
  t.teardown(() => kontor.close())
  return { served, kontor, acme: await kontor.workspace('w') }
}

/** What the promise is fulfilled with. @throws Error when it takes as long as a page waits */
async function withoutWait<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the wait was not ended')), WAIT_MS_MAX)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A loop that has read all changes and waits for the next one. */
async function waitingLoop(acme: KontorWorkspace, signal?: AbortSignal) {
  const loop = acme.changes(signal === undefined ? {} : { signal })
  for (let i = 0; i < COUNT; i++) await loop.next()
  const next = loop.next()
  next.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 20))
  return { loop, next }
}

/** Every call of a workspace. */
const CALLS: readonly ((acme: KontorWorkspace) => unknown)[] = [
  (acme) => acme.accounts(),
  (acme) => acme.account(1),
  (acme) => acme.categories(),
  (acme) => acme.category(2),
  (acme) => acme.transaction(1),
  (acme) => acme.transactions(),
  (acme) => acme.transactions({ query: 'miete' }),
  (acme) => acme.match('RE-2026-0815'),
  (acme) => acme.matchAll({ queries: [{ id: 'a', query: 'RE-2026-0815' }] }),
  (acme) => acme.summary({ groupBy: ['month'] }),
  (acme) => acme.suggestions('miete'),
  (acme) => acme.changes({ follow: false }).next(),
]

test('a workspace that is closed refuses calls, and others go on', async (t) => {
  const { kontor, acme } = await opened(t)
  const other = await kontor.workspace('w')
  acme.close()
  acme.close()
  for (const call of CALLS) await t.rejects(async () => call(acme), CLOSED, String(call))
  t.same(await acme.changes().next(), { done: true, value: undefined })
  t.equal(other.transactions().total, COUNT)
  t.equal((await other.match('RE-2026-0815')).items.length <= 10, true)
})

test('a kontor that is closed refuses calls and workspaces', async (t) => {
  const { kontor, acme } = await opened(t)
  await Promise.all([kontor.close(), kontor.close()])
  await kontor.close()
  for (const call of CALLS) await t.rejects(async () => call(acme), CLOSED, String(call))
  await t.rejects(kontor.workspace('w'), CLOSED)
})

test('calls that are under way at the close are rejected, or answered', async (t) => {
  const served = await ServedDirectory.make(t, withMore(SAMPLE, 20_000))
  for (const close of ['kontor', 'workspace', 'load']) {
    const kontor = await openKontor({ dataDir: served.path })
    const loading = kontor.workspace('w')
    const acme = close === 'load' ? undefined : await loading
    const calls =
      acme === undefined ? [loading] : CALLS.map(async (call): Promise<unknown> => call(acme))
    const settled = Promise.allSettled(calls)
    // The calls have begun: some are on threads.
    await new Promise((resolve) => setImmediate(resolve))
    if (close === 'workspace') acme?.close()
    await kontor.close()
    for (const result of await withoutWait(settled)) {
      if (result.status === 'rejected') t.match(result.reason, CLOSED, close)
    }
  }
})

test('a loop over changes ends with its workspace, and when its caller ends it', async (t) => {
  const { kontor, acme } = await opened(t)
  const returned = await waitingLoop(acme)
  const end = { done: true, value: undefined }
  t.same(await withoutWait(returned.loop.return?.() ?? returned.next), end)
  t.same(await returned.next, end)

  const other = await kontor.workspace('w')
  const closed = await waitingLoop(other)
  other.close()
  t.same(await withoutWait(closed.next), end)

  const ending = new AbortController()
  const aborted = await waitingLoop(acme, ending.signal)
  ending.abort(new Error('enough'))
  await t.rejects(withoutWait(aborted.next), /enough/)
  t.same(await aborted.loop.next(), end)

  const last = await waitingLoop(acme)
  await kontor.close()
  t.same(await withoutWait(last.next), end)
})

test('a loop that is left, or whose body throws, leaves the workspace as it is', async (t) => {
  const { acme } = await opened(t)
  for await (const change of acme.changes()) if (change.kind === 'upsert') break
  const failing = async (): Promise<void> => {
    for await (const change of acme.changes()) throw new Error(`no ${change.kind}`)
  }
  await t.rejects(failing, /no upsert/)
  let count = 0
  await t.rejects(async () => {
    for await (const _ of acme.changes({ follow: false })) {
      count += 1
      if (count === 3) acme.close()
    }
  }, CLOSED)
  t.equal(count, 3, 'a copy that is not complete does not end as if it were')
})

test('two kontors over one directory see the same commits', async (t) => {
  const { served, acme } = await opened(t)
  const kontor = await openKontor({ dataDir: served.path })
  const other = await kontor.workspace('w')
  const loops = await Promise.all([waitingLoop(acme), waitingLoop(other)])
  served.write((connection) => {
    connection.exec("UPDATE transactions SET purpose = 'neu' WHERE id = 7")
  })
  for (const { next } of loops) {
    t.match(await withoutWait(next), { value: { transaction: { id: 7, purpose: 'neu' } } })
  }
  await kontor.close()
  t.equal(acme.transaction(7).purpose, 'neu')
})

test('a workspace whose file was removed says so, and answers again when it is back', async (t) => {
  const { served, kontor, acme } = await opened(t)
  const away = `${served.file}.away`
  renameSync(served.file, away)
  const isRefused = async (): Promise<boolean> => {
    const [result] = await Promise.allSettled([(async () => acme.transactions())()])
    return result.status === 'rejected'
  }
  await served.until(isRefused)
  t.throws(() => acme.transactions(), { code: 'workspace_unavailable', message: /open it again/ })
  await t.rejects(kontor.workspace('w'), { code: 'not_found', message: /There is no workspace/ })
  renameSync(away, served.file)
  await kontor.workspace('w')
  t.equal(acme.transactions().total, COUNT)
  renameSync(served.file, away)
  await served.until(isRefused)
  for (const call of CALLS) {
    const refused = { code: 'workspace_unavailable', message: /open it again/ }
    await t.rejects(async () => call(acme), refused, String(call))
  }
  renameSync(away, served.file)
  await t.rejects(acme.match('RE-2026-0815'), { code: 'workspace_unavailable' })
})

/** Pools of threads of a kontor. */
const POOLS = 6

/** Runs a program that prints JSON. @throws Error when it does not end by itself with code 0 */
async function printed(program: string, ...words: string[]): Promise<unknown> {
  const text = `import { openKontor } from ${JSON.stringify(ENTRY)}\n${program}`
  const all = ['--input-type=module', '--eval', text, ...words]
  // Without the preloads of the test runner, which each thread would load.
  const options = { env: { ...process.env, NODE_OPTIONS: '' }, timeout: 60_000 }
  const { stdout } = await run(process.execPath, all, options)
  return JSON.parse(stdout)
}

test('a program ends by itself after the close, without threads and snapshots', async (t) => {
  const directory = makeDataDirectory(join(t.testdir(), 'data'))
  await writeWorkspace(workspacePath(directory, 'w'), withMore(SAMPLE, 20_000))
  const program = `
    import { queryObjects } from 'node:v8'
    const measured = () => ({
      threads: process.report.getReport().workers.length,
      buffers: queryObjects(SharedArrayBuffer, { format: 'count' }),
    })
    const used = async () => {
      const kontor = await openKontor({ dataDir: process.argv[1], matchBudgetMs: 60_000 })
      const acme = await kontor.workspace('w')
      acme.transactions({ query: 'rechnung' })
      await Promise.all([acme.match('Rechnung 4711'), acme.suggestions('rehcnung')])
      const open = measured()
      await kontor.close()
      return { kontor, acme, open }
    }
    // A thread's last message may be released a little after the close, a leaked buffer never is.
    const measuredAfter = async (buffers) => {
      for (let i = 0; i < 100 && measured().buffers > buffers; i++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return measured()
    }
    const before = measured()
    const first = await used()
    const after = await measuredAfter(before.buffers + ${POOLS})
    const second = await used()
    const again = await measuredAfter(after.buffers + ${POOLS})
    console.log(JSON.stringify({ before, open: first.open, after, again }))
    globalThis.kept = [first, second]`
  const { before, open, after, again } = (await printed(program, directory.path)) as Record<
    'before' | 'open' | 'after' | 'again',
    { threads: number; buffers: number }
  >
  t.ok(open.threads > before.threads, 'threads have worked')
  t.equal(after.threads, before.threads)
  t.equal(again.threads, before.threads)
  t.ok(open.buffers > after.buffers, 'a snapshot was in memory')
  // A closed kontor that is kept still has the safepoints of its pools.
  for (const kept of [after.buffers - before.buffers, again.buffers - after.buffers]) {
    t.ok(kept <= POOLS, `${kept} buffers are left`)
  }
})

test('matches that are under way together are answered without a warning', async (t) => {
  const { served, kontor } = await opened(t)
  await kontor.close()
  const program = `
    const warnings = []
    process.on('warning', ({ message }) => warnings.push(message))
    const kontor = await openKontor({ dataDir: process.argv[1], matchBudgetMs: 60_000 })
    const acme = await kontor.workspace('w')
    const matches = Array.from({ length: 40 }, () => acme.match('RE-2026-0815'))
    await Promise.all(matches)
    await kontor.close()
    console.log(JSON.stringify(warnings))`
  t.same(await printed(program, served.path), [])
})

test('a program that does not close ends by itself as well', async (t) => {
  const { served, kontor } = await opened(t)
  await kontor.close()
  const program = `
    const kontor = await openKontor({ dataDir: process.argv[1], matchBudgetMs: 60_000 })
    const acme = await kontor.workspace('w')
    const { total } = await acme.match('RE-2026-0815')
    console.log(JSON.stringify({ isNumber: typeof total }))`
  t.same(await printed(program, served.path), { isNumber: 'number' })
})

test('an exception of a listener is one of the program, and the workspace stays', async (t) => {
  const { served, kontor } = await opened(t)
  await kontor.close()
  const program = `
    const caught = []
    process.on('uncaughtException', ({ message }) => caught.push(message))
    const onEvent = ({ kind }) => { throw new Error('no ' + kind) }
    const kontor = await openKontor({ dataDir: process.argv[1], onEvent })
    const acme = await kontor.workspace('w')
    const { total } = acme.transactions()
    await kontor.close()
    console.log(JSON.stringify({ total, caught }))`
  const { total, caught } = (await printed(program, served.path)) as {
    total: number
    caught: string[]
  }
  t.equal(total, COUNT)
  t.ok(caught.includes('no loaded'), caught.join())
})
