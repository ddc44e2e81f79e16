import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { mergeSegments } from '../../src/snapshot/merge-segments.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import type { LiveSegment, Snapshot } from '../../src/snapshot/snapshot.js'
import { staleFragmentsOf } from '../../src/snapshot/stale-fragments.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { lives, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const cases = fc.record({
  rows: workspaceRows({ maxLength: 30 }),
  life: lives,
  from: fc.nat({ max: 3 }),
})

function merged(snapshot: Snapshot, from: number): LiveSegment {
  return mergeSegments(snapshot.segments.slice(from), snapshot.fragments)
}

test('a merged segment contains the live rows with their current names', async () => {
  assertProperty(
    fc.property(cases, ({ rows, life, from }) => {
      const before = snapshotAfter(rows, life)
      const first = Math.min(from, Math.max(0, before.segments.length - 1))
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
