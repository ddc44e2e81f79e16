import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { INBOX_ACTOR } from '../../src/domain/audit.js'
import {
  type ArrivedFile,
  IMPORTS_SHOWN_MAX,
  IMPORTS_WAITING_MAX,
  type ImportParts,
  type ImportResult,
  Imports,
  RECORD_TRIES_MAX,
} from '../../src/inbox/imports.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { StoreError, StoreUnavailableError } from '../../src/store/store-error.js'
import {
  type ImportOutcome,
  type ImportTask,
  IS_CANCELLED,
  IS_KEPT,
  IS_LATE,
  PROGRESS_ROWS,
} from '../../src/threads/import-task.js'
import { NOW_MS, newControlFile } from '../fixtures/control.js'
import { addressOf } from '../fixtures/stored-workspace.js'

const AT_W = addressOf('/w.db')

const ADA = { who: 'operator:ada', address: '::1', requestId: 'r' }
const DONE: ImportOutcome = {
  ...{ kind: 'done', format: 'csv', accounts: 1, added: 2, unchanged: 3, updated: 0, warnings: [] },
  ...{ skipped: 0, kept: 0, changed: 0, changes: [], changedIds: {} },
  ...{ bytes: 9, sha256: 'ab', sequence: 7 },
}

/** A file that is removed when it is released. */
function arrived(path: string, name: string): ArrivedFile {
  return {
    ...{ name, bytes: 1 },
    open: async () => ({ path }),
    release: async () => rmSync(path, { force: true }),
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('files are imported one after the other, and then deleted from the disk', async (t) => {
  const control = newControlFile(t)
  const folder = t.testdir()
  const file = (name: string): ArrivedFile => {
    const path = join(folder, name)
    writeFileSync(path, name)
    return arrived(path, name)
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
  const order = {
    workspaceId: 'w',
    address: AT_W,
    actor: ADA,
    settings: { currency: 'EUR', update: false },
  }
  imports.add({ ...order, files: [file('a'), file('b')] })
  imports.add({ ...order, files: [file('c')] })
  t.ok(imports.isBusy('w'))
  t.notOk(imports.isBusy('v'))
  t.equal(imports.lastSequence('w'), 0)
  await turn()
  t.match(tasks, [{ address: AT_W, name: 'a', currency: 'EUR', nowMs: NOW_MS }])
  if (tasks[0] !== undefined) tasks[0].progress[PROGRESS_ROWS] = 7
  t.match(imports.of('w'), [
    { name: 'c', state: 'waiting' },
    { name: 'b', state: 'waiting' },
    { name: 'a', state: 'running', readRows: 7, who: 'operator:ada', queuedAtMs: NOW_MS },
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
  const events = control
    .look(() => listAuditRows({ limit: 9 }))
    .map(({ action, outcome, subject, detail }) => `${action} ${outcome} ${subject} ${detail}`)
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
function decided(t: Test, limits: Partial<ImportParts> = {}) {
  const control = newControlFile(t)
  const running = new Map<string, { task: ImportTask; end: (outcome: ImportOutcome) => void }>()
  const imports = new Imports({
    ...{ control, clock: () => NOW_MS, ...limits },
    run: (task, signal) =>
      new Promise((resolve, reject) => {
        running.set(task.name, { task, end: resolve })
        signal.addEventListener('abort', () => reject(new Error('the thread was ended')))
      }),
  })
  const add = async (workspaceId: string, ...names: string[]): Promise<void> => {
    const files = names.map((name) => arrived(join(t.testdirName, name), name))
    imports.add({ workspaceId, address: AT_W, actor: ADA, settings: {}, files })
    await turn()
  }
  const end = async (name: string, outcome: ImportOutcome = DONE): Promise<void> => {
    running.get(name)?.end(outcome)
    running.delete(name)
    await turn()
  }
  const idOf = (workspaceId: string, name: string): string =>
    imports.of(workspaceId).find((each) => each.name === name)?.id ?? ''
  const refusals = (): string[] =>
    control
      .look(() => listAuditRows({ limit: 9 }))
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ actor, detail }) => `${actor} ${detail}`)
  return { imports, control, running, add, end, idOf, refusals }
}

const BOB = { ...ADA, who: 'operator:bob' }

test('two workspaces import at the same time, and all take turns', async (t) => {
  const { imports, running, add, end } = decided(t)
  await add('a', 'a1', 'a2', 'a3')
  t.same([...running.keys()], ['a1'], 'one file of a workspace at a time')
  await add('b', 'b1', 'b2')
  await add('c', 'c1')
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
  await add('a', 'a1', 'a2')
  t.notOk(await imports.cancel('b', idOf('a', 'a1'), BOB), 'an id of another workspace is unknown')
  t.notOk(await imports.cancel('a', 'x', BOB))
  t.ok(await imports.cancel('a', idOf('a', 'a2'), BOB))
  t.match(imports.of('a')[0], { state: { kind: 'cancelled', by: 'operator:bob' } })
  t.ok(await imports.cancel('a', idOf('a', 'a1'), BOB))
  t.equal(running.get('a1')?.task.stage[0], IS_CANCELLED)
  t.match(imports.of('a')[1], { state: 'ending' })
  t.notOk(await imports.cancel('a', idOf('a', 'a1'), ADA), 'a second cancellation has no effect')
  await end('a1', { kind: 'cancelled' })
  t.match(imports.of('a')[1], { state: { kind: 'cancelled', by: 'operator:bob' } })
  t.notOk(await imports.cancel('a', idOf('a', 'a1'), ADA), 'it has ended')
  t.same(refusals(), ['operator:bob {"reason":"cancelled"}', 'operator:bob {"reason":"cancelled"}'])
})

test('a waiting import that cannot be recorded as cancelled keeps waiting', async (t) => {
  const { imports, control, running, add, end, idOf } = decided(t)
  await add('a', 'a1', 'a2')
  const { alone, atomically } = control
  const full = (): never => {
    throw new StoreError('the disk is full')
  }
  Object.assign(control, { alone: full, atomically: full })
  await t.rejects(imports.cancel('a', idOf('a', 'a2'), BOB), { message: 'the disk is full' })
  t.match(imports.of('a')[0], { name: 'a2', state: 'waiting' })
  Object.assign(control, { alone, atomically })
  await end('a1')
  t.same([...running.keys()], ['a2'])
  await end('a2')
  await imports.settled()
})

test('a result that cannot be recorded is recorded later, and ends no process', async (t) => {
  const pauses: (() => void)[] = []
  const pause = (): Promise<void> => new Promise((resolve) => pauses.push(resolve))
  const { imports, control, add, end, refusals } = decided(t, { pause })
  const { atomically } = control
  const unavailable = (): never => {
    throw new StoreUnavailableError('the server does not answer')
  }
  const failed = { kind: 'failed', reason: 'unavailable', cause: 'workspace file' } as const
  Object.assign(control, { atomically: unavailable })
  await add('a', 'a1')
  await end('a1', failed)
  t.match(imports.of('a'), [{ state: 'running' }])
  pauses.pop()?.()
  await turn()
  t.equal(pauses.length, 1, 'it is tried again and again')
  Object.assign(control, { atomically })
  pauses.pop()?.()
  await imports.settled()
  t.match(imports.of('a'), [{ state: failed }])
  t.same(refusals(), ['operator:ada {"reason":"workspace file"}'])
})

for (const way of ['the tries are used up', 'the program ends'] as const) {
  test(`a result that is never recorded is shown: ${way}`, async (t) => {
    let pauseCount = 0
    const pause = async (): Promise<void> => {
      pauseCount += 1
    }
    const { imports, control, add, end } = decided(t, { pause })
    const unavailable = (): never => {
      throw new StoreUnavailableError('the server does not answer')
    }
    Object.assign(control, { atomically: unavailable })
    await add('a', 'a1')
    const settled = way === 'the program ends' ? imports.settled() : undefined
    await end('a1')
    while (imports.isBusy('a')) await turn()
    await settled
    t.match(imports.of('a'), [{ state: DONE }])
    t.equal(pauseCount, way === 'the program ends' ? 0 : RECORD_TRIES_MAX - 1)
  })
}

test('an import cannot be cancelled during its commit', async (t) => {
  const { imports, running, add, end, idOf, refusals } = decided(t)
  await add('a', 'a1')
  const stage = running.get('a1')?.task.stage
  if (stage !== undefined) stage[0] = IS_KEPT
  t.notOk(await imports.cancel('a', idOf('a', 'a1'), BOB))
  await end('a1')
  t.match(imports.of('a')[0], { state: DONE })
  t.same(refusals(), [])
})

test('an import that ignores its cancellation loses its thread', async (t) => {
  const { imports, add, idOf } = decided(t, { graceMs: 1 })
  await add('a', 'a1')
  t.ok(await imports.cancel('a', idOf('a', 'a1'), BOB))
  await imports.settled()
  t.match(imports.of('a')[0], { state: { kind: 'cancelled' } })
})

test('an import that exceeds its time limit is cancelled', async (t) => {
  const { imports, running, add, refusals } = decided(t, { msMax: 1, graceMs: 1 })
  await add('a', 'a1')
  await imports.settled()
  t.equal(running.get('a1')?.task.stage[0], IS_LATE)
  t.match(imports.of('a')[0], { state: { kind: 'failed', reason: /took longer than 0 minutes/ } })
  t.same(refusals(), ['operator:ada {"reason":"took too long"}'])
})

test('the numbers of waiting files and of listed finished ones are bounded', async (t) => {
  const control = newControlFile(t)
  const imports = new Imports({ control, clock: () => NOW_MS, run: async () => DONE })
  const files = Array.from({ length: IMPORTS_SHOWN_MAX + 5 }, (_, i) =>
    arrived(join(t.testdirName, `${i}`), `${i}`),
  )
  imports.add({ workspaceId: 'w', address: AT_W, actor: ADA, settings: {}, files })
  t.ok(imports.hasRoomFor(IMPORTS_WAITING_MAX - files.length))
  t.notOk(imports.hasRoomFor(IMPORTS_WAITING_MAX))
  await imports.settled()
  const shown = imports.of('w')
  t.equal(shown.length, IMPORTS_SHOWN_MAX)
  t.equal(shown[0]?.name, files.at(-1)?.name)
})

/** A file whose calls are recorded. */
function recorded(name: string, parts: Partial<ArrivedFile> = {}) {
  const calls: string[] = []
  const released: (ImportResult | undefined)[] = []
  const file: ArrivedFile = {
    ...{ name, bytes: 1 },
    open: async () => {
      calls.push('open')
      return { path: name, descriptor: 9 }
    },
    release: async (result) => {
      calls.push('release')
      released.push(result)
    },
    ...parts,
  }
  return { file, calls, released }
}

const TO_W = { workspaceId: 'w', address: AT_W, actor: INBOX_ACTOR, settings: {} }

test('a file that is gone at its turn is neither listed nor recorded', async (t) => {
  const control = newControlFile(t)
  const imports = new Imports({ control, clock: () => NOW_MS, run: async () => DONE })
  const { file, released } = recorded('a', { open: async () => undefined })
  imports.add({ ...TO_W, files: [file] })
  t.equal(imports.running().length, 1)
  await imports.settled()
  t.same(released, [undefined])
  t.same(imports.of('w'), [])
  t.same(
    control.look(() => listAuditRows({ limit: 9 })),
    [],
  )
})

test('a file may be refused unread, and is recorded', async (t) => {
  const control = newControlFile(t)
  const imports = new Imports({ control, clock: () => NOW_MS, run: async () => DONE })
  const refused = { kind: 'failed', reason: 'it is empty', cause: 'empty' } as const
  const { file, released } = recorded('a', { open: async () => refused })
  imports.add({ ...TO_W, files: [file] })
  await imports.settled()
  t.same(released, [refused])
  t.match(imports.of('w'), [{ state: refused, who: 'inbox' }])
  t.match(
    control.look(() => listAuditRows({ limit: 9 })),
    [{ actor: 'inbox', outcome: 'refused', detail: '{"reason":"empty"}' }],
  )
})

test('a file may ask to be imported again', async (t) => {
  const control = newControlFile(t)
  const tasks: ImportTask[] = []
  const run = async (task: ImportTask): Promise<ImportOutcome> => {
    tasks.push(task)
    return DONE
  }
  const imports = new Imports({ control, clock: () => NOW_MS, run })
  const { file, calls, released } = recorded('a', { isToRepeat: async () => true })
  imports.add({ ...TO_W, settings: { lenient: true }, files: [file] })
  await imports.settled()
  t.match(tasks, [{ path: 'a', descriptor: 9, lenient: true }])
  t.same(calls, ['open', 'release'])
  t.same(released, [undefined])
  t.same(imports.of('w'), [])
  t.same(
    control.look(() => listAuditRows({ limit: 9 })),
    [],
  )
})

test('the imports of an actor are withdrawn, and no other', async (t) => {
  const { imports, running, add, end, refusals } = decided(t)
  const [one, two] = [recorded('i1'), recorded('i2')]
  imports.add({ ...TO_W, files: [one.file, two.file] })
  await add('b', 'b1')
  t.same([...running.keys()], ['i1', 'b1'])
  imports.withdraw(INBOX_ACTOR)
  t.equal(running.get('i1')?.task.stage[0], IS_CANCELLED)
  t.same(two.calls, ['release'], 'it was waiting')
  t.match(imports.of('w'), [{ name: 'i1', state: 'ending' }])
  await end('i1', { kind: 'cancelled' })
  t.same(one.released, [undefined])
  await end('b1')
  await imports.settled()
  t.same(imports.of('w'), [])
  t.match(imports.of('b'), [{ state: DONE }])
  t.same(refusals(), [])
})

test('a file whose commit has begun is not withdrawn', async (t) => {
  const { imports, running, end } = decided(t)
  const { file, released } = recorded('i1')
  imports.add({ ...TO_W, files: [file] })
  await turn()
  const stage = running.get('i1')?.task.stage
  if (stage !== undefined) stage[0] = IS_KEPT
  imports.withdraw(INBOX_ACTOR)
  await end('i1', DONE)
  t.same(released, [DONE])
})
