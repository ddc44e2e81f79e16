import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import * as bits from '../../src/ordinals/bit-set.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { bitSetCases, bitSetOfRows } from '../fixtures/bit-set-cases.js'

test('a bit set contains the rows that were added', async () => {
  assertProperty(
    fc.property(bitSetCases, ({ rowCount, passing }) => {
      const built = bitSetOfRows(rowCount, [...passing, ...passing])
      assert.equal(built.count, passing.length)
      assert.deepEqual(Array.from(bits.ordinalsOf(built)), passing)
      const words = bits.fullWords(rowCount)
      const held = new Set(passing)
      const others = Array.from({ length: rowCount }, (_, row) => row).filter(
        (row) => !held.has(row),
      )
      bits.removeRows(words, Uint32Array.from(others))
      assert.deepEqual(words, built.words, 'removing the others leaves the same')
      const common = bits.fullWords(rowCount)
      bits.intersect(common, words)
      assert.deepEqual(common, words)
    }),
    { numRuns: 60 },
  )
})
