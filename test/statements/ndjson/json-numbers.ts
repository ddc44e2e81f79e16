import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount, parseAmount } from '../../../src/money.js'
import { numberChangedByParsing } from '../../../src/statements/ndjson/json-numbers.js'
import { assertProperty } from '../../fixtures/assert-property.js'

test('a number of at most 15 digits is the decimal that its double prints', async () => {
  const digits = fc.stringMatching(/^[0-9]{1,15}$/)
  assertProperty(
    fc.property(digits, fc.nat({ max: 5 }), fc.boolean(), (all, decimals, isNegative) => {
      const whole = all.slice(0, Math.max(0, all.length - decimals)).replace(/^0+(?=.)/, '') || '0'
      const fraction = all.slice(Math.max(0, all.length - decimals)).padStart(decimals, '0')
      const sign = isNegative ? '-' : ''
      const text = fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
      assert.equal(numberChangedByParsing(`{"amount": ${text}}`), undefined, text)
      assert.deepEqual(parseAmount(String(JSON.parse(text))), parseAmount(text), text)
    }),
    { numRuns: 1000 },
  )
})

test('a number changed by parsing is detected', async () => {
  const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/)
  /** Digits and exponent of a decimal text, by BigInt: the naive twin. */
  const exact = (text: string): string => {
    const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
    const [whole = '', fraction = ''] = mantissa.split('.')
    let units = BigInt(whole + fraction)
    let power = Number(exponent) - fraction.length
    if (units === 0n) return '0'
    while (units % 10n === 0n) {
      units /= 10n
      power += 1
    }
    return `${mantissa.startsWith('-') && units > 0n ? -units : units}e${power}`
  }
  assertProperty(
    fc.property(number, (text) => {
      const value = Number(text)
      const isKept = Number.isFinite(value) && exact(String(value)) === exact(text)
      const changed = numberChangedByParsing(`{"paypal":{"net":1,"fee" :${text}},"a":"9"}`)
      assert.deepEqual(changed, isKept ? undefined : { member: 'paypal.fee', text }, text)
    }),
    { numRuns: 2000 },
  )
})

test('digits inside texts are not numbers', async (t) => {
  const text = 'Ref: 12345678901234567890.1234567890123 \\" , 1e999 \\\\'
  t.equal(numberChangedByParsing(JSON.stringify({ a: text, b: 1, [text]: 2 })), undefined)
  const long = JSON.stringify({ purpose: `${'x'.repeat(500_000)} 1234567890123456789` })
  t.equal(numberChangedByParsing(long), undefined)
})

test('every printed amount is kept', async () => {
  const unscaled = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
  assertProperty(
    fc.property(unscaled, fc.nat({ max: 5 }), (value, scale) => {
      const text = formatAmount(value, scale)
      assert.equal(numberChangedByParsing(`{"amount":${text}}`), undefined, text)
    }),
  )
})
