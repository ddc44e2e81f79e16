// With limits of a few rows, every operation that makes segments crosses them.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { mergeSegments } from '../../src/snapshot/merge-segments.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import type { SegmentLimits } from '../../src/snapshot/segment-size.js'
import type { LiveSegment, Segment } from '../../src/snapshot/snapshot.js'
import { staleFragmentsOf } from '../../src/snapshot/stale-fragments.js'
import { StoreError } from '../../src/store/store-error.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { assertHolds } from '../fixtures/snapshot-check.js'
import { lives, onlySegment, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { type WorkspaceRows, workspaceRows } from '../fixtures/workspaces.js'

/** Limits of few rows, or of few bytes, but more than the largest row has. */
const lowered = fc.record({
  rowCount: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(1_000)),
  spareBytes: fc.oneof(fc.nat({ max: 5_000 }), fc.constant(2 ** 30)),
})

/** The sizes of the rows of a segment, in bytes. */
function rowSizes({ rowCount, rowOffsets }: Segment): number[] {
  return Array.from({ length: rowCount }, (_, row) => rowOffsets[row + 1]! - rowOffsets[row]!)
}

function limitsFor(
  rows: WorkspaceRows,
  { rowCount, spareBytes }: { rowCount: number; spareBytes: number },
): SegmentLimits {
  const sizes = snapshotOf(rows).segments.flatMap(({ segment }) => rowSizes(segment))
  return { rowCount, byteCount: Math.max(0, ...sizes) + spareBytes }
}

/** @throws AssertionError unless the segments are as few as the limits allow */
function assertWithinLimits(segments: readonly LiveSegment[], limits: SegmentLimits): void {
  for (const [number, { segment }] of segments.entries()) {
    assert.ok(segment.rowCount > 0 && segment.rowCount <= limits.rowCount)
    assert.equal(segment.rowOffsets.length, segment.rowCount + 1)
    assert.equal(segment.rowOffsets.at(-1), segment.rowBytes.length)
    assert.ok(segment.rowBytes.length <= limits.byteCount)
    const next = segments[number + 1]?.segment
    if (next === undefined) continue
    const isFull =
      segment.rowCount === limits.rowCount ||
      segment.rowBytes.length + (rowSizes(next)[0] ?? 0) > limits.byteCount
    assert.ok(isFull, 'the first row of the next one has no room')
  }
}

test('a load makes as few segments as the limits allow, and they hold the rows', async () => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 40 }), lowered, (rows, low) => {
      const limits = limitsFor(rows, low)
      const snapshot = snapshotOf(rows, limits)
      assertWithinLimits(snapshot.segments, limits)
      assertHolds(snapshot, rows)
    }),
    { numRuns: 100 },
  )
})

test('a merge makes as few segments as the limits allow, with their indexes', async () => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 30 }), lives, lowered, (rows, life, low) => {
      const before = snapshotAfter(rows, life)
      const limits = limitsFor(rows, low)
      const segments = mergeSegments(before.segments, before.fragments, limits)
      assertWithinLimits(segments, limits)
      const staleFragments = staleFragmentsOf(segments, before.fragments)
      assert.equal(staleFragments.size, 0)
      assertHolds({ ...before, segments, staleFragments }, rows)
      for (const { segment, text, match } of segments) {
        assert.deepEqual({ text, match }, indexesOfSegment(segment))
      }
    }),
    { numRuns: 100 },
  )
})

test('a row that is larger than a segment may be is an error', async (t) => {
  const largest = Math.max(...rowSizes(onlySegment(snapshotOf(SAMPLE))))
  const limits = (byteCount: number): SegmentLimits => ({ rowCount: 1_000, byteCount })
  t.throws(
    () => snapshotOf(SAMPLE, limits(largest - 1)),
    new StoreError(`a transaction takes ${largest} bytes as JSON, which is too large`),
  )
  t.equal(snapshotOf(SAMPLE, limits(largest)).segments.length > 100, true)
})
