import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { centsOf, postingOf, setOriginal, trimScale } from '../../src/demo/draft.js'
import { parseAmount } from '../../src/money.js'
import { assertProperty } from '../fixtures/assert-property.js'

function rowOf(cents: number): ReturnType<typeof postingOf>['row'] {
  const booking = { accountId: 1, currency: 'EUR', cents, dayNumber: 19_846, type: 'X' }
  return postingOf({ ...booking, category: null, purpose: null }).row
}

test('an amount has the same scale as after an import', async (t) => {
  assertProperty(
    fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
      const row = rowOf(cents)
      const parsed = parseAmount(`${cents}e-2`)
      assert.deepEqual({ unscaled: row.amountUnscaled, scale: row.amountScale }, parsed)
      assert.equal(centsOf(row), cents === 0 ? 0 : cents)
    }),
  )
  t.same(trimScale(-0, 2), [0, 0])
})

test('yen have no cents', async (t) => {
  const row = rowOf(-100)
  setOriginal(row, -2400, 'JPY')
  t.same([row.originalAmountUnscaled, row.originalAmountScale], [-2400, 0])
  setOriginal(row, -2400, 'CHF')
  t.same([row.originalAmountUnscaled, row.originalAmountScale], [-24, 0])
  t.equal(row.originalCurrency, 'CHF')
})

test('a posting is booked at midnight UTC', async (t) => {
  t.equal(rowOf(1).bookedAt, 19_846 * 86_400_000)
})
