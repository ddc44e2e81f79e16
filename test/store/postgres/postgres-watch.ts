// A watch reports the changes of the tables since its last poll.
import { strict as assert } from 'node:assert'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import type { LoadedWorkspace } from '../../../src/snapshot/snapshot-tasks.js'
import { SnapshotUpdater, type UpdaterOptions } from '../../../src/snapshot/snapshot-updater.js'
import type { PostgresConnection } from '../../../src/store/postgres/connect.js'
import type { Pulse } from '../../../src/store/postgres/pulse.js'
import type {
  WorkspaceChange,
  WorkspaceVersion,
  WorkspaceWatch,
} from '../../../src/store/workspace.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { InlineTasks } from '../../fixtures/inline-tasks.js'
import { connected, migratedDatabase } from '../../fixtures/postgres.js'
import { PostgresProxy } from '../../fixtures/postgres-proxy.js'
import { openPulse, SetClock, until, versionOf } from '../../fixtures/postgres-pulse.js'
import {
  insertAccount,
  insertTransactions,
  makeWorkspace,
} from '../../fixtures/postgres-workspace.js'

/** Changes of a workspace; `past` leaves another history, as a restored backup does. */
const DEEDS = [
  ...['write', 'write', 'write', 'rollBack', 'rewrite', 'trim', 'past', 'otherPast'],
  ...['hide', 'delete', 'replace', 'nothing', 'watch', 'close'],
] as const

type Deed = (typeof DEEDS)[number]

const steps = fc.array(
  fc.record({
    deed: fc.constantFrom<Deed>(...DEEDS),
    which: fc.nat({ max: 2 }),
    /** Whether the pulse and the watches are asked after it. */
    isAsked: fc.boolean(),
  }),
  { minLength: 5, maxLength: 30 },
)

/** A workspace, and its watches with their last reports. */
interface Subject {
  no: number
  readonly watches: Map<WorkspaceWatch, WorkspaceVersion>
}

class Scene {
  readonly reported = new Map<WorkspaceChange, number>()
  #made = 0

  constructor(
    readonly admin: PostgresConnection,
    readonly pulse: Pulse,
  ) {}

  async make(): Promise<number> {
    this.#made += 1
    const no = await makeWorkspace(this.admin, `w${this.#made}`)
    await this.admin.query(insertAccount(no))
    return no
  }

  async act(deed: Deed, subject: Subject): Promise<void> {
    if (deed === 'watch') await this.#watch(subject)
    if (deed === 'close') this.#close(subject)
    const { no } = subject
    if ((await versionOf(this.admin, no)) === undefined) return
    for (const sql of sqlOf(deed, no)) await this.admin.query(sql)
  }

  /** Creates a deleted workspace again. */
  async #watch(subject: Subject): Promise<void> {
    if ((await versionOf(this.admin, subject.no)) === undefined) {
      this.#close(subject)
      subject.no = await this.make()
    }
    await this.pulse.beat()
    const version = await versionOf(this.admin, subject.no)
    assert.ok(version !== undefined)
    const watch = await this.pulse.watch(subject.no)
    assert.equal(watch.sequence, version.sequence)
    subject.watches.set(watch, version)
  }

  #close({ watches }: Subject): void {
    for (const watch of watches.keys()) watch.close()
    watches.clear()
  }

  /** Compares each watch with the tables. */
  async ask(subjects: readonly Subject[]): Promise<void> {
    await this.pulse.beat()
    for (const { no, watches } of subjects) {
      const now = await versionOf(this.admin, no)
      for (const [watch, before] of watches) {
        const expected = changeBetween(before, now)
        assert.equal(watch.poll(), expected)
        this.reported.set(expected, (this.reported.get(expected) ?? 0) + 1)
        if (now !== undefined && expected !== 'replaced') {
          assert.equal(watch.sequence, now.sequence)
          watches.set(watch, now)
        }
        const seal = { schema: '', content: '' }
        assert.equal(watch.isAt({ version: now ?? before, seal }), now !== undefined)
        const isUnchanged = JSON.stringify(now) === JSON.stringify(before)
        assert.equal(watch.isAt({ version: before, seal }), isUnchanged)
      }
    }
  }
}

function sqlOf(deed: Deed, no: number): string[] {
  const id = `(SELECT id FROM kontor.workspaces WHERE no = ${no})`
  const newest = `(SELECT max(sequence) FROM kontor.changes WHERE workspace = ${no})`
  const write = insertTransactions(no)
  const loseNewest = `DELETE FROM kontor.changes WHERE workspace = ${no} AND sequence = ${newest}`
  if (deed === 'write') return [write]
  if (deed === 'rollBack') return ['BEGIN', write, 'ROLLBACK']
  if (deed === 'rewrite') return [`SELECT kontor.rewritten(${id})`]
  if (deed === 'trim') return [loseNewest.replace('sequence =', 'sequence <')]
  if (deed === 'past') return [loseNewest]
  if (deed === 'otherPast') return [loseNewest, write]
  if (deed === 'hide') return [`UPDATE kontor.workspaces SET id = NULL WHERE no = ${no}`]
  if (deed === 'delete') return [`DELETE FROM kontor.workspaces WHERE no = ${no}`]
  if (deed !== 'replace') return []
  return [`UPDATE kontor.workspaces SET uid = uid || '+' WHERE no = ${no}`]
}

/** The naive twin of a watch. */
function changeBetween(
  before: WorkspaceVersion,
  now: WorkspaceVersion | undefined,
): WorkspaceChange {
  if (now === undefined) return 'gone'
  if (now.uid !== before.uid) return 'replaced'
  if (now.sequence > before.sequence) return 'changed'
  if (now.sequence === before.sequence && now.mark === before.mark) return 'unchanged'
  return 'unlogged'
}

async function scene(t: Test): Promise<Scene> {
  const url = await migratedDatabase(t)
  return new Scene(await connected(t, url), openPulse(t, url))
}

test('a watch reports changes of its workspace', async (t) => {
  const all = await scene(t)
  await assertProperty(
    fc.asyncProperty(steps, async (generated) => {
      const subjects: Subject[] = []
      for (let i = 0; i < 3; i++) subjects.push({ no: await all.make(), watches: new Map() })
      try {
        for (const subject of subjects) await all.act('watch', subject)
        for (const { deed, which, isAsked } of generated) {
          const subject = subjects[which]
          assert.ok(subject !== undefined)
          await all.act(deed, subject)
          if (isAsked) await all.ask(subjects)
        }
        await all.ask(subjects)
      } finally {
        for (const subject of subjects) await all.act('close', subject)
      }
      assert.equal(all.pulse.watchedCount, 0)
    }),
    { numRuns: 40 },
  )
  for (const change of ['unchanged', 'changed', 'unlogged', 'replaced', 'gone'] as const) {
    const count = all.reported.get(change) ?? 0
    t.ok(count > 10, `${count} times ${change}`)
  }
})

test('other changes under the same number are another history', async (t) => {
  const { admin, pulse } = await scene(t)
  const no = await makeWorkspace(admin, 'acme')
  await admin.query(insertAccount(no))
  await admin.query(insertTransactions(no, [1, 2, 3]))
  const watch = await pulse.watch(no)
  const before = await versionOf(admin, no)
  // As after a failover to a server that was one transaction behind, which was then written to.
  await admin.query('SET session_replication_role = replica')
  await admin.query(`DELETE FROM kontor.transactions WHERE workspace = ${no} AND id = 3`)
  await admin.query(`DELETE FROM kontor.changes WHERE workspace = ${no} AND sequence = 4`)
  await admin.query('SET session_replication_role = origin')
  await admin.query(insertTransactions(no, [3]))
  await pulse.beat()
  t.equal(watch.sequence, 4)
  t.equal(watch.poll(), 'unlogged')
  t.equal(watch.poll(), 'unchanged', 'a change is reported once')
  t.equal(watch.sequence, 4)
  const seal = { schema: '', content: '' }
  const now = await versionOf(admin, no)
  t.ok(before !== undefined && !watch.isAt({ version: before, seal }))
  t.ok(now !== undefined && watch.isAt({ version: now, seal }))
  t.ok(watch.settle())
})

test('a workspace that was deleted and created again is another one', async (t) => {
  const { admin, pulse } = await scene(t)
  const no = await makeWorkspace(admin, 'acme')
  const watch = await pulse.watch(no)
  await admin.query("DELETE FROM kontor.workspaces WHERE id = 'acme'")
  const again = await makeWorkspace(admin, 'acme')
  await pulse.beat()
  t.not(again, no)
  t.same([watch.poll(), watch.poll()], ['gone', 'gone'])
  const other = await pulse.watch(again)
  t.equal(other.poll(), 'unchanged')
  t.equal(other.sequence, 0)
})

/** The text by which servers differ for a pulse. */
async function startOf(admin: PostgresConnection): Promise<string> {
  const sql = 'SELECT extract(epoch FROM pg_postmaster_start_time())::TEXT AS start'
  return (await admin.query<{ start: string }>(sql))[0]?.start ?? ''
}

test('changes that were read, not heard and then lost leave memory, too', async (t) => {
  const url = await migratedDatabase(t)
  const admin = await connected(t, url)
  const no = await makeWorkspace(admin, 'acme')
  await admin.query(insertAccount(no))
  const proxy = await PostgresProxy.start(t, url)
  const clock = new SetClock()
  const options = { clock: clock.read, intervalMs: 500, listens: false }
  const pulse = openPulse(t, proxy.url, options)
  const watch = await pulse.watch(no)
  const address = { engine: 'postgres', url, no } as const
  const tasks = new InlineTasks()
  const loaded = await tasks.load({ workspaceId: 'acme', address, cache: undefined })
  const updater = updaterOf(loaded, watch, { address, tasks })
  t.teardown(() => updater.close())
  const sequence = (): number => updater.snapshot.version.sequence
  const settled = async (wanted: number): Promise<void> => {
    for (let i = 0; i < 500 && sequence() !== wanted; i++) {
      updater.poll()
      await wait(10)
    }
    t.equal(sequence(), wanted)
  }
  await admin.query(insertTransactions(no, [1]))
  clock.ms += 500
  await pulse.beat()
  await admin.query(insertTransactions(no, [2]))
  await settled(3)
  t.equal(watch.sequence, 2)
  // As after a failover to a server that lacks the last commit.
  await admin.query('SET session_replication_role = replica')
  await admin.query(`DELETE FROM kontor.transactions WHERE workspace = ${no} AND id = 2`)
  await admin.query(`DELETE FROM kontor.changes WHERE workspace = ${no} AND sequence = 3`)
  await admin.query('SET session_replication_role = origin')
  const start = await startOf(admin)
  proxy.answered = [start, start.replace(/^./, '9')]
  await proxy.cut()
  await proxy.begin()
  await until(async () => {
    clock.ms += 500
    await pulse.beat()
    return pulse.connectionCount > 1 && pulse.fault === undefined
  })
  await settled(2)
  // Changes of the same past are followed, and not read anew.
  proxy.answered = undefined
  await proxy.cut()
  await admin.query(insertTransactions(no, [3]))
  await proxy.begin()
  const reloadCount = tasks.asked.filter((name) => name === 'load').length
  await until(async () => {
    clock.ms += 500
    await pulse.beat()
    return pulse.connectionCount > 2 && pulse.fault === undefined
  })
  await settled(3)
  t.equal(tasks.asked.filter((name) => name === 'load').length, reloadCount)
})

function updaterOf(
  loaded: LoadedWorkspace,
  watch: WorkspaceWatch,
  { address, tasks }: Pick<UpdaterOptions, 'address' | 'tasks'>,
): SnapshotUpdater {
  let generation = 0
  const nothing = (): void => undefined
  return new SnapshotUpdater(loaded, watch, {
    ...{ address, tasks, cache: undefined },
    nextGeneration: () => {
      generation += 1
      return generation
    },
    ...{ onMade: nothing, onPublished: nothing, onFollowed: nothing, onReload: nothing },
    ...{ onBehind: nothing, onCaughtUp: nothing, onCacheFailed: nothing, onLost: nothing },
    clock: () => performance.now(),
  })
}
