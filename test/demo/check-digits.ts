import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { type BankCountry, bbanOf, creditorIdOf, ibanOf } from '../../src/demo/check-digits.js'
import { randomOf } from '../../src/demo/random.js'
import { isIban } from '../../src/iban.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('check digits are those of published examples', async (t) => {
  t.equal(ibanOf('DE', '370400440532013000'), 'DE89370400440532013000')
  t.equal(ibanOf('NL', 'ABNA0417164300'), 'NL91ABNA0417164300')
  t.equal(creditorIdOf('DE', '09999999999'), 'DE98ZZZ09999999999')
})

test('an account number of every country makes an IBAN', async () => {
  const banks: [BankCountry, string][] = [
    ['DE', '90120010'],
    ['AT', '99140'],
    ['NL', 'QDLT'],
    ['FR', '9991600042'],
    ['BE', '999'],
  ]
  assertProperty(
    fc.property(fc.nat(), fc.constantFrom(...banks), (seed, [country, code]) => {
      const iban = ibanOf(country, bbanOf(country, code, randomOf(seed)))
      assert.ok(isIban(iban), iban)
      assert.equal(iban.slice(4, 4 + code.length), code)
    }),
    { numRuns: 300 },
  )
})
