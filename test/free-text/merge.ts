import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { mergeTextIndexes, partIndexOf } from '../../src/free-text/merge.js'
import { ROW_GONE } from '../../src/ordinals/ordinal.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { indexOfRows, type Texts, textRows } from '../fixtures/search-texts.js'

/** Target of each source row: a shuffle of all rows, some of which are dropped. */
const merges = fc.array(textRows(60), { minLength: 1, maxLength: 3 }).chain((sources) => {
  const rows = sources.flatMap((source, s) => source.map((texts, row) => ({ s, row, texts })))
  return fc.record({
    sources: fc.constant(sources),
    kept: fc.shuffledSubarray([...rows, undefined, undefined]),
  })
})

test('merged indexes equal those built of the kept rows, byte for byte', async () => {
  assertProperty(
    fc.property(merges, ({ sources, kept }) => {
      const moved = sources.map((rows) => ({
        index: indexOfRows(rows),
        ordinalOf: new Uint32Array(rows.length).fill(ROW_GONE),
      }))
      kept.forEach((place, ordinal) => {
        if (place !== undefined) moved[place.s]!.ordinalOf[place.row] = ordinal
      })
      const rows: Texts[] = kept.map((place) => place?.texts ?? [])
      assert.deepEqual(mergeTextIndexes(moved, rows.length), indexOfRows(rows))
    }),
    { numRuns: 100 },
  )
})

test('words of dropped rows are dropped', async (t) => {
  const index = indexOfRows([['alpha'], ['beta']])
  const ordinalOf = Uint32Array.of(ROW_GONE, 0)
  t.strictSame(mergeTextIndexes([{ index, ordinalOf }], 1), indexOfRows([['beta']]))
  t.strictSame(mergeTextIndexes([], 0), indexOfRows([]))
})

const parts = textRows(80).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    kept: fc.subarray(rows.map((_, row) => row)),
    // Texts of the rows outside the part.
    others: textRows(20),
  }),
)

test('a part equals the index of its rows, byte for byte, whatever the others are', async () => {
  assertProperty(
    fc.property(parts, ({ rows, kept, others }) => {
      const wanted = indexOfRows(kept.map((row) => rows[row] ?? []))
      const ordinals = Uint32Array.from(kept)
      assert.deepEqual(partIndexOf(indexOfRows(rows), ordinals), wanted)
      const changed = rows.map((texts, row): Texts => {
        if (kept.includes(row) || others.length === 0) return texts
        return others[row % others.length] ?? []
      })
      assert.deepEqual(partIndexOf(indexOfRows(changed), ordinals), wanted)
    }),
    { numRuns: 100 },
  )
})
