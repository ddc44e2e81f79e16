import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { SELECTION_ENTRY_ORDINALS, SELECTIONS_KEPT_MIN } from '../../src/limits.js'
import { Selections } from '../../src/query/selections.js'
import { buildSnapshot } from '../../src/snapshot/build.js'
import type { Segment } from '../../src/snapshot/snapshot.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'

function segmentOf(): Segment {
  const [segment] = buildSnapshot({
    workspaceId: 'w',
    version: { uid: 'u', sequence: 1 },
    ...SAMPLE,
    transactionCount: SAMPLE.transactions.length,
    transactions: SAMPLE.transactions.toReversed(),
  }).segments
  if (segment === undefined) throw new Error('the sample has transactions')
  return segment
}

test('what is found is what was kept for that segment and key, or nothing', async (t) => {
  const steps = fc.array(
    fc.record({ first: fc.boolean(), key: fc.nat({ max: 9 }), length: fc.nat({ max: 5 }) }),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(steps, (sequence) => {
      const [one, other] = [segmentOf(), segmentOf()]
      const selections = new Selections()
      const kept = new Map<string, Uint32Array>()
      for (const { first, key, length } of sequence) {
        const segment = first ? one : other
        const found = selections.find(segment, `k${key}`)
        assert.equal(found, kept.get(`${first} ${key}`), 'nothing is forgotten within the bound')
        if (found !== undefined) continue
        const selection = new Uint32Array(length).fill(key)
        selections.keep(segment, `k${key}`, selection)
        kept.set(`${first} ${key}`, selection)
      }
    }),
    { numRuns: 30 },
  )
  t.pass('30 sequences')
})

test('what is kept is bounded, empty selections too; the oldest goes first', async (t) => {
  const segment = segmentOf()
  const costMax = segment.rowCount * 2 + SELECTIONS_KEPT_MIN * SELECTION_ENTRY_ORDINALS
  for (const length of [0, 1, 100]) {
    const selections = new Selections()
    const keptMax = Math.floor(costMax / (length + SELECTION_ENTRY_ORDINALS))
    const all = Array.from({ length: keptMax * 2 }, (_, i) => `k${i}`)
    for (const key of all) {
      selections.keep(segment, key, new Uint32Array(length))
      // Asked for again and again: the first one never becomes the oldest.
      selections.find(segment, 'k0')
    }
    const found = all.filter((key) => selections.find(segment, key) !== undefined)
    t.same(found, ['k0', ...all.slice(1 - keptMax)], `${length} ordinals each`)
  }
})

test('a selection beyond the bound is not kept, and displaces nothing', async (t) => {
  const segment = segmentOf()
  const selections = new Selections()
  selections.keep(segment, 'small', Uint32Array.of(1))
  selections.keep(segment, 'large', new Uint32Array(segment.rowCount * 2 + 65_536))
  t.equal(selections.find(segment, 'large'), undefined)
  t.same(selections.find(segment, 'small'), Uint32Array.of(1))
})
