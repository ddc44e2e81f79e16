import { test } from 'tap'
import { compactionOf, MERGED_ROWS_MAX, SEGMENTS_MAX } from '../../src/snapshot/compaction.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import type { LiveSegment, Snapshot } from '../../src/snapshot/snapshot.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'

const whole = snapshotOf(SAMPLE)
const segment = onlySegment(whole)
const indexes = indexesOfSegment(segment)

/** A segment with row counts only. */
function live(rowCount: number, aliveCount = rowCount): LiveSegment {
  const alive =
    aliveCount === rowCount ? undefined : { words: new Uint32Array(0), count: aliveCount }
  return { segment: { ...segment, rowCount }, alive, ...indexes }
}

function compactionAmong(...segments: LiveSegment[]): ReturnType<typeof compactionOf> {
  return compactionOf({ ...whole, segments })
}

test('a snapshot after a load is left alone', async (t) => {
  t.equal(compactionAmong(), undefined)
  t.equal(compactionAmong(live(1_000_000)), undefined)
  t.equal(compactionAmong(live(0)), undefined)
  t.equal(compactionAmong(live(1_000_000), live(50), live(3)), undefined)
})

test('past an eighth, added rows are merged into the first segment', async (t) => {
  const first = 8 * (MERGED_ROWS_MAX + 1)
  t.equal(compactionAmong(live(first), live(MERGED_ROWS_MAX + 1)), undefined)
  t.strictSame(compactionAmong(live(first), live(MERGED_ROWS_MAX), live(2)), { from: 0, to: 3 })
  t.equal(compactionAmong(live(100), live(MERGED_ROWS_MAX)), undefined, 'but not a few rows')
})

test('past a quarter of deleted rows, all are copied', async (t) => {
  t.equal(compactionAmong(live(1_000, 750)), undefined)
  t.strictSame(compactionAmong(live(1_000, 749)), { from: 0, to: 1 })
  t.strictSame(compactionAmong(live(1_000, 0)), { from: 0, to: 1 })
  t.strictSame(compactionAmong(live(900), live(600, 224)), { from: 0, to: 2 })
})

test('many segments become two', async (t) => {
  const many = Array.from({ length: SEGMENTS_MAX }, () => live(10))
  t.equal(compactionAmong(...many), undefined)
  t.strictSame(compactionAmong(live(1_000), ...many), { from: 1, to: SEGMENTS_MAX + 1 })
})

test('rows with stale fragments are rendered again', async (t) => {
  const stale = { accounts: ['{"name":"new"}'], categories: [] }
  const renamed: Snapshot = {
    ...whole,
    segments: [live(302)],
    staleFragments: new Map([[segment, stale]]),
  }
  t.strictSame(compactionOf(renamed), { from: 0, to: 1 })
})

test('nothing is merged while an index is missing', async (t) => {
  for (const missing of [{ text: undefined }, { match: undefined }]) {
    const bare = { ...live(1_000, 0), ...missing }
    t.equal(compactionAmong(live(1_000, 0), bare), undefined)
  }
})
