import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { isIban } from '../../../src/iban.js'
import {
  belgianIban,
  frenchIban,
  spanishIban,
} from '../../../src/statements/fixed-width/national-iban.js'
import { assertProperty } from '../../fixtures/assert-property.js'

// The examples of the IBAN registry (ISO 13616).
test('the examples of the IBAN registry are derived', async (t) => {
  t.equal(belgianIban('539007547034'), 'BE68539007547034')
  t.equal(spanishIban('2100', '0418', '0200051332'), 'ES9121000418450200051332')
  t.equal(frenchIban('20041', '01005', '0500013M026'), 'FR1420041010050500013M02606')
})

test('a text that is not a national number has no IBAN', async (t) => {
  t.equal(belgianIban('539007547035'), undefined, 'wrong check digits')
  t.equal(belgianIban('732XXXXXXXXX'), undefined)
  t.equal(spanishIban('2100', '0418', '020005133'), undefined)
  t.equal(spanishIban('2100', '0418', '0000000000'), undefined)
  t.equal(spanishIban('21 0', '0418', '0200051332'), undefined)
  t.equal(frenchIban('20041', '01005', '0500013 026'), undefined)
  t.equal(frenchIban('20041', '     ', '0500013M026'), undefined)
})

test('every derived IBAN is valid and contains the number', async () => {
  const digits = (length: number): fc.Arbitrary<string> =>
    fc.stringMatching(new RegExp(`^\\d{${length}}$`))
  assertProperty(
    fc.property(digits(4), digits(4), digits(10), (bank, branch, number) => {
      fc.pre(/[1-9]/.test(number))
      const iban = spanishIban(bank, branch, number)
      assert.ok(iban !== undefined && isIban(iban), iban)
      assert.equal(iban.slice(4, 12) + iban.slice(14), bank + branch + number)
    }),
  )
  assertProperty(
    fc.property(
      ...[digits(5), digits(5), fc.stringMatching(/^[0-9A-Z]{11}$/)],
      (bank, branch, number) => {
        const iban = frenchIban(bank, branch, number)
        assert.ok(iban !== undefined && isIban(iban), iban)
        assert.equal(iban.slice(4, 25), bank + branch + number)
      },
    ),
  )
  assertProperty(
    fc.property(fc.nat({ max: 9_999_999_999 }), (number) => {
      const check = number % 97 === 0 ? 97 : number % 97
      const text = `${String(number).padStart(10, '0')}${String(check).padStart(2, '0')}`
      const iban = belgianIban(text)
      assert.ok(iban !== undefined && isIban(iban) && iban.endsWith(text), iban)
    }),
  )
})
