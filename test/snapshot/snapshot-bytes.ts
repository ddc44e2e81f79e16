import { test } from 'tap'
import { SNAPSHOT_OVERHEAD_BYTES } from '../../src/limits.js'
import { textOfSegment } from '../../src/snapshot/segment-text.js'
import { snapshotBytes } from '../../src/snapshot/snapshot-bytes.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { onlySegment, snapshotOf } from '../fixtures/snapshots.js'

test('every array of a snapshot is counted', async (t) => {
  const snapshot = snapshotOf(SAMPLE)
  const segment = onlySegment(snapshot)
  const bytes = snapshotBytes(snapshot)
  t.ok(bytes > segment.rowBytes.length + segment.rowOffsets.byteLength + SNAPSHOT_OVERHEAD_BYTES)
  const text = textOfSegment(segment)
  const indexed = { ...snapshot, segments: [{ segment, alive: undefined, text }] }
  t.ok(snapshotBytes(indexed) >= bytes + text.wordBytes.length, 'the text index too')
  const alive = { words: new Uint32Array(10), count: 0 }
  const thinned = { ...snapshot, segments: [{ segment, alive, text: undefined }] }
  t.equal(snapshotBytes(thinned), bytes + 40)
})

test('an empty workspace takes something as well', async (t) => {
  const empty = snapshotOf({ accounts: [], categories: [], transactions: [] })
  t.ok(snapshotBytes(empty) >= SNAPSHOT_OVERHEAD_BYTES)
})
