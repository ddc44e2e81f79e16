import { strict as assert } from 'node:assert'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { FOLLOW_REST_FACTOR, FOLLOW_REST_MS_MAX } from '../../src/limits.js'
import { snapshotOfFile } from '../../src/snapshot/build.js'
import { LivingSnapshot } from '../../src/snapshot/living.js'
import { isIndexed, NO_INDEXES, placeOfId, type Snapshot } from '../../src/snapshot/snapshot.js'
import { arrayBytes } from '../../src/snapshot/snapshot-bytes.js'
import { ChangeWatch } from '../../src/store/change-watch.js'
import { readStamped } from '../../src/store/file-stamp.js'
import { type Connection, Database } from '../../src/store/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/workspace-file.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { type Change, carryOut, changes, rowsOfFile } from '../fixtures/changes.js'
import { MakersHere, type TaskName } from '../fixtures/makers.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { type WorkspaceRows, workspaceRows, writeWorkspace } from '../fixtures/workspaces.js'

/** A living snapshot, looked at by hand, and somebody who writes to its file. */
class Rig {
  readonly makers = new MakersHere()
  readonly made: string[] = []
  readonly lost: string[] = []
  /** What was made last has taken the place of so much. */
  leftBytes = 0
  /** Whether something was committed that the change sequence does not tell. */
  isUntold = false
  /** Of the snapshot's clock. */
  nowMs = 0
  /** What the file held at each change sequence. */
  readonly #rows = new Map<number, WorkspaceRows>()
  #generation = 0

  constructor(
    readonly path: string,
    readonly file: WorkspaceFile,
    readonly writer: Connection,
  ) {}

  static async of(path: string, rows: WorkspaceRows): Promise<Rig> {
    await writeWorkspace(path, rows)
    const rig = new Rig(path, WorkspaceFile.openForReading(path), new Database(path))
    rig.writer.pragma('foreign_keys = ON')
    rig.remember()
    return rig
  }

  /** @param isBare whether the snapshot comes without its indexes, as a large one does */
  live({ isBare = false } = {}): LivingSnapshot {
    const watch = new ChangeWatch(this.path)
    const { read, reading } = readStamped(this.file, (stamped) => ({
      read: snapshotOfFile('w', this.file),
      reading: stamped,
    }))
    const segments = read.segments.map(({ segment, alive }) => ({
      segment,
      alive,
      ...(isBare ? NO_INDEXES : this.makers.indexHere(segment)),
    }))
    const snapshot = { ...read, segments }
    const loaded = { snapshot, reading, frozenSequence: undefined, refusal: undefined }
    return new LivingSnapshot(loaded, watch, {
      path: this.path,
      makers: this.makers,
      cache: undefined,
      onUnfrozen: (reason) => this.lost.push(reason),
      onFollowed: () => undefined,
      onReload: () => undefined,
      nextGeneration: () => {
        this.#generation += 1
        return this.#generation
      },
      onMade: (kind, _startedMs, leftBytes) => {
        this.made.push(kind)
        this.leftBytes = leftBytes
      },
      onLost: (reason) => this.lost.push(reason),
      clock: () => this.nowMs,
    })
  }

  write(change: Change): void {
    const { sequence } = this.file.version()
    carryOut(this.writer, change)
    this.remember()
    this.isUntold ||= this.file.version().sequence === sequence
  }

  remember(): void {
    this.#rows.set(this.file.version().sequence, rowsOfFile(this.file))
  }

  /** @throws AssertionError when the snapshot is no state that the file was in */
  assertState(snapshot: Snapshot): void {
    const rows = this.#rows.get(snapshot.version.sequence)
    assert.ok(rows, `the file was never at ${snapshot.version.sequence}`)
    assertHolds(snapshot, rows)
  }

  /** Looks until the file's last change is in, and whatever was begun is done. */
  async settle(living: LivingSnapshot): Promise<void> {
    for (let i = 0; i < 20; i++) {
      living.look()
      await idle()
    }
    assert.equal(living.snapshot.version.sequence, this.file.version().sequence)
    this.assertState(living.snapshot)
  }

  close(): void {
    this.file.close()
    this.writer.close()
  }
}

/** Lets everything run on that is not held up. */
async function idle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
}

async function sampleRig(t: Test): Promise<Rig> {
  const rig = await Rig.of(join(t.testdir(), 'w.db'), SAMPLE)
  t.teardown(() => rig.close())
  return rig
}

const RENAME: Change = { name: 'rename an account', a: 0, b: 1 }
const UPDATE: Change = { name: 'update the amount', a: 7, b: 3 }
const DELETE: Change = { name: 'delete one', a: 11, b: 0 }
const INSERT: Change = { name: 'insert one', a: 5, b: 0 }

test('a file that was just followed is left alone for a while', async (t) => {
  const rig = await sampleRig(t)
  const living = rig.live()
  const followOnce = async (durationMs: number): Promise<void> => {
    rig.makers.holdUp('follow')
    rig.write(UPDATE)
    living.look()
    rig.nowMs += durationMs
    rig.makers.release('follow')
    await idle()
    rig.assertState(living.snapshot)
    t.equal(living.snapshot.version.sequence, rig.file.version().sequence)
  }
  for (const [durationMs, restMs] of [
    [2, 2 * FOLLOW_REST_FACTOR],
    [1_000, FOLLOW_REST_MS_MAX],
  ] as const) {
    await followOnce(durationMs)
    const { snapshot } = living
    rig.write(UPDATE)
    for (const waitedMs of [0, restMs - 1]) {
      rig.nowMs += waitedMs
      living.look()
      await idle()
      t.equal(living.snapshot, snapshot, `${waitedMs} ms of ${restMs}`)
    }
    rig.nowMs += 1
    await rig.settle(living)
  }
  living.close()
})

test('the indexes of a large segment arrive later, and can be waited for', async (t) => {
  const rig = await sampleRig(t)
  rig.makers.holdUp('index')
  const living = rig.live({ isBare: true })
  const { generation } = living.snapshot
  let isDone = false
  const waiting = living.indexed().then(() => {
    isDone = true
  })
  rig.write(UPDATE)
  living.look()
  await idle()
  rig.assertState(living.snapshot)
  t.notOk(isIndexed(living.snapshot))
  t.not(living.snapshot.generation, generation, 'lists follow meanwhile')
  t.notOk(isDone)
  const served = living.snapshot.generation
  rig.makers.release()
  await waiting
  t.ok(isIndexed(living.snapshot))
  t.equal(living.snapshot.generation, served, 'which changes no answer')
  t.strictSame(rig.made, ['indexed'])
  await living.indexed()
  living.close()
})

test('indexes of a segment that is gone are dropped', async (t) => {
  const rig = await sampleRig(t)
  rig.makers.holdUp('index')
  const living = rig.live({ isBare: true })
  rig.writer.exec('UPDATE transactions SET purpose = 1')
  rig.remember()
  await rig.settle(living)
  t.equal(living.snapshot.segments.length, 1, 'every row of it was written anew')
  const [only] = living.snapshot.segments
  rig.makers.release()
  await living.indexed()
  t.equal(living.snapshot.segments[0]?.segment, only?.segment)
  t.equal(living.snapshot.segments[0]?.text?.rowCount, 302)
  t.equal(living.snapshot.segments[0]?.match?.rowCount, 302)
  living.close()
})

test('a merge goes on beside steps, and what they touch is dead in it', async (t) => {
  const rig = await sampleRig(t)
  const living = rig.live()
  const [base] = living.snapshot.segments
  rig.makers.holdUp('merge')
  rig.write(RENAME)
  living.look()
  await idle()
  t.equal(rig.makers.countOf('merge'), 1)
  t.equal(living.snapshot.renamings.size, 1)
  for (const change of [UPDATE, DELETE, INSERT, { ...RENAME, b: 2 }]) {
    rig.write(change)
    living.look()
    await idle()
    rig.assertState(living.snapshot)
    t.equal(living.snapshot.segments[0]?.segment, base?.segment, 'what is merged stays in place')
  }
  const { generation } = living.snapshot
  const replaced = arrayBytes(living.snapshot.segments[0])
  rig.makers.release()
  await idle()
  rig.makers.holdUp('merge')
  living.look()
  await idle()
  t.strictSame(rig.made, ['compacted'])
  t.equal(rig.leftBytes, replaced, 'what was made since stays')
  const [merged] = living.snapshot.segments
  t.not(merged?.segment, base?.segment)
  t.equal(merged?.alive?.count, 300, 'without the updated and the deleted row')
  t.equal(placeOfId(living.snapshot, 8)?.segment, living.snapshot.segments[1]?.segment)
  t.equal(living.snapshot.generation, generation, 'no answer has changed')
  rig.assertState(living.snapshot)
  rig.makers.release()
  await rig.settle(living)
  t.equal(living.snapshot.renamings.size, 0, 'the second new name is merged too')
  living.close()
})

test('a writer that never pauses does not keep a merge from its end', async (t) => {
  const rig = await sampleRig(t)
  const living = rig.live()
  rig.write(RENAME)
  for (let i = 0; i < 5 && rig.made.length === 0; i++) {
    living.look()
    await idle()
    rig.assertState(living.snapshot)
    rig.write({ ...UPDATE, a: i })
  }
  t.strictSame(rig.made, ['compacted'])
  living.close()
})

test('what is written between a look and the reading is followed, not read anew', async (t) => {
  const rig = await sampleRig(t)
  const living = rig.live()
  rig.makers.holdUp('follow')
  rig.write(UPDATE)
  living.look()
  await idle()
  rig.write(DELETE)
  rig.makers.release()
  await idle()
  t.equal(living.snapshot.version.sequence, rig.file.version().sequence, 'both were read')
  await rig.settle(living)
  t.same(rig.makers.asked, ['follow'], 'the second look finds nothing new')
  rig.write(INSERT)
  await rig.settle(living)
  t.same(rig.makers.asked, ['follow', 'follow'])
  living.close()
})

for (const name of ['merge', 'index'] as const) {
  test(`a file that is read anew in the middle of: ${name}`, async (t) => {
    const rig = await sampleRig(t)
    rig.makers.holdUp(name)
    const living = rig.live({ isBare: name === 'index' })
    if (name === 'merge') rig.write(RENAME)
    living.look()
    await idle()
    t.equal(rig.makers.countOf(name), 1)
    rig.writer.exec('DROP TRIGGER transactions_updated; UPDATE transactions SET purpose = 1')
    rig.remember()
    living.look()
    await idle()
    t.strictSame(rig.made, ['reloaded'])
    rig.assertState(living.snapshot)
    rig.makers.release()
    await rig.settle(living)
    t.strictSame(rig.made, ['reloaded'], 'what was made of the old rows is dropped')
    await living.indexed()
    living.close()
  })
}

test('a lock is not waited for; what it kept back is read at a later look', async (t) => {
  const rig = await sampleRig(t)
  // Without a write-ahead log a writer shuts readers out.
  rig.file.close()
  rig.writer.pragma('journal_mode = DELETE')
  const file = WorkspaceFile.openForReading(rig.path)
  t.teardown(() => file.close())
  const open = new Rig(rig.path, file, rig.writer)
  open.remember()
  const living = open.live()
  const { snapshot } = living
  open.makers.holdUp('follow')
  open.write(UPDATE)
  living.look()
  open.writer.exec('BEGIN EXCLUSIVE')
  open.makers.release()
  await idle()
  living.look()
  await idle()
  t.ok(open.makers.countOf('follow') >= 2, 'asked again')
  t.equal(living.snapshot, snapshot)
  open.writer.exec('ROLLBACK')
  await open.settle(living)
  t.notOk(open.makers.asked.includes('load'))
  living.close()
})

test('a file that is gone or replaced is told once, and the snapshot stays readable', async (t) => {
  for (const act of ['gone', 'replaced'] as const) {
    const rig = await Rig.of(join(t.testdir(), 'w.db'), SAMPLE)
    const living = rig.live()
    const { snapshot } = living
    if (act === 'gone') rmSync(rig.path)
    else {
      await writeWorkspace(`${rig.path}.new`, SAMPLE)
      renameSync(`${rig.path}.new`, rig.path)
    }
    for (let i = 0; i < 3; i++) living.look()
    t.strictSame(rig.lost, [`the file is ${act}`])
    await t.rejects(living.indexed(), /is not followed any more/)
    t.equal(living.snapshot, snapshot)
    living.close()
    rig.close()
  }
})

/** Tasks of a snapshot that is not frozen. */
type StepName = Exclude<TaskName, 'moveLog' | 'stamp' | 'freeze' | 'discard'>

/** How each kind of task comes about: the names of the tasks that must be let through before. */
const BEGINNINGS: Readonly<Record<StepName, (rig: Rig, living: LivingSnapshot) => Promise<void>>> =
  {
    index: async () => undefined,
    follow: async (rig, living) => {
      rig.write(UPDATE)
      living.look()
    },
    load: async (rig, living) => {
      rig.writer.exec('DROP TRIGGER transactions_updated; UPDATE transactions SET purpose = 1')
      living.look()
    },
    merge: async (rig, living) => {
      rig.write(RENAME)
      living.look()
    },
    thin: async (rig, living) => {
      rig.makers.holdUp('merge')
      rig.write(RENAME)
      living.look()
      await idle()
      rig.write(UPDATE)
      living.look()
      await idle()
      rig.makers.release('merge')
      await idle()
      living.look()
    },
  }

for (const [name, begin] of Object.entries(BEGINNINGS)) {
  const task = name as TaskName
  test(`the end of everything in the middle of: ${task}`, async (t) => {
    const rig = await sampleRig(t)
    rig.makers.holdUp(task)
    const living = rig.live({ isBare: task === 'index' })
    await begin(rig, living)
    await idle()
    t.equal(rig.makers.countOf(task), 1)
    const { snapshot } = living
    living.close()
    living.close()
    rig.makers.release()
    await idle()
    living.look()
    await idle()
    t.equal(living.snapshot, snapshot)
    t.equal(rig.makers.countOf(task), 1)
    t.strictSame([rig.lost, rig.made], [[], []], 'nobody is told')
    await t.rejects(living.indexed(), /is not followed any more/)
  })

  test(`a fault in: ${task}`, async (t) => {
    const rig = await sampleRig(t)
    rig.makers.faults.set(task, new Error('out of memory'))
    const living = rig.live({ isBare: task === 'index' })
    await begin(rig, living)
    await idle()
    for (let i = 0; i < 3; i++) living.look()
    await idle()
    t.strictSame(rig.lost, ['out of memory'], 'told once')
  })
}

type Act =
  | { readonly kind: 'write'; readonly change: Change }
  | { readonly kind: 'hold' | 'release'; readonly task: TaskName }
  | { readonly kind: 'look' | 'idle' }

const tasks = fc.constantFrom<TaskName>('load', 'follow', 'merge', 'thin', 'index')
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), change: changes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('hold' as const, 'release' as const),
      task: tasks,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('look' as const, 'idle' as const) }) },
)

async function carryOn(rig: Rig, living: LivingSnapshot, act: Act): Promise<void> {
  if (act.kind === 'write') rig.write(act.change)
  else if (act.kind === 'hold') rig.makers.holdUp(act.task)
  else if (act.kind === 'release') rig.makers.release(act.task)
  else if (act.kind === 'look') living.look()
  else await idle()
}

test('however the work is delayed, what is served is a state that the file was in', async (t) => {
  const directory = t.testdir()
  let count = 0
  let mergeCount = 0
  await assertProperty(
    fc.asyncProperty(
      workspaceRows({ maxLength: 12 }),
      fc.array(acts, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      async (rows, life, isBare) => {
        count += 1
        const rig = await Rig.of(join(directory, `w${count}.db`), rows)
        const living = rig.live({ isBare })
        try {
          for (const act of life) {
            await carryOn(rig, living, act)
            rig.assertState(living.snapshot)
          }
          rig.makers.release()
          await rig.settle(living)
          await living.indexed()
          assert.deepEqual(rig.lost, [])
          if (!rig.isUntold) assert.ok(!rig.makers.asked.includes('load'), 'never read anew')
          mergeCount += rig.made.filter((kind) => kind === 'compacted').length
        } finally {
          living.close()
          rig.close()
        }
      },
    ),
    { numRuns: 100 },
  )
  t.ok(mergeCount > 5, `${mergeCount} merges in ${count} lives`)
})
