import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import {
  IMPORTS_SHOWN_MAX,
  IMPORTS_WAITING_MAX,
  UPLOADS_AT_ONCE_MAX,
} from '../../src/dashboard/dashboard-limits.js'
import {
  type ImportOutcome,
  type ImportTask,
  PROGRESS_ROWS,
} from '../../src/dashboard/import-task.js'
import { Imports } from '../../src/dashboard/imports.js'
import { type UploadedFile, UploadRefusal } from '../../src/dashboard/upload.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

const ADA = { who: 'operator:ada', address: '::1', requestId: 'r' }
const DONE: ImportOutcome = {
  ...{ kind: 'done', format: 'csv', accounts: 1, added: 2, unchanged: 3, updated: 0, warnings: [] },
  ...{ kept: 0, changed: 0, changes: [], changedIds: {} },
  ...{ bytes: 9, sha256: 'ab' },
}

test('files are imported one after the other, and are gone from the disk then', async (t) => {
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
    update: false,
  }
  imports.add({ ...order, files: [file('a'), file('b')] })
  imports.add({ ...order, files: [file('c')] })
  t.ok(imports.isBusy('w'))
  t.notOk(imports.isBusy('v'))
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
    { state: { kind: 'failed', reason: 'the import was broken off: out of memory' } },
    { state: { kind: 'failed', reason: 'entry 1: "12..3"' } },
    { state: DONE },
  ])
  const deeds = listAuditRows(control, { limit: 9 }).map(
    ({ action, outcome, subject, detail }) => `${action} ${outcome} ${subject} ${detail}`,
  )
  t.same(deeds, [
    'workspace.import refused w {"reason":"broken off"}',
    'workspace.import refused w {"reason":"entry 1"}',
    'workspace.import ok w {"format":"csv","bytes":9,"sha256":"ab","accounts":1,"added":2,' +
      '"unchanged":3,"updated":0,"skipped":0}',
  ])
  imports.forget('w')
  t.same(imports.of('w'), [])
})

test('so many files wait, and so many of those that are over are shown', async (t) => {
  const control = newControl(t)
  const imports = new Imports({ control, clock: () => NOW_MS, run: async () => DONE })
  const files = Array.from({ length: IMPORTS_SHOWN_MAX + 5 }, (_, i) => {
    return { path: join(t.testdirName, `${i}`), name: `${i}`, bytes: 1 }
  })
  imports.add({ workspaceId: 'w', workspacePath: '/w.db', actor: ADA, update: false, files })
  t.ok(imports.hasRoomFor(IMPORTS_WAITING_MAX - files.length))
  t.notOk(imports.hasRoomFor(IMPORTS_WAITING_MAX))
  await imports.settled()
  const shown = imports.of('w')
  t.equal(shown.length, IMPORTS_SHOWN_MAX)
  t.equal(shown[0]?.name, files.at(-1)?.name)
})

test('only so many forms with files are on their way at once', async (t) => {
  const control = newControl(t)
  const imports = new Imports({ control, clock: () => NOW_MS, run: async () => DONE })
  const ends: (() => void)[] = []
  const arrive = (): Promise<void> =>
    imports.whileArriving(() => new Promise<void>((resolve) => ends.push(resolve)))
  const first = Array.from({ length: UPLOADS_AT_ONCE_MAX }, arrive)
  t.equal(ends.length, UPLOADS_AT_ONCE_MAX, 'they are read at once')
  await t.rejects(
    arrive(),
    new UploadRefusal('Others are sending files right now.'.concat(' Try again in a moment.')),
  )
  ends[0]?.()
  await first[0]
  t.equal(await imports.whileArriving(async () => 'read'), 'read')
})
