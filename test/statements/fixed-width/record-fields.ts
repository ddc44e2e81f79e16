import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount } from '../../../src/money.js'
import {
  amountOfDigits,
  bookingDayOf,
  dayOfDigits,
} from '../../../src/statements/fixed-width/record-fields.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('days of six digits, in either order', async (t) => {
  const day = (text: string, order: 'dmy' | 'ymd'): string | undefined => {
    const at = dayOfDigits(text, order)
    return at === undefined ? undefined : new Date(at).toISOString().slice(0, 10)
  }
  t.equal(day('311224', 'dmy'), '2024-12-31')
  t.equal(day('241231', 'ymd'), '2024-12-31')
  t.equal(day('010199', 'dmy'), '1999-01-01')
  t.equal(day('290224', 'dmy'), '2024-02-29')
  for (const text of ['000000', '      ', '310424', '3112245', '31122x', '']) {
    t.equal(day(text, 'dmy'), undefined, `"${text}"`)
  }
})

test('an amount of digits is exact', async (t) => {
  t.match(amountOfDigits('12x', 2), /"12x" is not an amount of 3 digits/)
  t.match(amountOfDigits('1234567890123456', 2), /more than 15 digits/)
  t.match(amountOfDigits('000000001', 6), /more than 5 decimals/)
  assertProperty(
    fc.property(fc.nat({ max: 999_999_999_999 }), fc.nat({ max: 5 }), (minor, decimals) => {
      const amount = amountOfDigits(String(minor).padStart(15, '0'), decimals)
      assert.ok(typeof amount !== 'string')
      const text = String(minor).padStart(decimals + 1, '0')
      const whole = text.slice(0, text.length - decimals)
      const fraction = text.slice(text.length - decimals).replace(/0+$/, '')
      const expected = fraction === '' ? whole : `${whole}.${fraction}`
      assert.equal(formatAmount(amount.unscaled, amount.scale), expected)
    }),
  )
})

test('without a booking day, the value date counts, then the day of the statement', async (t) => {
  t.strictSame(bookingDayOf({ booked: 1, valued: 2, ofStatement: 3 }, '311224'), { day: 1 })
  t.strictSame(bookingDayOf({ booked: undefined, valued: 2, ofStatement: 3 }, '310224'), {
    day: 2,
    warning: 'has the booking date "310224"; the value date is taken for it',
  })
  t.strictSame(bookingDayOf({ booked: undefined, valued: undefined, ofStatement: 3 }, '      '), {
    day: 3,
    warning: 'has no booking date; the day of the statement is taken for it',
  })
  const none = { booked: undefined, valued: undefined, ofStatement: undefined }
  t.equal(bookingDayOf(none, '000000'), undefined)
})
