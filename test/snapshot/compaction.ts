import { test } from 'tap'
import {
  compactionOf,
  fullFirst,
  MERGED_ROWS_MAX,
  SEGMENTS_MAX,
} from '../../src/snapshot/compaction.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import { isFull, SEGMENT_LIMITS } from '../../src/snapshot/segment-size.js'
import type { LiveSegment, Snapshot } from '../../src/snapshot/snapshot.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'

/** Rows of a segment just large enough to be left alone. */
const FULL = SEGMENT_LIMITS.rowCount / 2 + 1

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
  const outdated = live(302)
  const renamed: Snapshot = {
    ...whole,
    segments: [outdated],
    staleFragments: new Map([[outdated.segment, stale]]),
  }
  t.strictSame(compactionOf(renamed), { from: 0, to: 1 })
  const full = { ...renamed, segments: [live(FULL), outdated] }
  t.strictSame(compactionOf(full), { from: 1, to: 2 })
})

test('nothing is merged while an index is missing', async (t) => {
  for (const missing of [{ text: undefined }, { match: undefined }]) {
    const bare = { ...live(1_000, 0), ...missing }
    t.equal(compactionAmong(live(1_000, 0), bare), undefined)
  }
})

test('full segments are not merged with others', async (t) => {
  const many = Array.from({ length: SEGMENTS_MAX }, () => live(10))
  const added = live(MERGED_ROWS_MAX + 1)
  t.equal(compactionAmong(live(FULL), live(FULL), ...many), undefined)
  t.strictSame(compactionAmong(live(FULL), live(FULL), added, ...many), { from: 3, to: 9 })
  const rest = [live(8 * MERGED_ROWS_MAX), added, live(2)]
  t.strictSame(compactionAmong(live(FULL), ...rest), { from: 1, to: 4 })
  t.equal(compactionAmong(live(FULL - 1), added), undefined, 'an eighth of a large one is more')
})

test('a full segment is copied alone once a quarter of its rows is deleted', async (t) => {
  const sparse = live(FULL, Math.floor(FULL / 2))
  t.strictSame(compactionAmong(live(FULL), sparse, live(FULL), live(5)), { from: 1, to: 2 })
  t.equal(compactionAmong(live(FULL), live(FULL, FULL - 9), live(5)), undefined)
})

test('a segment is full when it has more than half of the rows or bytes', async (t) => {
  const limits = { rowCount: 10, byteCount: 100 }
  const sized = (rowCount: number, byteCount: number) =>
    isFull({ rowCount, rowBytes: new Uint8Array(byteCount) }, limits)
  t.same([sized(5, 50), sized(6, 50), sized(5, 51)], [false, true, true])
})

test('full segments come first', async (t) => {
  const [small, full, smaller, other] = [live(5), live(FULL), live(4), live(FULL)]
  t.strictSame(fullFirst([small, full, smaller, other]), [full, other, small, smaller])
  const ordered = [full, other, small]
  t.equal(fullFirst(ordered), ordered)
})
