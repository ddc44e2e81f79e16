import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount } from '../../src/money.js'
import {
  type DecimalMark,
  decimalMarkOf,
  readDecimal,
  splitCurrency,
} from '../../src/statements/decimal-text.js'
import { assertProperty } from '../fixtures/assert-property.js'

function written(text: string, mark: DecimalMark): string {
  const amount = readDecimal(text, mark)
  return typeof amount === 'string' ? amount : formatAmount(amount.unscaled, amount.scale)
}

test('an amount is parsed in its usual notations', async (t) => {
  const cases: [string, DecimalMark, string][] = [
    ['1.234,56', 'comma', '1234.56'],
    ['1,234.56', 'point', '1234.56'],
    ['-17,22', 'comma', '-17.22'],
    ['17,22-', 'comma', '-17.22'],
    ['17,22 -', 'comma', '-17.22'],
    ['- 17,22', 'comma', '-17.22'],
    ['−17,22', 'comma', '-17.22'],
    ['+5,00', 'comma', '5'],
    ['5,00+', 'comma', '5'],
    [',50', 'comma', '0.5'],
    ['.50', 'point', '0.5'],
    ['1 234 567,89', 'comma', '1234567.89'],
    ['1\u202f234,5', 'comma', '1234.5'],
    ["1'234.50", 'point', '1234.5'],
    ['1’234’567.50', 'point', '1234567.5'],
    ['1.234', 'comma', '1234'],
    ['1.234', 'point', '1.234'],
    ['1234567,89', 'comma', '1234567.89'],
    ['-0,00', 'comma', '0'],
    ['\u00a012,00\u00a0', 'comma', '12'],
  ]
  for (const [text, mark, expected] of cases) t.equal(written(text, mark), expected, text)
})

test('an invalid amount is refused, never repaired', async (t) => {
  const wrong: [string, DecimalMark][] = [
    ['12..34', 'point'],
    ['12..34', 'comma'],
    ['12.34', 'comma'],
    ['12,34', 'point'],
    ['1.23,4', 'comma'],
    ['1.234.56', 'comma'],
    ['1.234 567,00', 'comma'],
    ['1234.567,00', 'comma'],
    ['12,', 'comma'],
    ['-5-', 'comma'],
    ['--5', 'comma'],
    ['', 'comma'],
    ['-', 'comma'],
    ['$120', 'point'],
    ['12 EUR', 'point'],
    ['(12.00)', 'point'],
    ['1e3', 'point'],
    ['1,2,3', 'point'],
  ]
  for (const [text, mark] of wrong) t.equal(written(text, mark), 'is not a decimal number', text)
  t.equal(written('1,234567', 'comma'), 'has more than 5 decimals')
  t.equal(written('1.234.567.890.123.456', 'comma'), 'has more than 15 digits')
})

test('one amount determines its decimal mark, or leaves it open', async (t) => {
  const cases: [string, DecimalMark | 'ambiguous' | undefined][] = [
    ['12,34', 'comma'],
    ['12.34', 'point'],
    ['1.234,56', 'comma'],
    ['1,234.56', 'point'],
    ['1.234.567', 'comma'],
    ['1,234,567', 'point'],
    ['1.234', 'ambiguous'],
    ['-1,234', 'ambiguous'],
    ['1234.567', 'point'],
    ['0,567', 'comma'],
    ['1234', undefined],
    ['', undefined],
  ]
  for (const [text, expected] of cases) t.equal(decimalMarkOf(text), expected, text)
})

test('a currency around an amount is removed', async (t) => {
  t.same(splitCurrency('1.234,56 €'), { number: '1.234,56', currency: 'EUR' })
  t.same(splitCurrency('-12,34\u00a0€'), { number: '-12,34', currency: 'EUR' })
  t.same(splitCurrency('EUR 5'), { number: '5', currency: 'EUR' })
  t.same(splitCurrency('-5,00 CHF'), { number: '-5,00', currency: 'CHF' })
  t.same(splitCurrency('$120'), { number: '120', currency: '$' })
  t.same(splitCurrency(' 7 '), { number: '7' })
})

test('amounts printed by Intl for four countries are parsed exactly', async () => {
  const locales: [string, DecimalMark][] = [
    ['de-DE', 'comma'],
    ['en-US', 'point'],
    ['fr-FR', 'comma'],
    ['de-CH', 'point'],
  ]
  assertProperty(
    fc.property(
      fc.constantFrom(...locales),
      fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
      fc.integer({ min: 0, max: 5 }),
      ([locale, mark], unscaled, scale) => {
        const exact = formatAmount(unscaled, scale)
        const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 5 })
        const text = format.format(exact as `${number}`)
        assert.equal(written(text, mark), exact, `${locale} ${text}`)
        const found = decimalMarkOf(text)
        assert.ok(
          found === mark || found === 'ambiguous' || found === undefined,
          `${text}: ${found}`,
        )
      },
    ),
    { numRuns: 400 },
  )
})
