import { strict as assert } from 'node:assert'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { SEGMENT_LIMITS } from '../../src/snapshot/segment-size.js'
import { isIndexed, placeOfId } from '../../src/snapshot/snapshot.js'
import { arrayBytes } from '../../src/snapshot/snapshot-bytes.js'
import {
  FOLLOW_REST_FACTOR,
  FOLLOW_REST_MS_MAX,
  type SnapshotUpdater,
} from '../../src/snapshot/snapshot-updater.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { type Change, changes } from '../fixtures/changes.js'
import type { TaskName } from '../fixtures/inline-tasks.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { idle, sampleRig, UNLOGGED, UpdaterRig } from '../fixtures/updater-rig.js'
import { workspaceRows, writeWorkspace } from '../fixtures/workspaces.js'

const RENAME: Change = { name: 'rename an account', a: 0, b: 1 }
const UPDATE: Change = { name: 'update the amount', a: 7, b: 3 }
const DELETE: Change = { name: 'delete one', a: 11, b: 0 }
const INSERT: Change = { name: 'insert one', a: 5, b: 0 }

test('a file that was just followed is not polled for a while', async (t) => {
  const rig = await sampleRig(t)
  const updater = await rig.live()
  const followOnce = async (durationMs: number): Promise<void> => {
    rig.tasks.holdUp('follow')
    rig.write(UPDATE)
    updater.poll()
    rig.nowMs += durationMs
    rig.tasks.release('follow')
    await idle()
    rig.assertState(updater.snapshot)
    t.equal(updater.snapshot.version.sequence, rig.file.version().sequence)
  }
  for (const [durationMs, restMs] of [
    [2, 2 * FOLLOW_REST_FACTOR],
    [1_000, FOLLOW_REST_MS_MAX],
  ] as const) {
    await followOnce(durationMs)
    const { snapshot } = updater
    rig.write(UPDATE)
    for (const waitedMs of [0, restMs - 1]) {
      rig.nowMs += waitedMs
      updater.poll()
      await idle()
      t.equal(updater.snapshot, snapshot, `${waitedMs} ms of ${restMs}`)
    }
    rig.nowMs += 1
    await rig.settle(updater)
  }
  updater.close()
})

test('the indexes of a large segment arrive later, and can be awaited', async (t) => {
  const rig = await sampleRig(t)
  rig.tasks.holdUp('index')
  const updater = await rig.live({ isBare: true })
  const { generation } = updater.snapshot
  let isDone = false
  const waiting = updater.indexed().then(() => {
    isDone = true
  })
  rig.write(UPDATE)
  updater.poll()
  await idle()
  rig.assertState(updater.snapshot)
  t.notOk(isIndexed(updater.snapshot))
  t.not(updater.snapshot.generation, generation, 'lists are updated meanwhile')
  t.notOk(isDone)
  const served = updater.snapshot.generation
  rig.tasks.release()
  await waiting
  t.ok(isIndexed(updater.snapshot))
  t.equal(updater.snapshot.generation, served, 'which changes no answer')
  t.strictSame(rig.made, ['indexed'])
  await updater.indexed()
  updater.close()
})

test('indexes of a dropped segment are discarded', async (t) => {
  const rig = await sampleRig(t)
  rig.tasks.holdUp('index')
  const updater = await rig.live({ isBare: true })
  rig.writer.exec('UPDATE transactions SET purpose = 1')
  rig.remember()
  await rig.settle(updater)
  t.equal(updater.snapshot.segments.length, 1, 'every row of it was rewritten')
  const [only] = updater.snapshot.segments
  rig.tasks.release()
  await updater.indexed()
  t.equal(updater.snapshot.segments[0]?.segment, only?.segment)
  t.equal(updater.snapshot.segments[0]?.text?.rowCount, 302)
  t.equal(updater.snapshot.segments[0]?.match?.rowCount, 302)
  updater.close()
})

test('a merge runs next to updates, and their rows are deleted in it', async (t) => {
  const rig = await sampleRig(t)
  const updater = await rig.live()
  const [base] = updater.snapshot.segments
  rig.tasks.holdUp('merge')
  rig.write(RENAME)
  updater.poll()
  await idle()
  t.equal(rig.tasks.countOf('merge'), 1)
  t.equal(updater.snapshot.staleFragments.size, 1)
  for (const change of [UPDATE, DELETE, INSERT, { ...RENAME, b: 2 }]) {
    rig.write(change)
    updater.poll()
    await idle()
    rig.assertState(updater.snapshot)
    t.equal(
      updater.snapshot.segments[0]?.segment,
      base?.segment,
      'the merged segment stays in place',
    )
  }
  const { generation } = updater.snapshot
  const replaced = arrayBytes(updater.snapshot.segments[0])
  rig.tasks.release()
  await idle()
  rig.tasks.holdUp('merge')
  updater.poll()
  await idle()
  t.strictSame(rig.made, ['compacted'])
  t.equal(rig.leftBytes, replaced, 'later segments stay')
  const [merged] = updater.snapshot.segments
  t.not(merged?.segment, base?.segment)
  t.equal(merged?.alive?.count, 300, 'without the updated and the deleted row')
  t.equal(placeOfId(updater.snapshot, 8)?.segment, updater.snapshot.segments[1]?.segment)
  t.equal(updater.snapshot.generation, generation, 'no answer has changed')
  rig.assertState(updater.snapshot)
  rig.tasks.release()
  await rig.settle(updater)
  t.equal(updater.snapshot.staleFragments.size, 0, 'the second new name is merged too')
  updater.close()
})

test('a writer without a pause does not delay the end of a merge forever', async (t) => {
  const rig = await sampleRig(t)
  const updater = await rig.live()
  rig.write(RENAME)
  for (let i = 0; i < 5 && rig.made.length === 0; i++) {
    updater.poll()
    await idle()
    rig.assertState(updater.snapshot)
    rig.write({ ...UPDATE, a: i })
  }
  t.strictSame(rig.made, ['compacted'])
  updater.close()
})

test('a write between poll and read is followed, without a reload', async (t) => {
  const rig = await sampleRig(t)
  const updater = await rig.live()
  rig.tasks.holdUp('follow')
  rig.write(UPDATE)
  updater.poll()
  await idle()
  rig.write(DELETE)
  rig.tasks.release()
  await idle()
  t.equal(updater.snapshot.version.sequence, rig.file.version().sequence, 'both were read')
  await rig.settle(updater)
  t.same(rig.tasks.asked, ['follow'], 'the second poll finds nothing new')
  rig.write(INSERT)
  await rig.settle(updater)
  t.same(rig.tasks.asked, ['follow', 'follow'])
  updater.close()
})

for (const name of ['merge', 'index'] as const) {
  test(`a file reloaded during: ${name}`, async (t) => {
    const rig = await sampleRig(t)
    rig.tasks.holdUp(name)
    const updater = await rig.live({ isBare: name === 'index' })
    if (name === 'merge') rig.write(RENAME)
    updater.poll()
    await idle()
    t.equal(rig.tasks.countOf(name), 1)
    rig.writer.exec(UNLOGGED)
    rig.remember()
    updater.poll()
    await idle()
    t.strictSame(rig.made, ['reloaded'])
    rig.assertState(updater.snapshot)
    rig.tasks.release()
    await rig.settle(updater)
    t.strictSame(rig.made, ['reloaded'], 'results from the old rows are dropped')
    await updater.indexed()
    updater.close()
  })
}

test('a missing or replaced file is reported once, and the snapshot stays readable', async (t) => {
  for (const act of ['gone', 'replaced'] as const) {
    const rig = await UpdaterRig.of(join(t.testdir(), 'w.db'), SAMPLE)
    const updater = await rig.live()
    const { snapshot } = updater
    if (act === 'gone') rmSync(rig.path)
    else {
      await writeWorkspace(`${rig.path}.new`, SAMPLE)
      renameSync(`${rig.path}.new`, rig.path)
    }
    for (let i = 0; i < 3; i++) updater.poll()
    t.strictSame(rig.lost, [`the file is ${act}`])
    await t.rejects(updater.indexed(), /is no longer followed/)
    t.equal(updater.snapshot, snapshot)
    updater.close()
    rig.close()
  }
})

/** Tasks of a snapshot except those of its cache. */
type StepName = Exclude<TaskName, 'load' | 'settle' | 'seal' | 'writeCache' | 'discard'>

/** Preconditions of each kind of task: the names of the tasks to release before it. */
const BEGINNINGS: Readonly<
  Record<StepName, (rig: UpdaterRig, updater: SnapshotUpdater) => Promise<void>>
> = {
  index: async () => undefined,
  follow: async (rig, updater) => {
    rig.write(UPDATE)
    updater.poll()
  },
  reload: async (rig, updater) => {
    rig.writer.exec(UNLOGGED)
    updater.poll()
  },
  merge: async (rig, updater) => {
    rig.write(RENAME)
    updater.poll()
  },
  applyDeletes: async (rig, updater) => {
    rig.tasks.holdUp('merge')
    rig.write(RENAME)
    updater.poll()
    await idle()
    rig.write(UPDATE)
    updater.poll()
    await idle()
    rig.tasks.release('merge')
    await idle()
    updater.poll()
  },
}

for (const [name, begin] of Object.entries(BEGINNINGS)) {
  const task = name as TaskName
  test(`an end of the process during: ${task}`, async (t) => {
    const rig = await sampleRig(t)
    rig.tasks.holdUp(task)
    const updater = await rig.live({ isBare: task === 'index' })
    await begin(rig, updater)
    await idle()
    t.equal(rig.tasks.countOf(task), 1)
    const { snapshot } = updater
    updater.close()
    updater.close()
    rig.tasks.release()
    await idle()
    updater.poll()
    await idle()
    t.equal(updater.snapshot, snapshot)
    t.equal(rig.tasks.countOf(task), 1)
    t.strictSame([rig.lost, rig.made], [[], []], 'nothing is reported')
    await t.rejects(updater.indexed(), /is no longer followed/)
  })

  test(`an error in: ${task}`, async (t) => {
    const rig = await sampleRig(t)
    rig.tasks.faults.set(task, new Error('out of memory'))
    const updater = await rig.live({ isBare: task === 'index' })
    await begin(rig, updater)
    await idle()
    for (let i = 0; i < 3; i++) updater.poll()
    await idle()
    t.strictSame(rig.lost, ['out of memory'], 'reported once')
  })
}

type Act =
  | { readonly kind: 'write'; readonly change: Change }
  | { readonly kind: 'hold' | 'release'; readonly task: TaskName }
  | { readonly kind: 'poll' | 'idle' }

const tasks = fc.constantFrom<TaskName>('reload', 'follow', 'merge', 'applyDeletes', 'index')
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), change: changes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('hold' as const, 'release' as const),
      task: tasks,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('poll' as const, 'idle' as const) }) },
)

async function carryOn(rig: UpdaterRig, updater: SnapshotUpdater, act: Act): Promise<void> {
  if (act.kind === 'write') rig.write(act.change)
  else if (act.kind === 'hold') rig.tasks.holdUp(act.task)
  else if (act.kind === 'release') rig.tasks.release(act.task)
  else if (act.kind === 'poll') updater.poll()
  else await idle()
}

test('whatever the delays, the served snapshot is a state that the file had', async (t) => {
  const directory = t.testdir()
  let count = 0
  let mergeCount = 0
  await assertProperty(
    fc.asyncProperty(
      workspaceRows({ maxLength: 12 }),
      fc.array(acts, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      fc.constantFrom(SEGMENT_LIMITS, { ...SEGMENT_LIMITS, rowCount: 3 }),
      async (rows, life, isBare, limits) => {
        count += 1
        const rig = await UpdaterRig.of(join(directory, `w${count}.db`), rows)
        rig.tasks.segmentLimits = limits
        const updater = await rig.live({ isBare })
        try {
          for (const act of life) {
            await carryOn(rig, updater, act)
            rig.assertState(updater.snapshot)
          }
          rig.tasks.release()
          await rig.settle(updater)
          await updater.indexed()
          assert.deepEqual(rig.lost, [])
          if (!rig.isUnlogged) assert.ok(!rig.tasks.asked.includes('reload'), 'never reloaded')
          mergeCount += rig.made.filter((kind) => kind === 'compacted').length
        } finally {
          updater.close()
          rig.close()
        }
      },
    ),
    { numRuns: 60 },
  )
  t.ok(mergeCount > 5, `${mergeCount} merges in ${count} histories`)
})
