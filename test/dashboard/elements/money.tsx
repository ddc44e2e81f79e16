import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { Money, moneyText } from '../../../src/dashboard/elements/money.js'
import { formatAmount } from '../../../src/money.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { rendered } from '../../fixtures/dashboard-context.js'

test('an amount is shown with every digit', async (t) => {
  const digits = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
  assertProperty(
    fc.property(digits, fc.integer({ min: 0, max: 5 }), (unscaled, scale) => {
      const text = moneyText({ unscaled, scale })
      assert.match(text, /^−?\d{1,3}(,\d{3})*\.\d{2,5}$/)
      assert.equal(
        Number(text.replaceAll(',', '').replace('−', '-')),
        Number(formatAmount(unscaled, scale)),
      )
    }),
  )
  t.equal(moneyText({ unscaled: -123450, scale: 2 }), '−1,234.50')
  t.equal(moneyText({ unscaled: 5, scale: 0 }), '5.00')
  t.equal(moneyText({ unscaled: 123456, scale: 5 }), '1.23456')
})

test('credits are marked by a sign, not by colour alone', async (t) => {
  const amount = { unscaled: 150, scale: 2 }
  t.equal(
    rendered(<Money amount={amount} currency="EUR" isMovement />),
    '<data class="money in" value="1.5">+1.50<span class="currency"> EUR</span></data>',
  )
  t.equal(rendered(<Money amount={amount} />), '<data class="money" value="1.5">1.50</data>')
})
