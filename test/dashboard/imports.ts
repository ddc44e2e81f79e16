import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import {
  IMPORTS_SHOWN_MAX,
  IMPORTS_WAITING_MAX,
  Imports,
  UPLOADS_AT_ONCE_MAX,
} from '../../src/dashboard/imports.js'
import { UploadError, type UploadedFile } from '../../src/dashboard/upload.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import {
  type ImportOutcome,
  type ImportTask,
  IS_CANCELLED,
  IS_KEPT,
  IS_LATE,
  PROGRESS_ROWS,
} from '../../src/threads/import-task.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

const ADA = { who: 'operator:ada', address: '::1', requestId: 'r' }
const DONE: ImportOutcome = {
  ...{ kind: 'done', format: 'csv', accounts: 1, added: 2, unchanged: 3, updated: 0, warnings: [] },
  ...{ kept: 0, changed: 0, changes: [], changedIds: {} },
  ...{ bytes: 9, sha256: 'ab', sequence: 7 },
}

/** The options of a form in which nothing is checked. */
const PLAIN = { update: false, includesNotifications: false }

test('files are imported one after the other, and then deleted from the disk', async (t) => {
  const control = newControl(t)
  const folder = t.testdir()
  const file = (name: string): UploadedFile => {
    const path = join(folder, name)
    writeFileSync(path, name)
    return { path, name, bytes: 1 }
  }
  const tasks: ImportTask[] = []
  const ends: ((outcome: ImportOutcome | Error) => void)[] = []
  const imports = new Imports({
    ...{ control, clock: () => NOW_MS },
    run: (task) => {
      tasks.push(task)
      return new Promise((resolve, reject) => {
        ends.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      })
    },
  })
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const order = {
    workspaceId: 'w',
    workspacePath: '/w.db',
    actor: ADA,
    currency: 'EUR',
    ...PLAIN,
  }
  imports.add({ ...order, files: [file('a'), file('b')] })
  imports.add({ ...order, files: [file('c')] })
  t.ok(imports.isBusy('w'))
  t.notOk(imports.isBusy('v'))
  t.equal(imports.lastSequence('w'), 0)
  t.match(tasks, [{ workspacePath: '/w.db', name: 'a', currency: 'EUR', nowMs: NOW_MS }])
  if (tasks[0] !== undefined) tasks[0].progress[PROGRESS_ROWS] = 7
  t.match(imports.of('w'), [
    { name: 'c', state: 'waiting' },
    { name: 'b', state: 'waiting' },
    { name: 'a', state: 'running', readRows: 7, who: 'operator:ada', askedAtMs: NOW_MS },
  ])
  ends[0]?.(DONE)
  await turn()
  t.notOk(existsSync(join(folder, 'a')))
  t.ok(existsSync(join(folder, 'b')))
  ends[1]?.({ kind: 'failed', reason: 'entry 1: "12..3"', cause: 'entry 1' })
  await turn()
  ends[2]?.(new Error('out of memory'))
  await imports.settled()
  t.match(imports.of('w'), [
    { state: { kind: 'failed', reason: 'the import was aborted: out of memory' } },
    { state: { kind: 'failed', reason: 'entry 1: "12..3"' } },
    { state: DONE },
  ])
  t.equal(imports.lastSequence('w'), 7)
  t.equal(imports.lastSequence('v'), 0)
  const events = listAuditRows(control, { limit: 9 }).map(
    ({ action, outcome, subject, detail }) => `${action} ${outcome} ${subject} ${detail}`,
  )
  t.same(events, [
    'workspace.import refused w {"reason":"broken off"}',
    'workspace.import refused w {"reason":"entry 1"}',
    'workspace.import ok w {"format":"csv","bytes":9,"sha256":"ab","accounts":1,"added":2,' +
      '"unchanged":3,"updated":0,"skipped":0}',
  ])
  imports.forget('w')
  t.same(imports.of('w'), [])
})

/** Imports whose outcomes the test decides, by file name. */
function decided(t: Test, limits: { msMax?: number; graceMs?: number } = {}) {
  const control = newControl(t)
  const running = new Map<string, { task: ImportTask; end: (outcome: ImportOutcome) => void }>()
  const imports = new Imports({
    ...{ control, clock: () => NOW_MS, ...limits },
    run: (task, signal) =>
      new Promise((resolve, reject) => {
        running.set(task.name, { task, end: resolve })
        signal.addEventListener('abort', () => reject(new Error('the thread was ended')))
      }),
  })
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const add = (workspaceId: string, ...names: string[]): void => {
    const files = names.map((name) => ({ path: join(t.testdirName, name), name, bytes: 1 }))
    imports.add({ workspaceId, workspacePath: '/w.db', actor: ADA, ...PLAIN, files })
  }
  const end = async (name: string, outcome: ImportOutcome = DONE): Promise<void> => {
    running.get(name)?.end(outcome)
    running.delete(name)
    await turn()
  }
  const idOf = (workspaceId: string, name: string): string =>
    imports.of(workspaceId).find((each) => each.name === name)?.id ?? ''
  const refusals = (): string[] =>
    listAuditRows(control, { limit: 9 })
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ actor, detail }) => `${actor} ${detail}`)
  return { imports, running, add, end, idOf, refusals }
}

const BOB = { ...ADA, who: 'operator:bob' }

test('two workspaces import at the same time, and all take turns', async (t) => {
  const { imports, running, add, end } = decided(t)
  add('a', 'a1', 'a2', 'a3')
  t.same([...running.keys()], ['a1'], 'one file of a workspace at a time')
  add('b', 'b1', 'b2')
  add('c', 'c1')
  t.same([...running.keys()], ['a1', 'b1'])
  await end('b1')
  t.same([...running.keys()], ['a1', 'c1'], 'before another of the same')
  await end('c1')
  t.same([...running.keys()], ['a1', 'b2'])
  await end('a1')
  t.same([...running.keys()], ['b2', 'a2'])
  await end('b2')
  t.same([...running.keys()], ['a2'])
  await end('a2')
  await end('a3')
  await imports.settled()
  t.notOk(['a', 'b', 'c'].some((id) => imports.isBusy(id)))
})

test('a waiting or running import is cancelled by its own workspace', async (t) => {
  const { imports, running, add, end, idOf, refusals } = decided(t)
  add('a', 'a1', 'a2')
  t.notOk(imports.cancel('b', idOf('a', 'a1'), BOB), 'an id of another workspace is unknown')
  t.notOk(imports.cancel('a', 'x', BOB))
  t.ok(imports.cancel('a', idOf('a', 'a2'), BOB))
  t.match(imports.of('a')[0], { state: { kind: 'cancelled', by: 'operator:bob' } })
  t.ok(imports.cancel('a', idOf('a', 'a1'), BOB))
  t.equal(running.get('a1')?.task.stage[0], IS_CANCELLED)
  t.match(imports.of('a')[1], { state: 'ending' })
  t.notOk(imports.cancel('a', idOf('a', 'a1'), ADA), 'a second cancellation has no effect')
  await end('a1', { kind: 'given up' })
  t.match(imports.of('a')[1], { state: { kind: 'cancelled', by: 'operator:bob' } })
  t.notOk(imports.cancel('a', idOf('a', 'a1'), ADA), 'it has ended')
  t.same(refusals(), ['operator:bob {"reason":"cancelled"}', 'operator:bob {"reason":"cancelled"}'])
})

test('an import cannot be cancelled during its commit', async (t) => {
  const { imports, running, add, end, idOf, refusals } = decided(t)
  add('a', 'a1')
  const stage = running.get('a1')?.task.stage
  if (stage !== undefined) stage[0] = IS_KEPT
  t.notOk(imports.cancel('a', idOf('a', 'a1'), BOB))
  await end('a1')
  t.match(imports.of('a')[0], { state: DONE })
  t.same(refusals(), [])
})

test('an import that ignores its cancellation loses its thread', async (t) => {
  const { imports, add, idOf } = decided(t, { graceMs: 1 })
  add('a', 'a1')
  t.ok(imports.cancel('a', idOf('a', 'a1'), BOB))
  await imports.settled()
  t.match(imports.of('a')[0], { state: { kind: 'cancelled' } })
})

test('an import that exceeds its time limit is cancelled', async (t) => {
  const { imports, running, add, refusals } = decided(t, { msMax: 1, graceMs: 1 })
  add('a', 'a1')
  await imports.settled()
  t.equal(running.get('a1')?.task.stage[0], IS_LATE)
  t.match(imports.of('a')[0], { state: { kind: 'failed', reason: /took longer than 0 minutes/ } })
  t.same(refusals(), ['operator:ada {"reason":"took too long"}'])
})

test('the numbers of waiting files and of listed finished ones are bounded', async (t) => {
  const control = newControl(t)
  const imports = new Imports({ control, clock: () => NOW_MS, run: async () => DONE })
  const files = Array.from({ length: IMPORTS_SHOWN_MAX + 5 }, (_, i) => {
    return { path: join(t.testdirName, `${i}`), name: `${i}`, bytes: 1 }
  })
  imports.add({ workspaceId: 'w', workspacePath: '/w.db', actor: ADA, ...PLAIN, files })
  t.ok(imports.hasRoomFor(IMPORTS_WAITING_MAX - files.length))
  t.notOk(imports.hasRoomFor(IMPORTS_WAITING_MAX))
  await imports.settled()
  const shown = imports.of('w')
  t.equal(shown.length, IMPORTS_SHOWN_MAX)
  t.equal(shown[0]?.name, files.at(-1)?.name)
})

test('the number of concurrent uploads is bounded', async (t) => {
  const control = newControl(t)
  const imports = new Imports({ control, clock: () => NOW_MS, run: async () => DONE })
  const ends: (() => void)[] = []
  const arrive = (): Promise<void> =>
    imports.whileArriving(() => new Promise<void>((resolve) => ends.push(resolve)))
  const first = Array.from({ length: UPLOADS_AT_ONCE_MAX }, arrive)
  t.equal(ends.length, UPLOADS_AT_ONCE_MAX, 'they are read concurrently')
  await t.rejects(
    arrive(),
    new UploadError('Other uploads are in progress.'.concat(' Try again in a moment.')),
  )
  ends[0]?.()
  await first[0]
  t.equal(await imports.whileArriving(async () => 'read'), 'read')
})
