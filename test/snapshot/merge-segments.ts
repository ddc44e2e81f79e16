import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { bitSetOf, emptyWords } from '../../src/ordinals/bit-set.js'
import { mergeSegments } from '../../src/snapshot/merge-segments.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import { aliveCount, type LiveSegment, type Snapshot } from '../../src/snapshot/snapshot.js'
import { staleFragmentsOf } from '../../src/snapshot/stale-fragments.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { lives, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const cases = fc.record({
  rows: workspaceRows({ maxLength: 30 }),
  life: lives,
  from: fc.nat({ max: 3 }),
})

function merged(snapshot: Snapshot, from: number): LiveSegment {
  const [live, ...others] = mergeSegments(snapshot.segments.slice(from), snapshot.fragments)
  if (live === undefined || others.length > 0) throw new Error('one segment')
  return live
}

/** The position, at most `from`, of a segment from which on there are live rows. */
function lastAliveFrom({ segments }: Snapshot, from: number): number {
  return Math.min(
    from,
    segments.findLastIndex((live) => aliveCount(live) > 0),
  )
}

test('a merged segment contains the live rows with their current names', async () => {
  assertProperty(
    fc.property(cases, ({ rows, life, from }) => {
      fc.pre(rows.transactions.length > 0)
      const before = snapshotAfter(rows, life)
      const first = lastAliveFrom(before, from)
      const live = merged(before, first)
      assert.equal(live.alive, undefined)
      const segments = [...before.segments.slice(0, first), live]
      const staleFragments = staleFragmentsOf(segments, before.fragments)
      assert.ok(!staleFragments.has(live.segment), 'no stale fragment remains')
      assertHolds({ ...before, segments, staleFragments }, rows)
    }),
    { numRuns: 100 },
  )
})

test('the columns of a merged segment equal those of a load', async () => {
  assertProperty(
    fc.property(cases, ({ rows, life }) => {
      fc.pre(rows.transactions.length > 0)
      const { segment } = merged(snapshotAfter(rows, { ...life, isRenamed: false }), 0)
      const [loaded] = snapshotOf(rows).segments
      for (const name of ['ids', 'rowBytes', 'rowOffsets', 'booked', 'amounts'] as const) {
        assert.deepEqual(segment[name], loaded?.segment[name], name)
      }
    }),
    { numRuns: 50 },
  )
})

test('a merged segment has the indexes of its rows, or none when a source has none', async () => {
  assertProperty(
    fc.property(cases, ({ rows, life }) => {
      fc.pre(rows.transactions.length > 0)
      const before = snapshotAfter(rows, life)
      const live = merged(before, 0)
      const { text, match } = live
      assert.deepEqual({ text, match }, indexesOfSegment(live.segment))
      const [first, ...others] = before.segments
      if (first === undefined) return
      for (const name of ['text', 'match'] as const) {
        const segments: LiveSegment[] = [{ ...first, [name]: undefined }, ...others]
        assert.deepEqual(merged({ ...before, segments }, 0), { ...live, [name]: undefined })
      }
    }),
    { numRuns: 50 },
  )
})

test('segments without live rows are merged to none', async (t) => {
  const { segments, fragments } = snapshotOf(SAMPLE)
  const dead = segments.map((live) => ({ ...live, alive: bitSetOf(emptyWords(302)) }))
  t.strictSame(mergeSegments(dead, fragments), [])
})
