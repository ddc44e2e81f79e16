import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { randomOf } from '../../src/demo/random.js'
import { MATCH_GRAMS_ROWS_MIN } from '../../src/match/match-index.js'
import { type MovedMatches, mergeMatchIndexes } from '../../src/match/merge.js'
import { ROW_GONE } from '../../src/ordinals/ordinal.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'
import { matchRows, naiveMatchIndex } from '../fixtures/naive-match-index.js'

/** Target of each source row: a shuffle of all rows, few or many of which are dropped. */
const merges = fc
  .record({
    sources: fc.array(matchRows, { minLength: 1, maxLength: 3 }),
    seed: fc.nat(),
    droppedPercent: fc.constantFrom(0, 1, 50),
  })
  .map(({ sources, seed, droppedPercent }) => {
    const random = randomOf(seed)
    const rows = sources.flatMap((source, s) => source.map((fields, row) => ({ s, row, fields })))
    const kept = [...rows, undefined, undefined]
      .filter(() => random.below(100) >= droppedPercent)
      .map((place) => ({ place, at: random.below(1_000_000) }))
      .sort((a, b) => a.at - b.at)
    return { sources, kept: kept.map(({ place }) => place) }
  })

test('merged indexes equal those built of the kept rows, byte for byte', async (t) => {
  let gramCount = 0
  assertProperty(
    fc.property(merges, ({ sources, kept }) => {
      const moved = sources.map((rows) => ({
        index: naiveMatchIndex(rows),
        ordinalOf: new Uint32Array(rows.length).fill(ROW_GONE),
      }))
      kept.forEach((place, ordinal) => {
        if (place !== undefined) moved[place.s]!.ordinalOf[place.row] = ordinal
      })
      const rows = kept.map((place) => place?.fields ?? fieldsWith({}))
      assert.deepEqual(mergeMatchIndexes(moved, rows.length), naiveMatchIndex(rows))
      if (rows.length >= MATCH_GRAMS_ROWS_MIN) gramCount += 1
    }),
    { numRuns: 50 },
  )
  t.ok(gramCount > 5, `${gramCount} with grams`)
})

test('in shared memory, empty ones too', async (t) => {
  const index = naiveMatchIndex([fieldsWith({ purpose: '1234' }), fieldsWith({ purpose: '5' })])
  const moved: MovedMatches = { index, ordinalOf: Uint32Array.of(ROW_GONE, 0) }
  for (const sources of [[moved], []]) {
    const { rowCount, ...arrays } = mergeMatchIndexes(sources, sources.length)
    t.equal(rowCount, sources.length)
    t.equal(arrays.codes.length, sources.length)
    for (const array of Object.values(arrays)) t.ok(array.buffer instanceof SharedArrayBuffer)
  }
})
