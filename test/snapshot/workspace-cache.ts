import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { LOAD_RETRY_MS, LOAD_RETRY_MS_MAX } from '../../src/snapshot/load-failures.js'
import { transactionCount } from '../../src/snapshot/snapshot.js'
import { snapshotBytes } from '../../src/snapshot/snapshot-bytes.js'
import { SnapshotUpdater } from '../../src/snapshot/snapshot-updater.js'
import {
  type AttachedMemory,
  type SnapshotEvent,
  WorkspaceCache,
} from '../../src/snapshot/workspace-cache.js'
import { openWatch } from '../../src/store/open-workspace.js'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { writePastTriggers } from '../fixtures/changes.js'
import { lastingFolder } from '../fixtures/files.js'
import { InlineTasks } from '../fixtures/inline-tasks.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { addressOf } from '../fixtures/stored-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

const LAYOUT = '0123456789abcdef'.repeat(2)

/** Snapshots of a directory, built on this thread. */
class Rig {
  readonly events: SnapshotEvent[] = []
  readonly tasks = new InlineTasks()
  releasedCount = 0
  readonly snapshots: WorkspaceCache
  nowMs = 0

  constructor(
    t: Test,
    readonly directory: string,
    memoryBudgetBytes = Number.MAX_SAFE_INTEGER,
    attached?: AttachedMemory,
  ) {
    this.snapshots = new WorkspaceCache({
      find: async (id) => addressOf(this.pathOf(id)),
      openWatch,
      cacheOf: (id) => ({ path: this.cachePathOf(id), layout: LAYOUT }),
      tasks: this.tasks,
      onEvent: (event) => this.events.push(event),
      onPublished: () => undefined,
      clock: () => this.nowMs,
      memoryBudgetBytes,
      ...(attached === undefined ? {} : { attached }),
      onReleased: (byteCount) => {
        if (byteCount > 0) this.releasedCount += 1
      },
    })
    t.teardown(async () => {
      this.snapshots.close()
      await this.tasks.ended()
    })
  }

  pathOf(workspaceId: string): string {
    return join(this.directory, `${workspaceId}.db`)
  }

  cachePathOf(workspaceId: string): string {
    return join(this.directory, 'cache', `${workspaceId}.frozen`)
  }

  /** Resolves with the events of a kind once there are `count` of them. */
  async eventsOf(kind: SnapshotEvent['kind'], count = 1): Promise<SnapshotEvent[]> {
    const found = (): SnapshotEvent[] => this.events.filter((event) => event.kind === kind)
    await until(() => found().length >= count)
    return found()
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !isSo(); i++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Resolves after `count` more polls of files. */
async function looks(count: number): Promise<void> {
  const { poll } = SnapshotUpdater.prototype
  let seenCount = 0
  SnapshotUpdater.prototype.poll = function (this: SnapshotUpdater) {
    seenCount += 1
    poll.call(this)
  }
  await until(() => seenCount > count)
  SnapshotUpdater.prototype.poll = poll
}

test('a workspace is loaded once for any number of requests, and then cached', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  t.equal(rig.snapshots.find('w'), undefined)
  const [one, two] = await Promise.all([rig.snapshots.load('w'), rig.snapshots.load('w')])
  t.equal(one, two)
  t.equal(rig.snapshots.find('w'), one)
  t.equal(await rig.snapshots.load('w'), one)
  t.same(rig.tasks.asked, ['load'])
  t.match(rig.events, [{ kind: 'loaded', workspaceId: 'w', transactionCount: 302, durationMs: 0 }])
  t.equal(rig.snapshots.counts.loads.file.count, 1)
  t.equal(rig.snapshots.residentCount, 1)
})

test('a change replaces the snapshot; holders of the old one keep it', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const old = await rig.snapshots.load('w')
  const file = WorkspaceFile.open(rig.pathOf('w'))
  t.teardown(() => file.close())
  rig.tasks.holdUp()
  file.insertTransaction(transactionRow(400, 1), null)
  await until(() => rig.tasks.asked.includes('follow'))
  t.equal(rig.snapshots.find('w'), old, 'served during the update')
  rig.tasks.release()
  await until(() => rig.snapshots.find('w') !== old)
  // A later write is found at the next poll.
  file.insertTransaction(transactionRow(401, 1), null)
  const countNow = (): number => transactionCount(rig.snapshots.find('w') ?? old)
  await until(() => countNow() === 304)
  t.equal(countNow(), 304)
  t.ok((rig.snapshots.find('w')?.generation ?? 0) > old.generation)
  t.equal(transactionCount(old), 302)
  t.same(rig.tasks.asked.filter((name) => name === 'load').length, 1, 'read once')
  const { follows, reloads } = rig.snapshots.counts
  t.ok(follows.count > 0)
  t.same(Object.values(reloads), [0, 0, 0, 0])
})

test('a change past the triggers causes a reload', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await rig.snapshots.load('w')
  const writer = new Database(rig.pathOf('w'))
  t.teardown(() => writer.close())
  writer.exec('DROP TRIGGER transactions_deleted; DELETE FROM transactions WHERE id > 300')
  const [reloaded] = await rig.eventsOf('reloaded')
  t.match(reloaded, { kind: 'reloaded', transactionCount: 300 })
  t.match(rig.snapshots.counts, { reloads: { unlogged: 1, schema: 0 }, follows: { count: 0 } })
})

test('an unlogged change followed at once by a logged one causes a reload', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await rig.snapshots.load('w')
  const writer = new Database(rig.pathOf('w'))
  t.teardown(() => writer.close())
  const trigger = "SELECT sql FROM sqlite_master WHERE name = 'transactions_deleted'"
  const sql = String(writer.prepare(trigger).pluck().get())
  writer.exec(`DROP TRIGGER transactions_deleted; DELETE FROM transactions WHERE id > 300; ${sql};
    DELETE FROM transactions WHERE id = 300`)
  const [reloaded] = await rig.eventsOf('reloaded')
  t.match(reloaded, { kind: 'reloaded', transactionCount: 299 })
  t.match(rig.snapshots.counts.reloads, { unlogged: 0, schema: 1 })
})

test('a pinned workspace is not evicted until it is unpinned', async (t) => {
  const directory = lastingFolder(t)
  const sizing = new Rig(t, directory)
  for (const id of ['u', 'v', 'w']) await writeWorkspace(sizing.pathOf(id), SAMPLE)
  const bytes = snapshotBytes(await sizing.snapshots.load('u'))
  sizing.snapshots.close()
  const rig = new Rig(t, directory, bytes * 2 + 1_000)
  const unpin = rig.snapshots.pin('u')
  const unpinAgain = rig.snapshots.pin('u')
  for (const id of ['u', 'v', 'w']) await rig.snapshots.load(id)
  t.match(await rig.eventsOf('evicted'), [{ workspaceId: 'v' }], 'though u was used before it')
  unpin()
  unpin()
  await rig.snapshots.load('v')
  t.ok(rig.snapshots.find('u'), 'it is pinned once more')
  unpinAgain()
  t.ok(rig.snapshots.find('v'))
  await rig.snapshots.load('w')
  t.notOk(rig.snapshots.find('u'))
})

test('past the budget the least recently used workspace is evicted', async (t) => {
  const directory = lastingFolder(t)
  const sizing = new Rig(t, directory)
  for (const id of ['u', 'v', 'w']) await writeWorkspace(sizing.pathOf(id), SAMPLE)
  const bytes = snapshotBytes(await sizing.snapshots.load('u'))
  sizing.snapshots.close()
  const rig = new Rig(t, directory, bytes * 2 + 1_000)
  for (const id of ['u', 'v']) await rig.snapshots.load(id)
  t.ok(rig.snapshots.find('u'))
  await rig.snapshots.load('w')
  t.match(await rig.eventsOf('evicted'), [{ workspaceId: 'v' }])
  t.equal(rig.releasedCount, 1, 'its memory is freed')
  t.equal(rig.snapshots.counts.evictionCount, 1)
  t.notOk(rig.snapshots.find('v'))
  t.ok(rig.snapshots.find('u'))
  t.ok(rig.snapshots.residentBytes <= bytes * 2 + 1_000)
  t.ok(await rig.snapshots.load('v'), 'and is loaded again')
  t.notOk(rig.snapshots.find('w') && rig.snapshots.find('u'), 'in place of another')
})

test('attached memory counts in the budget, and goes before its workspace', async (t) => {
  const directory = lastingFolder(t)
  const sizing = new Rig(t, directory)
  for (const id of ['u', 'v']) await writeWorkspace(sizing.pathOf(id), SAMPLE)
  const bytes = snapshotBytes(await sizing.snapshots.load('u'))
  sizing.snapshots.close()
  const byId = new Map<string, number>()
  const rig = new Rig(t, directory, bytes * 2 + 1_000, {
    bytesOf: (id) => byId.get(id) ?? 0,
    drop: (id) => byId.delete(id),
  })
  for (const id of ['u', 'v']) await rig.snapshots.load(id)
  byId.set('u', 900)
  rig.snapshots.makeRoomFor('u')
  t.equal(rig.snapshots.residentBytes, bytes * 2 + 900)
  t.equal(rig.snapshots.counts.evictionCount, 0)
  byId.set('u', 1_100)
  rig.snapshots.makeRoomFor('u')
  t.match(await rig.eventsOf('evicted'), [{ workspaceId: 'v' }])
  t.equal(rig.snapshots.residentBytes, bytes + 1_100)
  byId.set('u', bytes + 2_000)
  rig.snapshots.makeRoomFor('u')
  t.equal(byId.size, 0, 'a workspace alone loses its attached memory')
  t.ok(rig.snapshots.find('u'))
  byId.set('u', 1_100)
  await rig.snapshots.load('v')
  t.match(await rig.eventsOf('evicted', 2), [{ workspaceId: 'v' }, { workspaceId: 'u' }])
  t.equal(byId.size, 0, 'and one that is evicted has none')
  byId.set('u', 1_100)
  rig.snapshots.makeRoomFor('u')
  t.equal(byId.size, 0, 'nor has one that is not in memory')
})

test('the state of a snapshot can be read without counting as a use', async (t) => {
  const directory = lastingFolder(t)
  const rig = new Rig(t, directory)
  t.same(rig.snapshots.stateOf('none'), { kind: 'absent' })
  await t.rejects(rig.snapshots.load('none'))
  t.match(rig.snapshots.stateOf('none'), { kind: 'failed', reason: /none/ })
  rig.nowMs += LOAD_RETRY_MS
  t.same(rig.snapshots.stateOf('none'), { kind: 'absent' })
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const loading = rig.snapshots.load('w')
  t.same(rig.snapshots.stateOf('w'), { kind: 'loading' })
  const snapshot = await loading
  const bytes = rig.snapshots.residentBytes
  t.same(rig.snapshots.stateOf('w'), { kind: 'loaded', snapshot, bytes })
})

const TOO_LARGE = /the workspace is too large: its 302 transactions take more than the \d+ MB of/

test('a workspace larger than the budget is refused with the reason; others stay', async (t) => {
  const directory = lastingFolder(t)
  const sizing = new Rig(t, directory)
  await writeWorkspace(sizing.pathOf('w'), SAMPLE)
  const bytes = snapshotBytes(await sizing.snapshots.load('w'))
  sizing.snapshots.close()
  const rig = new Rig(t, directory, bytes - 1)
  await writeWorkspace(rig.pathOf('small'), {
    ...SAMPLE,
    transactions: [transactionRow(1, 1)],
  })
  await rig.snapshots.load('small')
  await t.rejects(rig.snapshots.load('w'), TOO_LARGE)
  t.match(rig.snapshots.stateOf('w'), { kind: 'failed', reason: TOO_LARGE })
  t.equal(rig.snapshots.failingCount, 1)
  t.ok(rig.snapshots.find('small'))
  t.match(rig.events.at(-1), { kind: 'failed', workspaceId: 'w', reason: TOO_LARGE })
  t.equal(rig.events.filter(({ kind }) => kind === 'evicted').length, 0)
})

test('a workspace that grows beyond the budget with its indexes is dropped', async (t) => {
  const directory = lastingFolder(t)
  const sizing = new Rig(t, directory)
  await writeWorkspace(sizing.pathOf('w'), SAMPLE)
  sizing.tasks.isBare = true
  sizing.tasks.holdUp('index')
  const bareBytes = snapshotBytes(await sizing.snapshots.load('w'))
  sizing.tasks.release()
  const bytes = snapshotBytes(await sizing.snapshots.loadIndexed('w'))
  sizing.snapshots.close()
  t.ok(bareBytes < bytes - 1)
  rmSync(join(directory, 'cache'), { recursive: true, force: true })

  const rig = new Rig(t, directory, bytes - 1)
  rig.tasks.isBare = true
  t.ok(await rig.snapshots.load('w'))
  t.match(await rig.eventsOf('failed'), [{ workspaceId: 'w', reason: TOO_LARGE }])
  t.notOk(rig.snapshots.find('w'))
  t.equal(rig.releasedCount, 1, 'its memory is freed')
  rig.nowMs += LOAD_RETRY_MS
  await t.rejects(rig.snapshots.load('w'), TOO_LARGE, 'what a row takes is known now')
  t.equal(rig.tasks.countOf('index'), 1, 'so that it is not built again')

  const writer = new Database(rig.pathOf('w'))
  writer.exec('DELETE FROM transactions WHERE id > 100')
  writer.close()
  rig.nowMs += LOAD_RETRY_MS_MAX
  t.equal(transactionCount(await rig.snapshots.load('w')), 100, 'with fewer rows it is served')
  t.equal(rig.snapshots.failingCount, 0)
})

test('a failed load is reported, and retried later', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await t.rejects(rig.snapshots.load('w'), /there is no such file/)
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  rig.nowMs += LOAD_RETRY_MS - 1
  await t.rejects(rig.snapshots.load('w'), /there is no such file/, 'not yet')
  t.match(rig.events, [{ kind: 'failed', workspaceId: 'w', reason: /no such file/ }])
  t.match(rig.tasks.asked, ['discard'])
  rig.nowMs += 1
  t.equal(transactionCount(await rig.snapshots.load('w')), 302)
})

test('what could not be loaded is tried at once when the store is back', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await t.rejects(rig.snapshots.load('w'), /there is no such file/)
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await t.rejects(rig.snapshots.load('w'), /there is no such file/)
  rig.snapshots.retry()
  t.equal(transactionCount(await rig.snapshots.load('w')), 302)
})

test('a vanished file frees its memory; the others stay', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  for (const id of ['v', 'w']) await writeWorkspace(rig.pathOf(id), SAMPLE)
  await Promise.all([rig.snapshots.load('v'), rig.snapshots.load('w')])
  t.equal(rig.releasedCount, 0)
  rmSync(rig.pathOf('w'))
  const [dropped] = await rig.eventsOf('dropped')
  t.equal(rig.releasedCount, 1, 'its memory is freed')
  t.match(dropped, { kind: 'dropped', workspaceId: 'w', reason: 'the file is gone' })
  t.equal(rig.snapshots.find('w'), undefined)
  t.ok(rig.snapshots.find('v'))
})

test('loads that run at the end are rejected silently', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const loading = t.rejects(rig.snapshots.load('w'), /has stopped/)
  rig.snapshots.close()
  await loading
  t.equal(rig.snapshots.find('w'), undefined)
  t.same(rig.events, [])
})

test('a snapshot is cached after its load, and the next load reads the cache', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await rig.snapshots.load('w')
  t.match(rig.events, [{ kind: 'loaded', from: 'file' }])
  t.match(await rig.eventsOf('cached'), [{ workspaceId: 'w', transactionCount: 302 }])
  rig.snapshots.close()
  const next = new Rig(t, rig.directory)
  const snapshot = await next.snapshots.load('w')
  t.match(next.events, [{ kind: 'loaded', from: 'cache', transactionCount: 302 }])
  assertHolds(snapshot, SAMPLE)
  const file = WorkspaceFile.open(rig.pathOf('w'))
  t.teardown(() => file.close())
  file.insertTransaction(transactionRow(400, 1), null)
  await until(() => transactionCount(next.snapshots.find('w') ?? snapshot) === 303)
  t.same(
    next.tasks.asked.filter((name) => ['load', 'writeCache'].includes(name)),
    ['load'],
    'one row updates it, without a new cache',
  )
})

test('a reloaded snapshot is cached again, with a stamp that outlives the writer', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await rig.snapshots.load('w')
  await rig.eventsOf('cached')
  const writer = new Database(rig.pathOf('w'))
  writer.exec('DROP TRIGGER transactions_deleted; DELETE FROM transactions WHERE id > 300')
  await rig.eventsOf('cached', 2)
  t.equal(statSync(`${rig.pathOf('w')}-wal`).size, 0, 'the WAL is empty')
  rig.snapshots.close()
  writer.close()
  const next = new Rig(t, rig.directory)
  t.equal(transactionCount(await next.snapshots.load('w')), 300)
  t.match(next.events, [{ kind: 'loaded', from: 'cache' }])
})

test('a write past the triggers during the cache write rejects the cache', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const writer = new Database(rig.pathOf('w'))
  t.teardown(() => writer.close())
  await rig.snapshots.load('w')
  rig.tasks.holdUp()
  await until(() => rig.tasks.asked.includes('settle'))
  writePastTriggers(writer, 'DELETE FROM transactions WHERE id > 300')
  rig.tasks.release()
  await until(() => existsSync(rig.cachePathOf('w')))
  rig.snapshots.close()
  writer.pragma('wal_checkpoint(TRUNCATE)')
  const next = new Rig(t, rig.directory)
  t.equal(transactionCount(await next.snapshots.load('w')), 300)
})

test('a write between poll and read causes no reload', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const old = await rig.snapshots.load('w')
  await rig.eventsOf('cached')
  const file = WorkspaceFile.open(rig.pathOf('w'))
  t.teardown(() => file.close())
  const countNow = (): number => transactionCount(rig.snapshots.find('w') ?? old)
  for (let round = 1; round <= 3; round++) {
    rig.tasks.holdUp()
    file.insertTransaction(transactionRow(400 + round, 1), null)
    const asked = rig.tasks.asked.length
    await until(() => rig.tasks.asked.length > asked)
    file.insertTransaction(transactionRow(500 + round, 1), null)
    rig.tasks.release()
    await until(() => countNow() === 302 + round * 2)
    await looks(3)
  }
  t.equal(countNow(), 308)
  t.same(
    rig.tasks.asked.filter((name) => name === 'load'),
    ['load'],
  )
})

test('an unwritable cache is reported once, and does no harm', async (t) => {
  const rig = new Rig(t, lastingFolder(t, { cache: 'a file in the place of the folder' }))
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await rig.snapshots.load('w')
  t.match(rig.events[0], { kind: 'loaded', from: 'file', reason: /ENOTDIR/ })
  t.match(await rig.eventsOf('cache-failed'), [{ workspaceId: 'w', reason: /EEXIST|ENOTDIR/ }])
  await looks(3)
  t.equal(rig.events.length, 2)
  t.ok(rig.snapshots.find('w'))
})

test('the cache of a missing workspace is deleted, loaded or not', async (t) => {
  const rig = new Rig(t, lastingFolder(t))
  for (const id of ['v', 'w']) await writeWorkspace(rig.pathOf(id), SAMPLE)
  for (const id of ['v', 'w']) await rig.snapshots.load(id)
  await rig.eventsOf('cached', 2)
  rmSync(rig.pathOf('w'))
  await until(() => !existsSync(rig.cachePathOf('w')))
  t.notOk(existsSync(rig.cachePathOf('w')))
  t.ok(existsSync(rig.cachePathOf('v')))
  rig.snapshots.close()
  rmSync(rig.pathOf('v'))
  const next = new Rig(t, rig.directory)
  await t.rejects(next.snapshots.load('v'), /no such file/)
  await until(() => !existsSync(rig.cachePathOf('v')))
  t.notOk(existsSync(rig.cachePathOf('v')))
})
