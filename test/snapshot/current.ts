import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { LOAD_RETRY_MS } from '../../src/limits.js'
import { snapshotOfFile } from '../../src/snapshot/build.js'
import { CurrentSnapshots, type SnapshotNews } from '../../src/snapshot/current.js'
import type { BuildTask } from '../../src/snapshot/pool.js'
import { type Snapshot, transactionCount } from '../../src/snapshot/snapshot.js'
import { WorkspaceFile } from '../../src/store/workspace-file.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

/** Snapshots of a directory, built in this thread; `hold` lets builds wait. */
class Rig {
  readonly news: SnapshotNews[] = []
  readonly snapshots: CurrentSnapshots
  nowMs = 0
  buildCount = 0
  hold: Promise<void> = Promise.resolve()

  constructor(
    t: Test,
    readonly directory: string,
  ) {
    this.snapshots = new CurrentSnapshots({
      pathOf: (id) => this.pathOf(id),
      build: (task) => this.#build(task),
      onNews: (news) => this.news.push(news),
      clock: () => this.nowMs,
    })
    t.teardown(() => this.snapshots.close())
  }

  pathOf(workspaceId: string): string {
    return join(this.directory, `${workspaceId}.db`)
  }

  /** Resolves once there are so many news. */
  async told(count: number): Promise<SnapshotNews[]> {
    for (let i = 0; i < 1_000 && this.news.length < count; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return this.news
  }

  async #build({ workspaceId, path }: BuildTask): Promise<Snapshot> {
    this.buildCount += 1
    await this.hold
    const file = WorkspaceFile.openForReading(path)
    try {
      return snapshotOfFile(workspaceId, file)
    } finally {
      file.close()
    }
  }
}

test('a workspace is loaded once, however many ask, and found from then on', async (t) => {
  const rig = new Rig(t, t.testdir())
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  t.equal(rig.snapshots.find('w'), undefined)
  const [one, two] = await Promise.all([rig.snapshots.load('w'), rig.snapshots.load('w')])
  t.equal(one, two)
  t.equal(rig.snapshots.find('w'), one)
  t.equal(await rig.snapshots.load('w'), one)
  t.equal(rig.buildCount, 1)
  t.match(rig.news, [{ kind: 'loaded', workspaceId: 'w', transactionCount: 302, durationMs: 0 }])
})

test('a change puts another snapshot in its place; who holds the old one keeps it', async (t) => {
  const rig = new Rig(t, t.testdir())
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const old = await rig.snapshots.load('w')
  const file = WorkspaceFile.open(rig.pathOf('w'))
  t.teardown(() => file.close())
  let release = (): void => undefined
  rig.hold = new Promise((resolve) => {
    release = resolve
  })
  file.insertTransaction(transactionRow(400, 1), null)
  while (rig.buildCount < 2) await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal(rig.snapshots.find('w'), old, 'served while the next one is built')
  // What is written while it is built is seen at the next look.
  file.insertTransaction(transactionRow(401, 1), null)
  release()
  const [, reloaded] = await rig.told(2)
  t.match(reloaded, { kind: 'reloaded', transactionCount: 304 })
  const next = rig.snapshots.find('w')
  t.ok((next?.generation ?? 0) > old.generation)
  t.equal(transactionCount(old), 302)
  await rig.told(3)
  t.equal(rig.buildCount, 3)
})

test('what cannot be loaded is told, and tried again later', async (t) => {
  const rig = new Rig(t, t.testdir())
  await t.rejects(rig.snapshots.load('w'), /there is no such file/)
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  rig.nowMs += LOAD_RETRY_MS - 1
  await t.rejects(rig.snapshots.load('w'), /there is no such file/, 'not yet')
  t.match(rig.news, [{ kind: 'failed', workspaceId: 'w', reason: /no such file/ }])
  rig.nowMs += 1
  t.equal(transactionCount(await rig.snapshots.load('w')), 302)
})

test('a file that goes leaves memory; the others stay', async (t) => {
  const rig = new Rig(t, t.testdir())
  for (const id of ['v', 'w']) await writeWorkspace(rig.pathOf(id), SAMPLE)
  await Promise.all([rig.snapshots.load('v'), rig.snapshots.load('w')])
  rmSync(rig.pathOf('w'))
  const [, , dropped] = await rig.told(3)
  t.match(dropped, { kind: 'dropped', workspaceId: 'w', reason: 'the file is gone' })
  t.equal(rig.snapshots.find('w'), undefined)
  t.ok(rig.snapshots.find('v'))
})

test('what is loading when everything ends is rejected without a word', async (t) => {
  const rig = new Rig(t, t.testdir())
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const loading = t.rejects(rig.snapshots.load('w'), /has stopped/)
  rig.snapshots.close()
  await loading
  t.equal(rig.snapshots.find('w'), undefined)
  t.same(rig.news, [])
})
