import { test } from 'tap'
import type { Selection } from '../../src/query/select.js'
import { Selections } from '../../src/query/selections.js'
import { buildSnapshot } from '../../src/snapshot/build.js'
import type { Segment } from '../../src/snapshot/snapshot.js'

/** A segment without rows, but for the number of them: its size is all that is looked at. */
function segmentOf(rowCount: number): Segment {
  const { segments } = buildSnapshot({
    workspaceId: 'w',
    version: { uid: 'u', sequence: 1 },
    accounts: [],
    categories: [],
    transactionCount: rowCount,
    transactions: [],
  })
  const [segment] = segments
  if (segment === undefined) throw new Error('a segment with rows')
  return segment
}

function listed(length: number): Selection {
  return { kind: 'listed', ordinals: new Uint32Array(length) }
}

test('a selection is found again under its key and segment alone', async (t) => {
  const selections = new Selections()
  const [segment, other] = [segmentOf(1_000), segmentOf(1_000)]
  const selection = listed(10)
  selections.keep(segment, 'a', selection)
  t.equal(selections.find(segment, 'a'), selection)
  t.equal(selections.find(segment, 'b'), undefined)
  t.equal(selections.find(other, 'a'), undefined)
})

test('the selection that was not asked for longest goes first', async (t) => {
  const selections = new Selections()
  const segment = segmentOf(1_000)
  // Each takes more than a third of the 16,000 bytes that a thousand rows allow.
  for (const key of ['a', 'b']) selections.keep(segment, key, listed(1_300))
  t.ok(selections.find(segment, 'a'))
  selections.keep(segment, 'c', listed(1_300))
  t.ok(selections.find(segment, 'a'))
  t.equal(selections.find(segment, 'b'), undefined)
  t.ok(selections.find(segment, 'c'))
})

test('a selection larger than the whole share is not kept, and drives nothing out', async (t) => {
  const selections = new Selections()
  const segment = segmentOf(1_000)
  selections.keep(segment, 'a', listed(100))
  selections.keep(segment, 'b', listed(5_000))
  t.ok(selections.find(segment, 'a'))
  t.equal(selections.find(segment, 'b'), undefined)
})
