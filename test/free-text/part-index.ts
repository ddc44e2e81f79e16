import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { partIndexOf } from '../../src/free-text/part-index.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { indexOfRows, type Texts, textRows } from '../fixtures/search-texts.js'

const parts = textRows(80).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    kept: fc.subarray(rows.map((_, row) => row)),
    // Texts of the rows outside the part.
    others: textRows(20),
  }),
)

test('a part is what its rows would give, byte for byte, whatever the others hold', async () => {
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
