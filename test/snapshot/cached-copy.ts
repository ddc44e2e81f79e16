import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import type { CacheTask } from '../../src/snapshot/cache.js'
import {
  CACHE_WRITE_CHANGES_MAX,
  CACHE_WRITE_CHANGES_MIN,
  CACHE_WRITE_PAUSE_MS,
  CACHE_WRITE_RETRY_MS,
  CachedCopy,
  type WriteResult,
} from '../../src/snapshot/cached-copy.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import type { SealedVersion } from '../../src/store/workspace.js'
import { InlineTasks } from '../fixtures/inline-tasks.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { snapshotOf } from '../fixtures/snapshots.js'
import { addressOf } from '../fixtures/stored-workspace.js'

const UID = 'u'

/** Snapshot tasks that record cache requests, for a file in the rig's state. */
class RecordingTasks extends InlineTasks {
  readonly cached: CacheTask[] = []
  fileSequence = 1
  failure: Error | undefined

  override async settle(): Promise<void> {}

  override async seal(): Promise<SealedVersion | undefined> {
    const version = { uid: UID, sequence: this.fileSequence, mark: 0 }
    return { version, seal: { schema: '3', content: 'as it is' } }
  }

  override async writeCache(task: CacheTask): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    this.cached.push(task)
  }
}

/** A copy of a changing snapshot, and a clock. */
class Rig {
  readonly tasks = new RecordingTasks()
  readonly copy: CachedCopy
  nowMs = 0
  isStill = true
  isLogEmpty = true

  constructor(cachedSequence: number | undefined, path = 'w.frozen') {
    const cache = { path, layout: 'l' }
    const { tasks } = this
    const clock = (): number => this.nowMs
    this.copy = new CachedCopy({ cache, address: addressOf('w.db'), tasks, clock }, cachedSequence)
  }

  snapshotAt(sequence: number): Snapshot {
    return { ...snapshotOf(SAMPLE), version: { uid: UID, sequence, mark: 0 } }
  }

  isDueAt(sequence: number): boolean {
    return this.copy.isDue(this.snapshotAt(sequence))
  }

  writeAt(sequence: number): Promise<WriteResult> {
    return this.copy.write({
      snapshot: this.snapshotAt(sequence),
      seal: { schema: '3', content: 'when it was read' },
      isStill: () => this.isStill,
      settle: () => this.isLogEmpty,
    })
  }
}

test('a copy is due when there is none, and then after many changes', async (t) => {
  const rig = new Rig(undefined)
  t.ok(rig.isDueAt(1))
  const writing = rig.writeAt(1)
  t.notOk(rig.isDueAt(CACHE_WRITE_CHANGES_MAX * 2), 'one at a time')
  t.same(await writing, { kind: 'written' })
  t.match(rig.tasks.cached, [
    { address: { path: 'w.db' }, seal: { schema: '3', content: 'as it is' } },
  ])
  t.notOk(rig.isDueAt(1))
  t.notOk(rig.isDueAt(2 + CACHE_WRITE_CHANGES_MIN), 'not soon')
  t.ok(rig.isDueAt(2 + CACHE_WRITE_CHANGES_MAX), 'except after very many')
  rig.nowMs += CACHE_WRITE_PAUSE_MS
  t.notOk(rig.isDueAt(1 + CACHE_WRITE_CHANGES_MIN))
  t.ok(rig.isDueAt(2 + CACHE_WRITE_CHANGES_MIN))
  rig.copy.outdate()
  t.ok(rig.isDueAt(1))
})

test('a valid copy counts like a new one', async (t) => {
  const rig = new Rig(5)
  t.notOk(rig.isDueAt(5))
  t.notOk(rig.isDueAt(6))
  t.ok(rig.isDueAt(6 + CACHE_WRITE_CHANGES_MIN), 'and its age is unknown')
})

test('with a writer it is written without a stamp, and again once that is idle', async (t) => {
  const rig = new Rig(undefined)
  rig.isStill = false
  t.same(await rig.writeAt(1), { kind: 'written' })
  rig.isStill = true
  rig.copy.outdate()
  rig.tasks.fileSequence = 2
  t.same(await rig.writeAt(1), { kind: 'written' })
  rig.copy.outdate()
  rig.tasks.fileSequence = 1
  rig.isLogEmpty = false
  t.same(await rig.writeAt(1), { kind: 'written' })
  t.same(
    rig.tasks.cached.map(({ seal }) => seal.content),
    ['', '', ''],
  )
  t.notOk(rig.isDueAt(1))
  rig.nowMs += CACHE_WRITE_RETRY_MS
  t.ok(rig.isDueAt(1))
  t.same(await rig.writeAt(1), { kind: 'left' }, 'a second one without a stamp is no improvement')
  t.equal(rig.tasks.cached.length, 3)
  rig.isLogEmpty = true
  t.notOk(rig.isDueAt(1), 'not at once')
  rig.nowMs += CACHE_WRITE_RETRY_MS
  t.ok(rig.isDueAt(1))
  t.same(await rig.writeAt(1), { kind: 'written' })
  t.equal(rig.tasks.cached.at(-1)?.seal.content, 'as it is')
  rig.nowMs += CACHE_WRITE_RETRY_MS
  t.notOk(rig.isDueAt(1))
})

test('a failure is reported, and the write is tried again after a pause', async (t) => {
  const rig = new Rig(undefined)
  rig.tasks.failure = new Error('the disk is full')
  for (let i = 0; i < 2; i++) {
    t.same(await rig.writeAt(1), { kind: 'failed', reason: 'the disk is full' })
    if (i === 1) rig.copy.outdate()
    t.notOk(rig.isDueAt(2 + CACHE_WRITE_CHANGES_MAX), 'whatever has changed')
    rig.nowMs += CACHE_WRITE_PAUSE_MS
    t.ok(rig.isDueAt(1))
  }
  rig.tasks.failure = undefined
  t.same(await rig.writeAt(1), { kind: 'written' })
  rig.nowMs += CACHE_WRITE_PAUSE_MS
  t.notOk(rig.isDueAt(1))
})

test('after a failure, the former copy is kept unless it is outdated', async (t) => {
  const [kept, outdated] = [new Rig(5), new Rig(5)]
  for (const rig of [kept, outdated]) {
    rig.tasks.failure = new Error('the database does not answer')
    const writing = rig.writeAt(6 + CACHE_WRITE_CHANGES_MIN)
    if (rig === outdated) rig.copy.outdate()
    t.match(await writing, { kind: 'failed' })
    rig.nowMs += CACHE_WRITE_PAUSE_MS
  }
  t.notOk(kept.isDueAt(6))
  t.ok(kept.isDueAt(6 + CACHE_WRITE_CHANGES_MIN))
  t.ok(outdated.isDueAt(6))
})

test('a wrong copy is deleted, if possible', async (t) => {
  const path = join(t.testdir({ 'w.frozen': 'wrong' }), 'w.frozen')
  const rig = new Rig(5, path)
  await rig.copy.discard()
  t.notOk(existsSync(path))
  t.ok(rig.isDueAt(5))
  await new Rig(5, join(t.testdirName, 'none', 'w.frozen')).copy.discard()
  mkdirSync(path)
  await new Rig(5, path).copy.discard()
  t.ok(existsSync(path), 'a folder is not deleted')
})

test('a snapshot outdated during its write is due again', async (t) => {
  const rig = new Rig(undefined)
  const writing = rig.writeAt(1)
  rig.copy.outdate()
  t.same(await writing, { kind: 'written' })
  t.ok(rig.isDueAt(1))
})
