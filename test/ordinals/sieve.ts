import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import * as sieve from '../../src/ordinals/sieve.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { sieveCases, sieveOfRows } from '../fixtures/sieve-cases.js'

test('a sieve holds the rows that were let pass', async () => {
  assertProperty(
    fc.property(sieveCases, ({ rowCount, passing }) => {
      const built = sieveOfRows(rowCount, [...passing, ...passing])
      assert.equal(built.count, passing.length)
      assert.deepEqual(Array.from(sieve.ordinalsOf(built)), passing)
      const words = sieve.fullWords(rowCount)
      const held = new Set(passing)
      const others = Array.from({ length: rowCount }, (_, row) => row).filter(
        (row) => !held.has(row),
      )
      sieve.holdBack(words, Uint32Array.from(others))
      assert.deepEqual(words, built.words, 'holding back the others leaves the same')
      const common = sieve.fullWords(rowCount)
      sieve.keepCommon(common, words)
      assert.deepEqual(common, words)
    }),
    { numRuns: 60 },
  )
})
