import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { isListed, sortedOnce } from '../../src/ordinals/ordinal-list.js'
import { assertProperty } from '../fixtures/assert-property.js'

const numbers = fc.array(fc.nat(30), { maxLength: 40 })

test('a number is listed exactly when a scan finds it', async () => {
  assertProperty(
    fc.property(numbers, fc.nat(31), (all, wanted) => {
      const ascending = Uint32Array.from(all).sort()
      assert.equal(isListed(ascending, wanted), all.includes(wanted))
    }),
  )
})

test('a sorted list has each number once', async () => {
  assertProperty(
    fc.property(numbers, (all) => {
      const expected = [...new Set(all)].toSorted((a, b) => a - b)
      assert.deepEqual([...sortedOnce(Uint32Array.from(all))], expected)
    }),
  )
})
