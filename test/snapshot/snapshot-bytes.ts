import { test } from 'tap'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import { type LiveSegment, NO_INDEXES } from '../../src/snapshot/snapshot.js'
import { SNAPSHOT_OVERHEAD_BYTES, snapshotBytes } from '../../src/snapshot/snapshot-bytes.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'

test('every array of a snapshot is counted', async (t) => {
  const snapshot = snapshotOf(SAMPLE)
  const segment = onlySegment(snapshot)
  const bytes = snapshotBytes(snapshot)
  t.ok(bytes > segment.rowBytes.length + segment.rowOffsets.byteLength + SNAPSHOT_OVERHEAD_BYTES)
  const { text, match } = indexesOfSegment(segment)
  const bytesWith = (indexes: Pick<LiveSegment, 'text' | 'match'>): number =>
    snapshotBytes({ ...snapshot, segments: [{ segment, alive: undefined, ...indexes }] })
  t.ok(bytesWith({ text, match: undefined }) >= bytes + text.wordBytes.length, 'the text index')
  const { codes, gaps, marks, offsets, grams } = match
  const codeBytes = codes.length + gaps.length + marks.length
  const matchBytes = codeBytes + offsets.byteLength + grams.byteLength
  t.ok(codes.length > 0 && offsets.length > 0)
  t.equal(bytesWith({ text: undefined, match }), bytes + matchBytes, 'the match index')
  const alive = { words: new Uint32Array(10), count: 0 }
  const thinned = { ...snapshot, segments: [{ segment, alive, ...NO_INDEXES }] }
  t.equal(snapshotBytes(thinned), bytes + 40)
})

test('an empty workspace takes some bytes as well', async (t) => {
  const empty = snapshotOf({ accounts: [], categories: [], transactions: [] })
  t.ok(snapshotBytes(empty) >= SNAPSHOT_OVERHEAD_BYTES)
})
