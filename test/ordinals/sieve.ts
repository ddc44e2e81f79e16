import fc from 'fast-check'
import { test } from 'tap'
import * as sieve from '../../src/ordinals/sieve.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { sieveCases, sieveOfRows } from '../fixtures/sieve-cases.js'

test('a sieve holds the rows that were let pass', async (t) => {
  assertProperty(
    fc.property(sieveCases, ({ rowCount, passing }) => {
      const built = sieveOfRows(rowCount, [...passing, ...passing])
      t.equal(built.count, passing.length)
      t.strictSame(Array.from(sieve.ordinalsOf(built)), passing)
      const words = sieve.fullWords(rowCount)
      const held = new Set(passing)
      const others = Array.from({ length: rowCount }, (_, row) => row).filter(
        (row) => !held.has(row),
      )
      sieve.holdBack(words, Uint32Array.from(others))
      t.strictSame(words, built.words, 'holding back the others leaves the same')
      const common = sieve.fullWords(rowCount)
      sieve.keepCommon(common, words)
      t.strictSame(common, words)
    }),
    { numRuns: 60 },
  )
})
