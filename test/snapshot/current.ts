import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Test, test } from 'tap'
import { LOAD_RETRY_MS } from '../../src/limits.js'
import { CurrentSnapshots, type SnapshotNews } from '../../src/snapshot/current.js'
import { transactionCount } from '../../src/snapshot/snapshot.js'
import { snapshotBytes } from '../../src/snapshot/snapshot-bytes.js'
import { WorkspaceFile } from '../../src/store/workspace-file.js'
import { MakersHere } from '../fixtures/makers.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

/** Snapshots of a directory, made in this thread. */
class Rig {
  readonly news: SnapshotNews[] = []
  readonly makers = new MakersHere()
  readonly snapshots: CurrentSnapshots
  nowMs = 0

  constructor(
    t: Test,
    readonly directory: string,
    memoryBudgetBytes = Number.MAX_SAFE_INTEGER,
  ) {
    this.snapshots = new CurrentSnapshots({
      pathOf: (id) => this.pathOf(id),
      makers: this.makers,
      onNews: (news) => this.news.push(news),
      clock: () => this.nowMs,
      memoryBudgetBytes,
    })
    t.teardown(() => this.snapshots.close())
  }

  pathOf(workspaceId: string): string {
    return join(this.directory, `${workspaceId}.db`)
  }

  /** Resolves once there are so many news. */
  async told(count: number): Promise<SnapshotNews[]> {
    await until(() => this.news.length >= count)
    return this.news
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !isSo(); i++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
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
  t.same(rig.makers.asked, ['load'])
  t.match(rig.news, [{ kind: 'loaded', workspaceId: 'w', transactionCount: 302, durationMs: 0 }])
})

test('a change puts another snapshot in its place; who holds the old one keeps it', async (t) => {
  const rig = new Rig(t, t.testdir())
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  const old = await rig.snapshots.load('w')
  const file = WorkspaceFile.open(rig.pathOf('w'))
  t.teardown(() => file.close())
  rig.makers.holdUp()
  file.insertTransaction(transactionRow(400, 1), null)
  await until(() => rig.makers.asked.includes('follow'))
  t.equal(rig.snapshots.find('w'), old, 'served while the next one is made')
  rig.makers.release()
  await until(() => rig.snapshots.find('w') !== old)
  // What is written later is seen at the next look.
  file.insertTransaction(transactionRow(401, 1), null)
  const countNow = (): number => transactionCount(rig.snapshots.find('w') ?? old)
  await until(() => countNow() === 304)
  t.equal(countNow(), 304)
  t.ok((rig.snapshots.find('w')?.generation ?? 0) > old.generation)
  t.equal(transactionCount(old), 302)
  t.same(rig.makers.asked.filter((name) => name === 'load').length, 1, 'read once')
})

test('a change that its triggers do not tell is read anew', async (t) => {
  const rig = new Rig(t, t.testdir())
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await rig.snapshots.load('w')
  const writer = new Database(rig.pathOf('w'))
  t.teardown(() => writer.close())
  writer.exec('DROP TRIGGER transactions_deleted; DELETE FROM transactions WHERE id > 300')
  const [, reloaded] = await rig.told(2)
  t.match(reloaded, { kind: 'reloaded', transactionCount: 300 })
})

test('past the budget the workspace goes that was not asked for longest', async (t) => {
  const directory = t.testdir()
  const sizing = new Rig(t, directory)
  for (const id of ['u', 'v', 'w']) await writeWorkspace(sizing.pathOf(id), SAMPLE)
  const bytes = snapshotBytes(await sizing.snapshots.load('u'))
  sizing.snapshots.close()
  const rig = new Rig(t, directory, bytes * 2 + 1_000)
  for (const id of ['u', 'v']) await rig.snapshots.load(id)
  t.ok(rig.snapshots.find('u'))
  await rig.snapshots.load('w')
  t.match(rig.news.at(-1), { kind: 'evicted', workspaceId: 'v' })
  t.notOk(rig.snapshots.find('v'))
  t.ok(rig.snapshots.find('u'))
  t.ok(rig.snapshots.residentBytes <= bytes * 2 + 1_000)
  t.ok(await rig.snapshots.load('v'), 'and is loaded again')
  t.notOk(rig.snapshots.find('w') && rig.snapshots.find('u'), 'in the place of another')
})

test('a workspace larger than the budget is served all the same', async (t) => {
  const rig = new Rig(t, t.testdir(), 1)
  await writeWorkspace(rig.pathOf('w'), SAMPLE)
  await rig.snapshots.load('w')
  t.ok(rig.snapshots.find('w'))
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
