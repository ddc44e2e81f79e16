import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { visitChanges } from '../../src/snapshot/change-log.js'
import {
  followState,
  type NextSnapshot,
  snapshotAfter,
  type WorkspaceStep,
} from '../../src/snapshot/follow.js'
import { mergeSegments } from '../../src/snapshot/merge-segments.js'
import { SEGMENT_LIMITS, type SegmentLimits } from '../../src/snapshot/segment-size.js'
import type { Snapshot } from '../../src/snapshot/snapshot.js'
import { staleFragmentsOf } from '../../src/snapshot/stale-fragments.js'
import { readWorkspace } from '../../src/store/open-workspace.js'
import { type Connection, Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { type Change, carryOut, changes, rowsOfFile } from '../fixtures/changes.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { addressOf, snapshotAt } from '../fixtures/stored-workspace.js'
import { type WorkspaceRows, workspaceRows, writeWorkspace } from '../fixtures/workspaces.js'

/** A served file and a writer. */
class Rig {
  private constructor(
    readonly file: WorkspaceFile,
    readonly writer: Connection,
    public snapshot: Snapshot,
    private readonly limits: SegmentLimits,
  ) {}

  static async of(
    t: Test,
    name: string,
    rows: WorkspaceRows,
    limits = SEGMENT_LIMITS,
  ): Promise<Rig> {
    const path = join(t.testdirName, `${name}.db`)
    await writeWorkspace(path, rows)
    const file = WorkspaceFile.openForReading(path)
    const writer = new Database(path)
    writer.pragma('foreign_keys = ON')
    return new Rig(file, writer, await snapshotAt(path, limits), limits)
  }

  step(fixedCount = 0): Promise<WorkspaceStep> {
    return readWorkspace(addressOf(this.file.path), async (state) => {
      const seal = await state.seal()
      return followState(this.snapshot, state, { seal, fixedCount }, this.limits)
    })
  }

  async follow(fixedCount = 0): Promise<NextSnapshot> {
    const step = await this.step(fixedCount)
    if (step.kind === 'lost') throw new Error(step.reason)
    this.snapshot = snapshotAfter(this.snapshot, step.next, this.snapshot.generation + 1)
    return step.next
  }

  /** Merges all segments from an index on. */
  merge(from: number): void {
    const { segments, fragments } = this.snapshot
    if (from >= segments.length) return
    const merged = mergeSegments(segments.slice(from), fragments, this.limits)
    const next = [...segments.slice(0, from), ...merged]
    this.snapshot = {
      ...this.snapshot,
      segments: next,
      staleFragments: staleFragmentsOf(next, fragments),
    }
  }

  close(): void {
    this.file.close()
    this.writer.close()
  }
}

interface Act {
  readonly changes: readonly Change[]
  readonly fixedCount: number
  readonly mergeFrom: number | undefined
}

const acts: fc.Arbitrary<Act> = fc.record({
  changes: fc.array(changes, { minLength: 1, maxLength: 4 }),
  fixedCount: fc.nat({ max: 2 }),
  mergeFrom: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
})

test('after any write, the next snapshot equals the file', async (t) => {
  t.testdir()
  let runCount = 0
  await assertProperty(
    fc.asyncProperty(
      workspaceRows({ maxLength: 30 }),
      fc.array(acts, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(SEGMENT_LIMITS, { ...SEGMENT_LIMITS, rowCount: 3 }),
      async (rows, life, limits) => {
        runCount += 1
        const rig = await Rig.of(t, `w${runCount}`, rows, limits)
        try {
          for (const act of life) {
            const sequence = rig.file.version().sequence
            for (const change of act.changes) carryOut(rig.writer, change)
            if (rig.file.version().sequence === sequence) continue
            await rig.follow(act.fixedCount)
            assertHolds(rig.snapshot, rowsOfFile(rig.file))
            if (act.mergeFrom !== undefined) rig.merge(act.mergeFrom)
            assertHolds(rig.snapshot, rowsOfFile(rig.file))
          }
        } finally {
          rig.close()
        }
      },
    ),
    { numRuns: 30 },
  )
  t.pass(`${runCount} histories`)
})

test('a change leaves the large segment as it is, except for deleted rows', async (t) => {
  t.testdir()
  const rig = await Rig.of(t, 'w', SAMPLE)
  t.teardown(() => rig.close())
  const [base] = rig.snapshot.segments
  carryOut(rig.writer, { name: 'update the amount', a: 7, b: 3 })
  t.match((await rig.follow()).segments, [{ kind: 'withDeletes', place: 0 }, { kind: 'new' }])
  t.equal(rig.snapshot.segments[0]?.segment, base?.segment)
  t.equal(rig.snapshot.segments[0]?.alive?.count, 301)
  t.equal(base?.alive, undefined, 'a holder of the old snapshot keeps it')
  carryOut(rig.writer, { name: 'rename an account', a: 0, b: 1 })
  t.match((await rig.follow()).segments, [
    { kind: 'kept', place: 0 },
    { kind: 'kept', place: 1 },
  ])
  t.equal(rig.snapshot.staleFragments.size, 2)
})

test('small segments are merged with new rows, so that their number stays small', async (t) => {
  t.testdir()
  const rig = await Rig.of(t, 'w', SAMPLE)
  t.teardown(() => rig.close())
  for (let i = 0; i < 100; i++) {
    carryOut(rig.writer, { name: 'insert one', a: i, b: 0 })
    await rig.follow()
    t.ok(rig.snapshot.segments.length <= 9, `${rig.snapshot.segments.length} segments`)
  }
  assertHolds(rig.snapshot, rowsOfFile(rig.file))
  const fixed = rig.snapshot.segments.map(({ segment }) => segment)
  carryOut(rig.writer, { name: 'insert many', a: 0, b: 39 })
  await rig.follow(fixed.length)
  t.strictSame(
    rig.snapshot.segments.slice(0, -1).map(({ segment }) => segment === fixed.shift()),
    rig.snapshot.segments.slice(0, -1).map(() => true),
    'except those in a running merge',
  )
})

test('a change outside the log requires a reload', async (t) => {
  t.testdir()
  const rig = await Rig.of(t, 'w', SAMPLE)
  t.teardown(() => rig.close())
  const reasonOf = async (): Promise<unknown> => {
    const step = await rig.step()
    return step.kind === 'lost' ? step.reason : step.kind
  }
  const unlogged = 'unlogged'
  t.equal(await reasonOf(), unlogged, 'nothing was logged')
  carryOut(rig.writer, { name: 'insert many', a: 0, b: 9 })
  t.equal(await reasonOf(), 'next')
  rig.writer.exec('DELETE FROM changes WHERE sequence % 3 = 0')
  t.equal(await reasonOf(), unlogged, 'a gap')
  rig.writer.exec('DELETE FROM changes')
  t.equal(await reasonOf(), unlogged, 'trimmed')
  rig.writer.exec("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'changes'")
  t.equal(await reasonOf(), unlogged, 'set back')
  rig.writer.exec("UPDATE workspace SET uid = 'other'")
  t.equal(await reasonOf(), 'other_file')
})

test('a log goes on, unless rows change hands without a change of their own', async (t) => {
  t.testdir()
  const rig = await Rig.of(t, 'w', SAMPLE)
  t.teardown(() => rig.close())
  const timelineAfter = async (sql: string): Promise<string> => {
    rig.writer.exec(sql)
    await rig.follow()
    return rig.snapshot.log.timeline
  }
  const { timeline, after } = rig.snapshot.log
  t.equal(after, rig.snapshot.version.sequence, 'it begins with the load')
  t.equal(await timelineAfter('UPDATE transactions SET account_id = 3 WHERE id = 302'), timeline)
  t.equal(await timelineAfter('DELETE FROM accounts WHERE id = 3'), timeline, 'its row was deleted')
  const logged: number[][] = []
  visitChanges(rig.snapshot.log, after, (_, ...change) => logged.push(change) > 0)
  t.same(logged, [
    [302, 3, 3],
    [302, 3, 0],
  ])
  const unchecked = 'PRAGMA foreign_keys = OFF; DELETE FROM accounts WHERE id = 2'
  const orphaned = await timelineAfter(unchecked)
  t.not(orphaned, timeline, 'row 301 has left every view of account 2')
  t.same(rig.snapshot.log.chunks, [])
  const early = 'UPDATE transactions SET account_id = 9 WHERE id = 301'
  t.equal(await timelineAfter(early), orphaned)
  const account = `INSERT INTO accounts (id, currency, created_at, updated_at)
    VALUES (9, 'EUR', 0, 0)`
  t.not(await timelineAfter(account), orphaned, 'row 301 was there before its account')
})
